/** Describes why a command cannot continue. */
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { failure } from "../kit/failures.ts";
import type { Target } from "./target.ts";

const rights = 'docs/runbook.md, "Operate: npm run ops"';

const nameOf = (error: unknown): string => (error as { name?: string } | undefined)?.name ?? "";

/** The AWS client's error, which the stores wrap. */
function root(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause;
}

/** Describes the account of the credentials. */
async function account(region: string): Promise<string> {
  try {
    const { Account } = await new STSClient({ region, maxAttempts: 1 }).send(new GetCallerIdentityCommand({}));
    return `account ${Account}`;
  } catch {
    return "the account of these credentials";
  }
}

const denied = /^AccessDenied/;
/** Errors of the client, of the socket, and of a stage that does not respond. */
const ofCalls = /Provider|Token|Signature|Client|Timeout|Throttl|Exception$|^ECONN|^ENOTFOUND|^EAI|^EHOST|^ENET/;

/** @returns undefined for an error of the command itself */
export async function whyNot(
  error: unknown,
  { environment, region, isLaptop, name }: Target,
): Promise<{ readonly says: string; readonly isWrongTarget: boolean } | undefined> {
  const cause = root(error);
  const code = String((cause as { code?: unknown } | undefined)?.code ?? "");
  const what = nameOf(cause);
  if (isLaptop && /^ECONN/.test(code)) {
    return {
      says: `Nothing answers at ${name}: the local stage is not running; start it with npm start.`,
      isWrongTarget: true,
    };
  }
  if (what === "ResourceNotFoundException") {
    const where = isLaptop ? name : `${region} of ${await account(region)}`;
    const says = `There is no table ${environment.TABLE_NAME} in ${where}: check AWS_PROFILE, and whether the outputs file is that of the present stage.`;
    return { says, isWrongTarget: true };
  }
  if (denied.test(what)) {
    const [message] = (cause as Error).message.split("\n");
    return { says: `These credentials lack a permission (${rights}): ${message}`, isWrongTarget: true };
  }
  if (!ofCalls.test(what) && !ofCalls.test(code)) return undefined;
  const { text, fix } = failure(cause, region, rights);
  const isWrongTarget = /Provider|Token|Signature|UnrecognizedClient/.test(what);
  return { says: `${text[0]?.toUpperCase()}${text.slice(1)} Fix: ${fix}`, isWrongTarget };
}
