/** IAM, which an emulator may lack. */
import { fetched } from "./step-kit/api.ts";

/** The answer of MiniStack's own address. */
interface Health {
  readonly auth?: unknown;
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html */
const noRights = "MiniStack without AUTH=true refuses no function an action that its role does not allow.";

/**
 * @param endpoint of the stage's services; undefined: AWS's own
 * @returns why nothing can be said there of missing rights
 */
export async function rightsLacking(endpoint: string | undefined, stop: AbortSignal): Promise<string | undefined> {
  if (endpoint === undefined) return undefined;
  const { status, text } = await fetched(new URL("/_ministack/health", endpoint).href, stop);
  return status === 200 && (JSON.parse(text) as Health).auth !== "enabled" ? noRights : undefined;
}
