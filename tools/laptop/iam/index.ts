/** The local stage's IAM: each function may do what the policies of its role in the template allow, and nothing else. */
import type { Authorize } from "../service-kit/authorize.ts";
import { type Template, TemplateProblem } from "../template/index.ts";
import type { PolicyStatement } from "../template/resources.ts";
import { type AccessRequest, denialOf, statementProblem } from "./policy.ts";

export type { AccessRequest } from "./policy.ts";

export interface PermissionsOptions {
  readonly template: Template;
  /** The access key of a function is this prefix and the function's logical id. */
  readonly accessKeyPrefix: string;
  /** Called for every refused request, with the function's logical id and AWS's message. */
  readonly onRefused: (functionId: string, sentence: string) => void;
  /** Keeps only the statements for which it returns true. For tests. */
  readonly keeps?: (functionId: string, request: AccessRequest) => boolean;
}

export interface Permissions {
  /** Authorizes a request by the access key that signed it. Keys that belong to no function may do everything. */
  readonly authorize: Authorize;
  /** Authorizes a request that AWS makes on behalf of a function. @returns AWS's message when the function may not */
  refusalOf(functionId: string, request: AccessRequest): string | undefined;
  /** The permissions of all functions: one entry for each action on each resource. */
  rights(): readonly Right[];
}

/** An action on a resource that a function is allowed. */
export interface Right {
  readonly functionId: string;
  /** `service:Action`; both may have wildcards. */
  readonly action: string;
  /** ARN. */
  readonly resource: string;
}

/** Gives names to the roles of the template. Call it before reading the template. */
export function nameRoles(template: Template): void {
  for (const { logicalId } of template.resourcesOf("AWS::IAM::Role")) {
    const name = template.physicalName(logicalId);
    const Arn = `arn:aws:iam::${template.place.accountId}:role/${name}`;
    template.provide(logicalId, { ref: name, attributes: { Arn } });
  }
}

/**
 * Reads the policies at the first request, when all resources that they name have a name.
 * @throws TemplateProblem, at the first request, for a policy that the local stage cannot evaluate
 */
export function permissionsOf(options: PermissionsOptions): Permissions {
  const { template, accessKeyPrefix, onRefused, keeps = () => true } = options;
  let read: ReadonlyMap<string, FunctionRole> | undefined;
  const roles = () => {
    read ??= rolesOf(template);
    return read;
  };
  const refusalOf = (functionId: string, request: AccessRequest): string | undefined => {
    const role = roles().get(functionId);
    if (!role) return undefined;
    const denial = keeps(functionId, request) ? denialOf(role.statements, request) : "implicit";
    if (!denial) return undefined;
    const sentence = sentenceOf(role.user, request, denial);
    onRefused(functionId, sentence);
    return sentence;
  };
  return {
    refusalOf,
    rights: () => [...roles()].flatMap(([functionId, { statements }]) => rightsIn(functionId, statements)),
    authorize: (accessKeyId, action, resource, context) =>
      accessKeyId.startsWith(accessKeyPrefix)
        ? refusalOf(accessKeyId.slice(accessKeyPrefix.length), { action, resource, ...(context && { context }) })
        : undefined,
  };
}

const rightsIn = (functionId: string, statements: readonly PolicyStatement[]): Right[] =>
  statements
    .filter(({ Effect }) => Effect === "Allow")
    .flatMap(({ Action, Resource }) =>
      [Resource].flat().flatMap((resource) => [Action].flat().map((action) => ({ functionId, action, resource }))),
    );

interface FunctionRole {
  /** ARN of the role's session, as AWS names the caller. */
  readonly user: string;
  readonly statements: readonly PolicyStatement[];
}

/** The role of each function by the function's logical id. */
function rolesOf(template: Template): ReadonlyMap<string, FunctionRole> {
  const policies = template.resourcesOf("AWS::IAM::Policy").map((policy) => policy.all());
  const statementsOf = new Map<string, readonly PolicyStatement[]>();
  for (const role of template.resourcesOf("AWS::IAM::Role")) {
    const { ManagedPolicyArns = [], Policies = [] } = role.all();
    if (ManagedPolicyArns.length > 0) {
      throw new TemplateProblem(`${role.logicalId}: the local stage does not know AWS's managed policies.`);
    }
    const name = template.physicalName(role.logicalId);
    const attached = policies.filter(({ Roles }) => Roles.includes(name));
    const statements = [...Policies, ...attached].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const problem = statements.map(statementProblem).find(Boolean);
    if (problem) throw new TemplateProblem(`${role.logicalId}: the local stage cannot evaluate ${problem}.`);
    statementsOf.set(`arn:aws:iam::${template.place.accountId}:role/${name}`, statements);
  }
  return new Map(
    template.resourcesOf("AWS::Lambda::Function").map((one) => {
      const role = one.get("Role");
      const session = `${role.split("/").at(-1)}/${template.physicalName(one.logicalId)}`;
      const user = `arn:aws:sts::${template.place.accountId}:assumed-role/${session}`;
      return [one.logicalId, { user, statements: statementsOf.get(role) ?? [] }] as const;
    }),
  );
}

/** The message of AWS's error (IAM user guide, "Troubleshoot access denied error messages"). */
function sentenceOf(user: string, { action, resource }: AccessRequest, denial: "implicit" | "explicit"): string {
  const reason =
    denial === "implicit"
      ? `because no identity-based policy allows the ${action} action`
      : "with an explicit deny in an identity-based policy";
  return `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}
