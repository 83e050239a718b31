/** Documented behaviour of AWS that an emulator lacks. */
import { fetched } from "./api.ts";

interface Lack {
  /** The name of the report's line that means nothing without it. */
  readonly line: string;
  /** What is lacking, and how to get it. */
  readonly what: string;
  /** The documentation of the behaviour. */
  readonly source: string;
  readonly isLacking: (health: Health) => boolean;
}

/** The answer of MiniStack's own address. */
interface Health {
  readonly auth?: unknown;
}

/** The only list of these. */
const lacks: readonly Lack[] = [
  {
    line: "rights",
    what: "MiniStack without AUTH=true refuses no function an action that its role does not allow",
    source: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html",
    isLacking: ({ auth }) => auth !== "enabled",
  },
];

/** MiniStack's health; undefined at any other endpoint. */
async function healthAt(endpoint: string, stop: AbortSignal): Promise<Health | undefined> {
  const { status, text } = await fetched(new URL("/_ministack/health", endpoint).href, stop);
  return status === 200 ? (JSON.parse(text) as Health) : undefined;
}

/**
 * @param endpoint of the stage's services; undefined: AWS's own, which lacks nothing
 * @returns why a line of the report means nothing there
 */
export async function lackAt(
  endpoint: string | undefined,
  name: string,
  stop: AbortSignal,
): Promise<string | undefined> {
  const possible = lacks.filter(({ line }) => line === name);
  const health = endpoint === undefined || possible.length === 0 ? undefined : await healthAt(endpoint, stop);
  const found = health && possible.find(({ isLacking }) => isLacking(health));
  return found && `${found.what} (in AWS: ${found.source}).`;
}
