/** Moves registrations: one of them, or many in batches with a result for each. */
import { Refused } from "../../shared/call.ts";
import { refusalText } from "../../shared/refusals.ts";
import type { EventWithCounts, Registration } from "../../shared/types.ts";
import { change } from "../calls.ts";
import { instead, type MoveName, type Status, wantedBy, wordsOf } from "./moves.ts";
import { batchesOf, type Result } from "./people.ts";

/** The API takes 500 rows. Fewer show earlier how far it is. */
const batchSize = 100;

/** @param done of `all` rows have their result */
export type Progress = (done: number, all: number) => void;

interface Row {
  readonly email: string;
  readonly seenStatus?: Status;
  readonly registrationStatus?: Status;
}

const named = ({ id, year }: EventWithCounts) => ({ eventID: id, year });

/** Sends rows in batches. Those of a batch that fails as a whole, and all behind it, have its sentence. */
async function sent(
  rows: readonly Row[],
  send: (batch: readonly Row[]) => Promise<readonly Result[]>,
  progress: Progress,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const batch of batchesOf(rows, batchSize)) {
    progress(results.length, rows.length);
    try {
      results.push(...(await send(batch)));
    } catch (problem) {
      const message = refusalText(problem);
      return [...results, ...rows.slice(results.length).map(({ email }) => ({ email, success: false, message }))];
    }
  }
  return results;
}

interface Answer {
  readonly results: readonly Result[];
}

/** What is asked for each registration. */
export interface Wanted {
  readonly row: Pick<Registration, "email" | "registrationStatus" | "applicationStatus">;
  readonly name: MoveName;
}

/** Moves registrations as they were seen. @returns what came of each */
export async function moveMany(event: EventWithCounts, wanted: readonly Wanted[], progress: Progress) {
  const update = async (updates: readonly Row[]) =>
    (await change<Answer>("PUT", "/registrations/massUpdate", { ...named(event), updates })).results;
  const remove = async (batch: readonly Row[]) =>
    (await change<Answer>("DELETE", "/registrations", { ...named(event), ids: batch.map(({ email }) => email) }))
      .results;
  if (wanted[0]?.name === "delete")
    return sent(
      wanted.map(({ row: { email } }) => ({ email })),
      remove,
      progress,
    );
  const rows = wanted.flatMap(({ row, name }) =>
    name === "delete"
      ? []
      : [{ email: row.email, seenStatus: row.registrationStatus, ...wantedBy(name, row, event) } as Row],
  );
  const results = await sent(rows, update, progress);
  const others = rows.flatMap((row, index) => {
    const other = instead(row, results[index]?.message);
    return other ? [{ ...row, ...other }] : [];
  });
  const second = new Map((await sent(others, update, progress)).map((result) => [result.email, result]));
  return results.map((result) => second.get(result.email) ?? result);
}

/** Changes a registration as it was seen. @throws as `change`; what it is meanwhile is said in words */
export async function changeOne<T>(
  event: EventWithCounts,
  row: Registration,
  changes: object,
  method: "PUT" | "DELETE" = "PUT",
): Promise<T> {
  const path = `/registrations/${encodeURIComponent(row.email)}${method === "PUT" ? "/-" : ""}`;
  try {
    return await change<T>(method, path, { ...named(event), seenStatus: row.registrationStatus, ...changes });
  } catch (problem) {
    if (!(problem instanceof Refused && problem.code === "STATUS_CHANGED" && problem.registration)) throw problem;
    const message = `Nothing was changed, because it is not as you saw it: it is “${wordsOf(problem.registration as Registration)}” now.`;
    throw new Refused(problem.status, { message, code: problem.code });
  }
}

/** Moves one registration as it was seen. @throws as `changeOne` */
export async function moveOne(event: EventWithCounts, row: Registration, name: MoveName): Promise<unknown> {
  if (name === "delete") return changeOne(event, row, {}, "DELETE");
  const wanted = wantedBy(name, row, event);
  try {
    return await changeOne(event, row, wanted);
  } catch (problem) {
    const other = problem instanceof Refused && instead(wanted, problem.message);
    if (!other) throw problem;
    return changeOne(event, row, other);
  }
}
