/** What a table's rows ask of the API, as an executive. */
import type { Answer, Carrying } from "../../people/carry-out.ts";
import type { Purpose, TableEvent } from "../../people/fields.ts";
import { listsFor, type Present } from "../../people/outlook.ts";
import { fetched } from "../../shared/api.ts";
import { Refused } from "../../shared/call.ts";
import { readAll } from "../calls.ts";

/** Everything that is there already. @throws as `fetched` */
export async function readPresent(
  purpose: Purpose,
  event: TableEvent | undefined,
  progress: (rows: number) => unknown,
): Promise<Present> {
  const present: Record<string, readonly unknown[]> = {};
  for (const [name, path, query] of listsFor(purpose, event))
    present[name] = await readAll(path, query as Parameters<typeof readAll>[1], progress);
  return present as Present;
}

export const sendStep: Carrying["send"] = async ({ method, path, body }, key): Promise<Answer> => {
  try {
    const response = await fetched(path, { method, body, signed: true, ...(key !== undefined && { key }) });
    return { status: response.status, body: await response.json() };
  } catch (problem) {
    // Whatever is no answer is asked again.
    if (!(problem instanceof Refused)) return { status: 0 };
    const { status, message, code, issues, retryAfter } = problem;
    return { status, body: { message, code, issues }, retryAfter: retryAfter || undefined };
  }
};
