/** `npm run ops -- env`: the variables and functions of the shell with which docs/runbook.md begins. */
import { partitionOf } from "#outbox/stored-kinds.ts";
import type { Run } from "./run.ts";
import type { ExitCode } from "./terminal.ts";

/** A text as one word of the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const functions = `
resource() { aws cloudformation list-stack-resources --stack-name "$stack" --query "StackResourceSummaries[?ResourceType=='AWS::$1' && starts_with(LogicalResourceId, '\${2:-}')].PhysicalResourceId" --output text | xargs; }
mapping() { for one in $(resource Lambda::EventSourceMapping "$1"); do aws lambda update-event-source-mapping --uuid "$one" "$2"; done; }
call() { curl -s -w '\\n' "$api$1" -H "$admin" -H 'content-type: application/json' "\${@:2}"; }
changes() { for part in 0 1 2 3 4 5 6 7; do
  aws dynamodb query --table-name "$1" --key-condition-expression "PK = :hour" --expression-attribute-values "{\\":hour\\":{\\"S\\":\\"${partitionOf("outbox row", { hour: "$2", shard: "$part" })}\\"}}" \\
    --query "Items[].[detail.M.metadata.M.occurredAt.S,detailType.S,detail.M.metadata.M.actor.S,detail.M.data.M.email.S,detail.M.data.M.eventID.S]" --output text
done | sort; }`;

export async function shell({ target, terminal, flags }: Run): Promise<ExitCode> {
  const { isLaptop, region, stackName, text } = target;
  const file = String(flags["stage-outputs"]);
  const exported = isLaptop
    ? {
        AWS_ACCESS_KEY_ID: "LOCALTools",
        AWS_SECRET_ACCESS_KEY: "local",
        AWS_ENDPOINT_URL_DYNAMODB: text("dynamodbUrl"),
        AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: text("identityUrl"),
      }
    : {};
  for (const [name, value] of Object.entries({ AWS_REGION: region, AWS_DEFAULT_REGION: region, ...exported })) {
    terminal.print(`export ${name}=${quoted(value)}`);
  }
  const own = isLaptop
    ? { stack: stackName, api: text("apiUrl"), table: text("tableName"), pool: text("userPoolId") }
    : { stack: stackName, api: text("ApiUrl"), table: text("TableName"), pool: text("UserPoolId") };
  for (const [name, value] of Object.entries(own)) terminal.print(`${name}=${quoted(value)}`);
  // In AWS no password is known here: the runbook says where the token is.
  if (isLaptop) terminal.print('admin="authorization: Bearer $(npm run -s token -- exec@club.example)"');
  terminal.print(`ops() { npm run -s ops -- "$@" --stage-outputs ${quoted(file)}; }`);
  terminal.print(functions.trim());
  return 0;
}
