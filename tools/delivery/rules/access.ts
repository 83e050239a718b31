/** Who may do what: policies, roles, routes and permissions. */
import { isDeepStrictEqual } from "node:util";
import {
  type Change,
  type DeliveredTemplate,
  harmless,
  type Judge,
  onlyMore,
  refused,
  type TypeRules,
} from "./rule.ts";

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html */
interface Statement {
  readonly Effect?: string;
  readonly Principal?: unknown;
  readonly Action?: string | readonly string[];
  readonly NotAction?: unknown;
  readonly Resource?: unknown;
  readonly NotResource?: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Document {
  readonly Statement?: readonly Statement[];
}

const listed = <Item>(value: Item | readonly Item[] | undefined): readonly Item[] =>
  value === undefined ? [] : ([value].flat() as Item[]);

const statementsOf = (document: Document | undefined): readonly Statement[] => listed(document?.Statement);

/** The statements that only the first document has. */
const only = (one: Document | undefined, other: Document | undefined): Statement[] =>
  statementsOf(one).filter(
    (statement) => !statementsOf(other).some((another) => isDeepStrictEqual(statement, another)),
  );

const allows = ({ Effect }: Statement): boolean => Effect === "Allow";

/** All actions that a policy of the template allows. */
const actionsIn = ({ Resources = {} }: DeliveredTemplate): Set<string> =>
  new Set(
    Object.values(Resources)
      .filter(({ Type }) => Type === "AWS::IAM::Policy")
      .flatMap(({ Properties }) => statementsOf(Properties?.PolicyDocument).flatMap(({ Action }) => listed(Action))),
  );

/** The rights of a function. A right that some function has already is an ordinary one. */
function rights({ before, after, deployed }: Change<Document>): string[] {
  const known = actionsIn(deployed);
  return only(after, before)
    .filter(allows)
    .flatMap((statement) => {
      const { Action, NotAction, Resource, NotResource, Condition } = statement;
      const actions = listed(Action);
      const isConditional = statementsOf(before).some(
        (one) => one.Condition && isDeepStrictEqual({ ...one, Condition: undefined }, { ...statement, Condition }),
      );
      return [
        ...(NotAction === undefined && NotResource === undefined
          ? []
          : ["it would allow all but what is named. Name what is needed."]),
        ...actions
          .filter((action) => action.includes("*"))
          .map((action) => `it would allow ${action}. Name each action that is needed.`),
        ...actions
          .filter((action) => !action.includes("*") && !known.has(action))
          .map((action) => `it would allow ${action}, which no function of the stack may do.`),
        ...(listed(Resource as string).includes("*") ? [`it would allow ${actions.join(", ")} on everything.`] : []),
        ...(isConditional ? [`it would allow ${actions.join(", ")} without the condition.`] : []),
      ];
    });
}

const isService = (principal: unknown): boolean =>
  typeof principal === "object" && principal !== null && Object.keys(principal).join() === "Service";

const sources = ["aws:sourcearn", "aws:sourceaccount"];

/** Whether AWS asks on whose behalf the service comes. The names of keys ignore case. */
const namesSource = ({ Condition = {} }: Statement): boolean =>
  Object.values(Condition).some((keys) => Object.keys(keys).some((key) => sources.includes(key.toLowerCase())));

/** Who may use a queue, a topic or a bucket. https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html */
function users({ before, after }: Change<Document>): string[] {
  return [
    ...only(before, after)
      .filter(({ Effect }) => Effect === "Deny")
      .map(() => "a denial would be gone."),
    ...only(after, before)
      .filter(allows)
      .flatMap((statement) => {
        const what = listed(statement.Action).join(", ");
        if (!isService(statement.Principal)) return [`it would allow ${what} to others than a service of AWS.`];
        return namesSource(statement) ? [] : [`it would allow ${what} to a service on behalf of every account.`];
      }),
  ];
}

const onlyLambda = { Service: "lambda.amazonaws.com" };

/** Who may take a role. */
const trust: Judge = ({ before, after }: Change<Document>) =>
  only(after, before).some(({ Principal }) => !isDeepStrictEqual(Principal, onlyLambda))
    ? ["others than this account's functions could take the role."]
    : [];

const policyOf = (property: string, what: string): TypeRules => ({
  ends: `the rights on ${what}`,
  endsWith: [property],
  sameBy: [property],
  properties: { PolicyDocument: users, [property]: harmless },
  opens: ["PolicyDocument"],
});

const given: Judge = ({ after }) => (after === undefined ? [] : ["it gives rights that this guard does not read."]);

const isPublic: Judge = ({ before, after }) => {
  if (before === undefined) return after === "JWT" ? [] : ["everybody could call it without signing in."];
  return before === after ? [] : [`it would ask for ${after} instead of ${before}: who may call it changes.`];
};

interface Cors {
  readonly AllowOrigins?: readonly string[];
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html */
function origins({ before, after }: Change<Cors>): string[] {
  const added = after?.AllowOrigins?.filter((origin) => !before?.AllowOrigins?.includes(origin)) ?? [];
  return [
    ...added
      .filter((origin) => origin.includes("*") || !/^https:|^http:\/\/localhost\b/.test(origin))
      .map((origin) => `web pages of ${origin} could call it.`),
    ...onlyMore("web pages that call it could be refused.")({ before, after } as Change<Cors>),
  ];
}

/** https://docs.aws.amazon.com/lambda/latest/dg/access-control-resource-based.html */
const source: Judge = ({ after }) =>
  after === undefined ? ["every account's resources could call the function. Name the source."] : [];

const limits = "how many requests come in would change: too few are a failure at a rush, and too many cost money.";

export const access: Readonly<Record<string, TypeRules>> = {
  "AWS::IAM::Policy": {
    ends: "the rights of a function that stays",
    endsWith: ["Roles"],
    properties: {
      PolicyDocument: rights,
      PolicyName: harmless,
      Roles: refused("other roles would have these rights."),
    },
    opens: ["PolicyDocument"],
  },
  "AWS::IAM::Role": {
    properties: { AssumeRolePolicyDocument: trust, ManagedPolicyArns: given, Policies: given, Description: harmless },
    opens: ["AssumeRolePolicyDocument", "ManagedPolicyArns", "Policies"],
  },
  "AWS::SQS::QueuePolicy": policyOf("Queues", "a queue that stays"),
  "AWS::SNS::TopicPolicy": policyOf("Topics", "a topic that stays"),
  "AWS::S3::BucketPolicy": policyOf("Bucket", "a bucket that stays"),
  "AWS::Lambda::Permission": {
    ends: "the right of a caller that stays",
    endsWith: ["FunctionName", "SourceArn"],
    properties: {
      Action: harmless,
      FunctionName: harmless,
      SourceArn: source,
      Principal: ({ after }) =>
        /^[a-z0-9-]+\.amazonaws\.com$/.test(String(after)) ? [] : [`${JSON.stringify(after)} could call the function.`],
    },
    opens: ["SourceArn", "Principal"],
  },
  "AWS::ApiGatewayV2::Api": {
    properties: { CorsConfiguration: origins, Description: harmless, Name: harmless },
    opens: ["CorsConfiguration"],
  },
  "AWS::ApiGatewayV2::ApiMapping": { ends: "the API at its own address", properties: {} },
  "AWS::ApiGatewayV2::Authorizer": { sameBy: ["Name"], properties: { Name: harmless } },
  "AWS::ApiGatewayV2::DomainName": { properties: { Tags: harmless } },
  "AWS::ApiGatewayV2::Integration": { properties: { Description: harmless } },
  "AWS::ApiGatewayV2::Route": {
    ends: "a route",
    sameBy: ["RouteKey"],
    properties: { AuthorizationType: isPublic },
    opens: ["AuthorizationType"],
  },
  "AWS::ApiGatewayV2::Stage": {
    ends: "the API's address",
    properties: { DefaultRouteSettings: refused(limits), Description: harmless, RouteSettings: onlyMore(limits) },
  },
};
