/** Who may do what: policies, roles, routes and permissions. */
import { isDeepStrictEqual } from "node:util";
import {
  type Change,
  type DeliveredTemplate,
  harmless,
  isIn,
  isSafePage,
  type Judge,
  onlyMore,
  references,
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

/** One action on one resource. CDK joins them to statements in one way or another. */
interface Grant {
  readonly action: string;
  readonly resource: unknown;
  readonly condition: unknown;
}

const grantsOf = (document: Document | undefined): Grant[] =>
  statementsOf(document)
    .filter(allows)
    .flatMap(({ Action, Resource, Condition: condition }) =>
      listed(Action).flatMap((action) =>
        listed(Resource as object).map((resource) => ({ action, resource, condition })),
      ),
    );

const has = (grants: readonly Grant[], grant: Grant): boolean =>
  grants.some((other) => isDeepStrictEqual(other, grant));

/** What the functions of the template may do. */
const grantsIn = ({ Resources = {} }: DeliveredTemplate): Grant[] =>
  Object.values(Resources)
    .filter(({ Type }) => Type === "AWS::IAM::Policy")
    .flatMap(({ Properties }) => grantsOf(Properties?.PolicyDocument));

/** What is wrong with a new grant. Actions on records that other functions have, and those on a new queue or log, are ordinary. */
function wrongIn(grant: Grant, { deployed, wanted }: Pick<Change<unknown>, "deployed" | "wanted">): string[] {
  const { action, resource } = grant;
  const known = grantsIn(deployed);
  if (action.includes("*")) return [`it would allow ${action}. Name each action that is needed.`];
  if (!known.some((other) => other.action === action)) {
    return [`it would allow ${action}, which no function of the stack may do.`];
  }
  const isOfRecords = action.startsWith("dynamodb:");
  if (isOfRecords && has(known, grant)) return [];
  const isWide = JSON.stringify(resource).includes("*") || !isIn(resource, wanted);
  const isOrdinary = isOfRecords || (/^(?:events|logs|sqs):/.test(action) && !isIn(resource, deployed));
  return isWide || !isOrdinary ? [`it would allow ${action} on ${JSON.stringify(resource)}.`] : [];
}

/** The rights of a function. */
function rights({ before, after, ...templates }: Change<Document>): string[] {
  const all = only(after, before).filter(({ NotAction, NotResource }) => NotAction ?? NotResource);
  return [
    ...only(before, after)
      .filter((statement) => !allows(statement))
      .map(() => "a denial would be gone."),
    ...all.map(() => "it would allow all but what is named. Name what is needed."),
    ...grantsOf(after)
      .filter((grant) => !has(grantsOf(before), grant))
      .flatMap((grant) => wrongIn(grant, templates)),
  ];
}

const isService = (principal: unknown): boolean =>
  typeof principal === "object" && principal !== null && Object.keys(principal).join() === "Service";

const sources = ["aws:sourcearn", "aws:sourceaccount"];

/** Whether AWS asks on whose behalf the service comes: of this account or a resource of it. The names of keys ignore case. */
const namesSource = ({ Condition = {} }: Statement, { Resources = {} }: DeliveredTemplate): boolean =>
  Object.entries(Condition).some(
    ([operator, keys]) =>
      /^(?:Arn|String)(?:Equals|Like)$/.test(operator) &&
      Object.entries(keys).some(
        ([key, value]) =>
          sources.includes(key.toLowerCase()) &&
          references(value).some((id) => id === "AWS::AccountId" || id in Resources),
      ),
  );

const withoutSid = (document: Document | undefined): Document => ({
  Statement: statementsOf(document).map((statement) => ({ ...statement, Sid: undefined })),
});

/** Who may use a queue, a topic or a bucket. https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html */
function users({ before, after, deployed, wanted }: Change<Document>): string[] {
  const [old, now] = [withoutSid(before), withoutSid(after)];
  const isOfGone = ({ Condition }: Statement) => isIn(Condition, deployed) && !isIn(Condition, wanted);
  return [
    ...only(old, now)
      .filter((statement) => !isOfGone(statement))
      .map((statement) =>
        allows(statement)
          ? `${listed(statement.Action).join(", ")} would not be allowed any more to those who may.`
          : "a denial would be gone.",
      ),
    ...only(now, old)
      .filter(allows)
      .flatMap((statement) => {
        const what = listed(statement.Action).join(", ");
        if (!isService(statement.Principal)) return [`it would allow ${what} to others than a service of AWS.`];
        return namesSource(statement, wanted)
          ? []
          : [`it would allow ${what} to a service on behalf of every account.`];
      }),
  ];
}

const onlyLambda = { Service: "lambda.amazonaws.com" };

/** Who may take a role. */
const trust: Judge = ({ before, after }: Change<Document>) =>
  before === undefined && statementsOf(after).every(({ Principal }) => isDeepStrictEqual(Principal, onlyLambda))
    ? []
    : ["others than this account's functions could take the role, or its function could not."];

const policyOf = (property: string, what: string): TypeRules => ({
  ends: `the rights on ${what}`,
  endsWith: [property],
  sameBy: [property],
  properties: { PolicyDocument: users },
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
      .filter((origin) => origin.includes("*") || !isSafePage(origin))
      .map((origin) => `web pages of ${origin} could call it.`),
    ...onlyMore("web pages that call it could be refused.")({ before, after } as Change<Cors>),
  ];
}

/** https://docs.aws.amazon.com/lambda/latest/dg/access-control-resource-based.html */
const source: Judge = ({ after, wanted }) =>
  isIn(after, wanted) ? [] : ["resources of others could call the function. Name the source, of this stack."];

/** The API sends a request, with its token, to its integration. */
const ownFunction: Judge = ({ before, after, wanted }) =>
  before === undefined && isIn(after, wanted) ? [] : ["requests, with their tokens, would go elsewhere."];

const limits = "how many requests come in would change: too few are a failure at a rush, and too many cost money.";

/** More limits only come for new routes. */
const routeLimits: Judge = ({ before = {}, after = {}, deployed, wanted }) => {
  const routes = Object.values(deployed.Resources ?? {}).map(({ Properties }) => Properties?.RouteKey);
  return Object.keys(after).some((key) => !(key in before) && routes.includes(key))
    ? [limits]
    : onlyMore(limits)({ before, after, deployed, wanted });
};

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
      Action: ({ after }) => (after === "lambda:InvokeFunction" ? [] : ["more than a call would be allowed."]),
      SourceArn: source,
      Principal: ({ after }) =>
        /^[a-z0-9-]+\.amazonaws\.com$/.test(String(after)) ? [] : [`${JSON.stringify(after)} could call the function.`],
    },
    opens: ["Action", "SourceArn", "Principal"],
  },
  "AWS::ApiGatewayV2::Api": {
    properties: { CorsConfiguration: origins, Description: harmless, Name: harmless },
    opens: ["CorsConfiguration"],
  },
  "AWS::ApiGatewayV2::ApiMapping": { ends: "the API at its own address", properties: {} },
  "AWS::ApiGatewayV2::Authorizer": {
    sameBy: ["Name"],
    properties: { JwtConfiguration: refused("other tokens would count."), Name: harmless },
    opens: ["JwtConfiguration"],
  },
  "AWS::ApiGatewayV2::DomainName": { properties: { Tags: harmless } },
  "AWS::ApiGatewayV2::Integration": {
    properties: { Description: harmless, IntegrationUri: ownFunction },
    opens: ["IntegrationUri"],
  },
  "AWS::ApiGatewayV2::Route": {
    ends: "a route",
    sameBy: ["RouteKey"],
    properties: { AuthorizationType: isPublic },
    opens: ["AuthorizationType"],
  },
  "AWS::ApiGatewayV2::Stage": {
    ends: "the API's address",
    properties: {
      DefaultRouteSettings: refused(limits),
      Description: harmless,
      RouteSettings: routeLimits,
      StageName: refused("the API would have one more address, with limits of its own."),
    },
    opens: ["StageName"],
  },
};
