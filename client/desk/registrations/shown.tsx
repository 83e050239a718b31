/** How registrations are read, shown and moved on more than one page. */
import { useState } from "preact/hooks";
import { Focused } from "../../shared/parts.tsx";
import { refusalText } from "../../shared/refusals.ts";
import type { EventWithCounts, Registration } from "../../shared/types.ts";
import { personDesk } from "../addresses.ts";
import { change } from "../calls.ts";
import { Asking, count, type DeskEvent, moment, money, Tag } from "../parts.tsx";
import type { MoveName, Stated, Status } from "./moves.ts";
import {
  depositText,
  instead,
  inWords,
  mayMove,
  moveNames,
  moves,
  seatsText,
  stateOf,
  states,
  wantedBy,
} from "./moves.ts";
import { batchesOf, nameOf, type Result } from "./people.ts";

/** What is owed, has gone back, or is to be paid. */
export function moneyText(row: Registration): string {
  const { owes, refunded, registrationStatus, holdExpiresAt } = row;
  if (owes) return `Owes ${money(owes)}`;
  const isUnpaid = registrationStatus === "incomplete" || registrationStatus === "acceptedPending";
  return refunded ? "Refunded" : isUnpaid ? `To pay by ${moment(holdExpiresAt)}` : depositText(row);
}

/** How often the person came before; empty when the list was not asked for it. */
export function attendanceText({ attendance }: Registration): string {
  if (!attendance) return "";
  const { events, came } = attendance;
  return events === 0 ? "No seat at an earlier event" : `Came to ${came} of the last ${events} with a seat`;
}

/** The status in words. */
export const StateTag = ({ row }: { readonly row: Registration }) => {
  const [text, kind] = states[stateOf(row)];
  return <Tag {...{ text, kind }} />;
};

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

/** Most failed rows that are listed. */
const mostListed = 50;

interface MovesProps {
  readonly event: DeskEvent;
  readonly rows: readonly Registration[];
  /** Shows how it is then. */
  after(name: MoveName, failed: readonly Result[]): Promise<unknown>;
}

/** What can be made of registrations: who is changed, who gets a mail, whether the seats suffice, and what came of it. */
export function Moves({ event, rows, after }: MovesProps) {
  const [progress, setProgress] = useState("");
  const [done, setDone] = useState<readonly [text: string, failed: readonly Result[]]>();
  const [said = "", failed = []] = done ?? [];
  const move = async (name: MoveName, of: readonly Registration[]) => {
    const wanted = of.map((row) => [row, name] as const);
    const results = await moveMany(event, wanted, setProgress);
    const not = results.filter(({ success }) => !success);
    await after(name, not);
    const text = `${results.length - not.length} ${moves[name].done}${not.length > 0 ? `, ${not.length} not` : ""}.`;
    // It gets the focus, once the question has closed.
    setTimeout(() => setDone([text, not]), 100);
  };
  return (
    <>
      {done && <Focused text={said} />}
      <ul>
        {failed.slice(0, mostListed).map(({ email, message = "" }) => (
          <li key={email}>
            <a href={personDesk(event, email)}>{email}</a>: {inWords(message)}
          </li>
        ))}
        {failed.length > mostListed && <li>And {failed.length - mostListed} more, which stay chosen.</li>}
      </ul>
      <div class="buttons">
        {moveNames.map((name) => {
          const of = rows.filter((row) => mayMove(name, row, event.isApplicationBased));
          const { text, mails, takesSeat, says } = moves[name];
          const [one, ...more] = of;
          const who = one && more.length === 0 ? nameOf(one) : count(of.length, "person", "people");
          const button = rows.length > 1 ? `${text} (${of.length})` : text;
          return !one ? null : (
            <Asking key={name} {...{ text: button, title: `${text}: ${who}?`, sure: text, act: () => move(name, of) }}>
              {rows.length > of.length && <p>It is not possible for {rows.length - of.length} of those chosen.</p>}
              {takesSeat && <p>{seatsText(event, of)}</p>}
              <p>
                {mails ? `A mail goes to ${who}.` : "No mail goes out."} {says}
              </p>
              <p role="status">{progress}</p>
            </Asking>
          );
        })}
      </div>
    </>
  );
}
