/** All findings that are no faults: each with the reason. */
import type { FalseAlarm } from "./finding.ts";

const schemathesis = (rule: string, says: RegExp | undefined, reason: string, where?: RegExp): FalseAlarm => ({
  judge: "schemathesis",
  rule,
  reason,
  ...(says && { says }),
  ...(where && { where }),
});

/** A request that the schemas of the reference allow is refused. */
const refused = (says: RegExp, reason: string, where?: RegExp): FalseAlarm =>
  schemathesis("positive_data_acceptance", says, reason, where);

export const falseAlarms: readonly FalseAlarm[] = [
  {
    judge: "cfn-lint",
    rule: "W3005",
    says: /^'\w+Role\w+' dependency already enforced by a 'GetAtt' at 'Resources\/\w+\/Properties\/Role'$/,
    reason:
      "The CDK lets each function depend on its role and on the role's policy. Of both only the first is said twice.",
  },
  schemathesis("unsupported_method", undefined, "An HTTP API of API Gateway answers 404 to a method without a route."),
  schemathesis(
    "negative_data_rejection",
    /^200 /,
    "The specification: a caller who is not an admin gets and changes their own record, whatever the path names.",
    /^(GET|PATCH) \/users\/\{email\}$/,
  ),
  schemathesis(
    "response_schema_conformance",
    /^404 \{"message":"Not Found"\}/,
    "Without its last segment the path is no route: the gateway answers, as to every unknown path.",
    /\}$/,
  ),
  schemathesis(
    "negative_data_rejection",
    /^431 /,
    "A request that is too long is refused, whatever else is wrong with it.",
  ),
  refused(
    /^400 .*"path":"\/","message":"must be JSON"/,
    "A field `__proto__`: the contract refuses it, and the reference says it in words.",
  ),
  refused(/^431 /, "A query whose texts are as long as allowed may be longer than the gateway takes."),
  refused(/^412 /, "The tag of If-Match is one that the caller read: a random one has changed."),
  refused(/^422 .*"IDEMPOTENCY_KEY_REUSED"/, "A key is new for each new request; the reference has one example of it."),
  refused(/^400 .*is not a valid cursor/, "The service makes cursors: a random one is none."),
  refused(/^400 .*"\/stripe-signature"/, "The payment provider signs: a random signature is none."),
  refused(/^400 .*is not the code of one of our tickets/, "The service makes the codes: a random one is none."),
  refused(
    /^400 .*(is required|exactly one is needed|must be the same|stands alone|agree with the rest|must be one of \{|must be later than|must be within)/,
    "Rules between fields: the reference says them in words, and the refusal names the field.",
  ),
  refused(/^400 .*must name something to change/, "A change with unknown fields only: they are ignored."),
  refused(
    /^400 .*must be an email address/,
    "The contract's emails are fewer than those of the format. With a pattern beside it, schemathesis takes minutes for one.",
  ),
  refused(/^400 .*must be a date such as/, "A day of 31 may be one that its month does not have."),
  refused(
    /^400 .*"path":"\/(status|changedSince|afterTimestamp)"/,
    "Filters with several forms, which the reference says in words.",
    /^GET \/registrations$/,
  ),
  refused(/^400 .*is no question of this form/, "Which fields a form has is written in its event."),
  refused(
    /^400 .*must have at most [24] decimals/,
    "`multipleOf: 0.01` would refuse amounts for the error of fractions.",
  ),
  refused(/^400 .*must be (a web|an https) address/, "Whether a text is an address is more than a pattern."),
];
