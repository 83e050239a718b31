/** How a registration is shown on more than one page. */
import type { Registration } from "../../shared/types.ts";
import { moment, money, Tag } from "../parts.tsx";
import { stateOf, states } from "./moves.ts";

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
