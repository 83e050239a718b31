/** Moves registrations: one of them, or many in batches with a result for each. */
import { refusalText } from "../../shared/refusals.ts";
import type { EventWithCounts, Registration } from "../../shared/types.ts";
import { change } from "../calls.ts";
import { instead, type MoveName, type Stated, type Status, wantedBy } from "./moves.ts";
import { batchesOf, type Result } from "./people.ts";

/** The API takes 500 rows. Fewer show earlier how far it is. */
const batchSize = 100;

/** A registration as it was seen. */
type Seen = Stated & Pick<Registration, "email">;

interface Row extends Pick<Registration, "email"> {
  readonly seenStatus: Status;
  readonly registrationStatus?: Status;
}

/** Changes a registration as it was seen. @throws as `change` */
export const changeOne = ({ id, year }: EventWithCounts, row: Seen, changes: object): Promise<unknown> => {
  const body = { eventID: id, year, seenStatus: row.registrationStatus, ...changes };
  return change("PUT", `/registrations/${encodeURIComponent(row.email)}/-`, body);
};

/**
 * Moves registrations as they were seen. Rows of a batch that fails as a whole, and all behind it, have its sentence.
 * @param progress is told how far it is: `100 of 2,000`
 */
export async function moveMany(
  { id, year, pricing }: EventWithCounts,
  wanted: readonly (readonly [Seen, MoveName])[],
  progress: (text: string) => void,
): Promise<readonly Result[]> {
  const key = { eventID: id, year };
  const isDeletion = wanted[0]?.[1] === "delete";
  const send = async (updates: readonly Row[]): Promise<{ readonly results: readonly Result[] }> => {
    const [{ email, seenStatus } = {} as Row, ...more] = updates;
    if (!isDeletion) return change("PUT", "/registrations/massUpdate", { ...key, updates });
    // Many are deleted as they are: only for one the API looks at what was seen.
    if (more.length > 0) return change("DELETE", "/registrations", { ...key, ids: updates.map((row) => row.email) });
    await change("DELETE", `/registrations/${encodeURIComponent(email)}`, { ...key, seenStatus });
    return { results: [{ email, success: true }] };
  };
  const sent = async (rows: readonly Row[]) => {
    const results: Result[] = [];
    for (const batch of batchesOf(rows, batchSize)) {
      progress(`${results.length.toLocaleString("en-US")} of ${rows.length.toLocaleString("en-US")}`);
      const failed = (problem: unknown) => {
        const message = refusalText(problem);
        return { results: rows.slice(results.length).map(({ email }) => ({ email, success: false, message })) };
      };
      results.push(...(await send(batch).catch(failed)).results);
      if (results.length === rows.length) break;
    }
    return results;
  };
  const rows = wanted.map(([row, name]): Row => {
    const { email, registrationStatus: seenStatus } = row;
    return { email, seenStatus, ...wantedBy(name, row, pricing) };
  });
  const results = await sent(rows);
  const others = rows.flatMap((row, index) => {
    const registrationStatus = instead(row.registrationStatus, results[index]?.message);
    return registrationStatus ? [{ ...row, registrationStatus }] : [];
  });
  const second = new Map((await sent(others)).map((result) => [result.email, result]));
  progress("");
  return results.map((result) => second.get(result.email) ?? result);
}
