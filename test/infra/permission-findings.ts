/** What is wrong with the permissions in a template, and what each function is allowed. */
import { ofType, type StageTemplate, textOf } from "./stage-templates.ts";

interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Action?: string | readonly string[];
  readonly Resource?: unknown;
  readonly NotAction?: unknown;
  readonly NotResource?: unknown;
  readonly Principal?: unknown;
  readonly Condition?: unknown;
}

const list = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

/** Lambda lists the streams of a table, and asks for the right to all of them. */
const tableStreams = /^\$\{Table[0-9A-F]{8}\.Arn\}\/stream\/\*$/;
const hasSender = ({ Condition }: Statement): boolean => JSON.stringify(Condition ?? {}).includes('"ses:FromAddress"');
const publicImages = /^\$\{Images[0-9A-F]{8}\.Arn\}\/event-thumbnails\/\*$/;

/** Every policy of the template: of roles, of the bucket, of queues. */
function statements(template: StageTemplate): [string, Statement][] {
  return Object.entries(template.Resources).flatMap(([id, { Type, Properties = {} }]) => {
    const documents =
      Type === "AWS::IAM::Role"
        ? list(Properties.Policies).map((policy) => (policy as { PolicyDocument: unknown }).PolicyDocument)
        : list(Properties.PolicyDocument);
    return documents.flatMap((document) =>
      list((document as { Statement: unknown }).Statement).map((statement): [string, Statement] => [
        id,
        statement as Statement,
      ]),
    );
  });
}

/** What cdk-nag (`nag.suite.ts`) does not look at: scans, the public, and who may invoke a function. */
export function permissionFindings(template: StageTemplate): string[] {
  const findings: string[] = [];
  for (const [id, statement] of statements(template)) {
    if (statement.Effect === "Deny") continue;
    if (statement.NotAction ?? statement.NotResource) findings.push(`${id}: allows everything but something`);
    for (const action of list(statement.Action).map(textOf)) {
      if (/^dynamodb:(Scan|PartiQL)/i.test(action)) findings.push(`${id}: ${action}`);
    }
    for (const resource of list(statement.Resource).map(textOf)) {
      // In its sandbox SES asks for a right on each recipient's identity. The sender is a condition.
      const isAnySender = /:ses:.*:identity\/\*$/.test(resource) && !hasSender(statement);
      if (isAnySender) findings.push(`${id}: mails from any sender`);
    }
    if (JSON.stringify(statement.Principal ?? "").includes('"*"') && !isPublicRead(statement)) {
      findings.push(`${id}: open to everybody`);
    }
  }
  for (const [id, { Properties }] of ofType(template, "AWS::Lambda::Permission")) {
    if (Properties.Principal === "*" || Properties.SourceArn === undefined) findings.push(`${id}: anybody may invoke`);
  }
  return findings;
}

/** The one thing that everybody may do: read a banner. */
const isPublicRead = ({ Action, Resource }: Statement): boolean =>
  list(Action).join() === "s3:GetObject" && list(Resource).every((resource) => publicImages.test(textOf(resource)));

/** What a function is allowed: action, resource and condition of every statement. */
function allowed(template: StageTemplate, functionId: string): { action: string; resource: string; rest: string }[] {
  const role = template.Resources[functionId]?.Properties.Role["Fn::GetAtt"][0];
  const policies = new Set(
    ofType(template, "AWS::IAM::Policy")
      .filter(([, { Properties }]) => Properties.Roles.some((attached: { Ref: string }) => attached.Ref === role))
      .map(([id]) => id),
  );
  return statements(template)
    .filter(([id, { Effect }]) => policies.has(id) && Effect === "Allow")
    .flatMap(([, { Action, Resource, Condition }]) =>
      list(Resource)
        .map(textOf)
        .flatMap((resource) =>
          list(Action)
            .map(textOf)
            .map((action) => ({ action, resource, rest: Condition ? ` if ${JSON.stringify(Condition)}` : "" })),
        ),
    );
}

/** The actions that a function has on resources of one type, by that resource: `Query /index/GSI1`. */
export function actionsOn(template: StageTemplate, functionId: string, type: string): string[] {
  const targets = ofType(template, type).map(([id]) => `\${${id}.Arn}`);
  return allowed(template, functionId)
    .flatMap(({ action, resource }) => {
      const target = targets.find((arn) => resource.startsWith(arn));
      return target === undefined || tableStreams.test(resource)
        ? []
        : [`${action.split(":")[1]} ${resource.slice(target.length)}`.trim()];
    })
    .sort();
}
