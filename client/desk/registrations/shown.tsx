/** How registrations are read and shown on more than one page. */
import { useState } from "preact/hooks";
import { Focused, useLoaded } from "../../shared/parts.tsx";
import type { Registration } from "../../shared/types.ts";
import { personDesk } from "../addresses.ts";
import { readAll } from "../calls.ts";
import type { DeskEvent } from "../event-frame.tsx";
import { Asking, count, moment, money, Tag } from "../parts.tsx";
import { type MoveName, mayMove, moveNames, moves, seatsText, stateOf, states } from "./moves.ts";
import { nameOf, type Result } from "./people.ts";
import { moveMany } from "./send.ts";

export const rowsOf = ({ data }: { readonly data: readonly Registration[] }) => data;

/** A list of registrations, whose rows are there as they come. */
export function useRows(query: Readonly<Record<string, string | number | boolean>>) {
  const [soFar, setSoFar] = useState<readonly Registration[]>([]);
  const list = useLoaded(() => readAll("/registrations", query, rowsOf, setSoFar), Object.values(query));
  return { list, rows: list.value ?? soFar };
}

/** What is owed, has gone back, or is to be paid. */
export function moneyText({ owes, refunded, registrationStatus, holdExpiresAt }: Registration): string {
  if (owes) return `Owes ${money(owes)}`;
  const isUnpaid = registrationStatus === "incomplete" || registrationStatus === "acceptedPending";
  return refunded ? "Refunded" : isUnpaid ? `To pay by ${moment(holdExpiresAt)}` : "";
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
    setDone([`${results.length - not.length} ${moves[name].done}${not.length > 0 ? `, ${not.length} not` : ""}.`, not]);
  };
  return (
    <>
      {done && <Focused text={said} />}
      <ul>
        {failed.slice(0, mostListed).map(({ email, message }) => (
          <li key={email}>
            <a href={personDesk(event, email)}>{email}</a>: {message}
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
