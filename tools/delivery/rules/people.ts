/** Accounts and how people sign in. */
import { isDeepStrictEqual } from "node:util";
import {
  type Change,
  type Final,
  harmless,
  isSafePage,
  type Judge,
  onlyMore,
  refused,
  type TypeRules,
} from "./rule.ts";
import { deletion } from "./table.ts";

interface Attribute {
  readonly Name: string;
  readonly Required?: boolean;
}

/** https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-updating.html */
function attributes({ before = [], after = [] }: Change<readonly Attribute[]>): string[] {
  const same = (attribute: Attribute) => after.find(({ Name }) => Name === attribute.Name);
  const wrong = [
    ...before.filter((attribute) => !isDeepStrictEqual(attribute, same(attribute))),
    ...after.filter(({ Name, Required }) => Required && !before.some((attribute) => attribute.Name === Name)),
  ];
  const names = [...new Set(wrong.map(({ Name }) => Name))];
  return names.length === 0
    ? []
    : [
        `Cognito cannot change, remove or newly require an attribute of a pool (${names.join(", ")}): the deploy would fail. Optional attributes can be added; for the rest, make a new pool (docs/web-app.md).`,
      ];
}

/** What Cognito fixes when it creates the pool; the same page. */
const fixed: Final = {
  awsRefuses: () => [
    "Cognito cannot change it after a pool's creation. Undo it, or make a new pool (docs/web-app.md).",
  ],
};

/** Cognito sends the code or token of a sign-in to these addresses. */
const addresses: Judge = ({ before = [], after = [], ...rest }: Change<readonly string[]>) => [
  ...after
    .filter((url) => !before.includes(url) && !isSafePage(url))
    .map((url) => `sign-ins could be read on the way to ${url}.`),
  ...onlyMore("a web application that signs in now could not any more.")({ before, after, ...rest }),
];

export const people: Readonly<Record<string, TypeRules>> = {
  "AWS::Cognito::UserPool": {
    holds: "the accounts and passwords of all people",
    properties: {
      DeletionProtection: ({ before, after }) => (before === "ACTIVE" && after !== "ACTIVE" ? [deletion] : []),
      EmailVerificationMessage: harmless,
      EmailVerificationSubject: harmless,
      LambdaConfig: refused("other functions would decide who signs up or in, and as whom."),
      Schema: { awsRefuses: attributes },
      SmsVerificationMessage: harmless,
      UserPoolTags: harmless,
      VerificationMessageTemplate: ({ before, after }) =>
        before?.DefaultEmailOption === after?.DefaultEmailOption ? [] : ["the web application asks for a code."],
      AliasAttributes: fixed,
      UsernameAttributes: fixed,
      UsernameConfiguration: fixed,
    },
  },
  "AWS::Cognito::UserPoolClient": {
    holds: "the id with which the web application signs people in",
    properties: {
      CallbackURLs: addresses,
      ClientName: harmless,
      LogoutURLs: addresses,
      UserPoolId: refused("one more application could sign people in."),
    },
    opens: ["UserPoolId"],
  },
  "AWS::Cognito::UserPoolIdentityProvider": {
    ends: "the sign-in with it",
    properties: { ProviderName: refused("its people could sign in, with the addresses that it says are theirs.") },
    opens: ["ProviderName"],
  },
  "AWS::Cognito::UserPoolDomain": { holds: "the address of the sign-in page", properties: {} },
};
