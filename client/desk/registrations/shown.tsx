/** How a registration is shown on more than one page. */
import { Focused } from "../../shared/parts.tsx";
import type { Registration } from "../../shared/types.ts";
import { type EventKey, personDesk } from "../addresses.ts";
import { moment, money, Tag } from "../parts.tsx";
import { stateOf, states } from "./moves.ts";
import type { Result } from "./people.ts";

/** What is owed, has gone back, or is to be paid. */
export function moneyText({ owes, refunded, registrationStatus, holdExpiresAt }: Registration): string {
  if (owes) return `Owes ${money(owes)}`;
  if (refunded) return "Refunded";
  const isUnpaid = registrationStatus === "incomplete" || registrationStatus === "acceptedPending";
  return isUnpaid ? `To pay${holdExpiresAt ? ` by ${moment(holdExpiresAt)}` : ""}` : "";
}

/** How often the person came before; empty when the list was not asked for it. */
export function attendanceText({ attendance }: Registration): string {
  if (!attendance) return "";
  const { events, came } = attendance;
  return events === 0 ? "No seat at an earlier event" : `Came to ${came} of the last ${events} with a seat`;
}

/** The status in words. */
export const StateTag = ({ row }: { readonly row: Registration }) => {
  const { words, kind } = states[stateOf(row)];
  return <Tag text={words} kind={kind} />;
};

export const rowsOf = ({ data }: { readonly data: readonly Registration[] }) => data;

/** Most failed rows that are listed. */
const mostListed = 50;

export interface Done {
  readonly text: string;
  readonly failed: readonly Result[];
}

/** What came of a move of many. */
export function Outcome({ event, done: { text, failed } }: { readonly event: EventKey; readonly done: Done }) {
  return (
    <section class="notice">
      <Focused text={text} />
      <ul>
        {failed.slice(0, mostListed).map(({ email, message }) => (
          <li key={email}>
            <a href={personDesk(event, email)}>{email}</a>: {message}
          </li>
        ))}
      </ul>
      {failed.length > mostListed && <p>And {failed.length - mostListed} more, which stay chosen.</p>}
    </section>
  );
}
