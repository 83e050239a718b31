/** All findings of the judges that are no faults: each with the reason. One that is no more found fails, if its judge reads templates. */
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

const checkov = (rule: string, where: RegExp, reason: string): FalseAlarm => ({
  judge: "checkov",
  rule,
  where,
  reason,
});

const ofFunctions = /^ClubEvents-\w+\/Resources\//;
const ofImages = /\/Images[0-9A-F]{8}$/;
const ofPages = /\/Hosting(?:Distribution|Bucket)[0-9A-F]{8}$/;

export const falseAlarms: readonly FalseAlarm[] = [
  {
    judge: "cfn-lint",
    rule: "W3005",
    says: /^'\w+Role\w+' dependency already enforced by a 'GetAtt' at 'Resources\/\w+\/Properties\/Role'$/,
    reason:
      "The CDK lets each function depend on its role and on the role's policy. Of both only the first is said twice.",
  },
  // Keys of KMS: a dollar a month each, and more for each request. Who has the account's rights has them on its keys, too.
  checkov(
    "CKV_AWS_119",
    /\/Table[0-9A-F]{8}$/,
    "DynamoDB encrypts the table with a key that AWS owns, free of charge.",
  ),
  checkov("CKV_AWS_149", /\/TicketKey[0-9A-F]{8}$/, "Secrets Manager encrypts with the key aws/secretsmanager."),
  checkov("CKV_AWS_158", ofFunctions, "CloudWatch Logs encrypts with a key that AWS owns. No line names a person."),
  checkov(
    "CKV_AWS_173",
    ofFunctions,
    "Lambda encrypts variables with a key that AWS owns. None is a secret, which the guard enforces.",
  ),
  checkov(
    "CKV_AWS_26",
    /\/MonitoringTopic/,
    "Alarms have no personal data, and CloudWatch could not publish with the key aws/sns.",
  ),
  checkov(
    "CKV_AWS_27",
    ofFunctions,
    "The queues have SqsManagedSseEnabled, without a key of ours. The guard enforces it.",
  ),
  checkov(
    "CKV_AWS_115",
    ofFunctions,
    "A new account has ten concurrent runs, of which none can be reserved (docs/deploy.md).",
  ),
  checkov(
    "CKV_AWS_116",
    ofFunctions,
    "Queues, stream and schedules have dead letters themselves; requests are answered.",
  ),
  checkov(
    "CKV_AWS_117",
    ofFunctions,
    "All that the functions call is an API of AWS or public: a network and its NAT gateway cost 30 dollars a month.",
  ),
  checkov(
    "CKV_AWS_18",
    ofImages,
    "The bucket holds public banners only; access logs would keep the addresses of everybody who sees one.",
  ),
  checkov("CKV_AWS_21", ofImages, "A banner is never overwritten, and a deleted one must be gone."),
  checkov("CKV_AWS_54", ofImages, "The banners are public, by the statement PublicImages of its policy."),
  checkov("CKV_AWS_56", ofImages, "The banners are public, by the statement PublicImages of its policy."),
  checkov(
    "CKV_AWS_18",
    ofPages,
    "Access logs would keep the addresses of everybody who opens a page; the API has its own log.",
  ),
  checkov(
    "CKV_AWS_86",
    ofPages,
    "Access logs would keep the addresses of everybody who opens a page; the API has its own log.",
  ),
  checkov("CKV_AWS_21", ofPages, "The files are those of the commit: a deploy makes them again."),
  checkov(
    "CKV_AWS_68",
    ofPages,
    "A web ACL is five dollars a month. The gateway throttles, and the table counts what may be guessed (docs/decisions.md).",
  ),
  checkov(
    "CKV_AWS_174",
    ofPages,
    "Without a domain name CloudFront's own certificate has no other policy. With one it is TLS 1.2 or later.",
  ),
  ...["107", "108", "109", "110", "111"].map((rule) =>
    checkov(
      `CKV_AWS_${rule}`,
      /^ClubDelivery\/Resources\/KeepData/,
      "A permissions boundary: it grants nothing, and only takes.",
    ),
  ),
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
    /^400 .*(is required|exactly one is needed|stands (alone|beside)|agree with the rest|contradicts|is not part of a table|must leave a seat|must be (the same|one of \{|later than|within|before|after|by itself|changed by itself|empty:|false:|0 at|over"|at most \d+ people|that of the ticket|another person|greater than)|must not be (before|after|more than|true|there beside|set for))/,
    "Rules between fields, or with what is stored: the reference says them in words, and the refusal names the field.",
  ),
  refused(/^400 .*is the present email/, "Which email a person has is stored."),
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
  refused(
    /^400 .*(must not be blank|must list at least one choice)/,
    "Which fields of a question count depends on its type, which the reference says in words.",
  ),
  refused(/^400 .*must be a date of the last 400 days/, "The days of a payment by hand move with the clock."),
  refused(/^400 .*would take the project beyond/, "How far a price may go depends on where it is."),
  refused(/^400 .*is no question of this form/, "Which fields a form has is written in its event."),
  refused(
    /^400 .*must have at most [246] decimals/,
    "`multipleOf: 0.01` would refuse amounts for the error of fractions.",
  ),
  refused(/^400 .*must be the name of a time zone/, "The names are those of the IANA's list, which changes."),
  refused(/^400 .*must be (a web|an https) address/, "Whether a text is an address is more than a pattern."),
];
