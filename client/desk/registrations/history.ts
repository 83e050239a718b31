/** The history of a registration in sentences. Pure. */
import type { components } from "../../paths.ts";
import { labelOf } from "../schema.ts";
import { type State, states } from "./moves.ts";

export type AuditEntry = components["schemas"]["Audit"]["data"][number];

const actions: Readonly<Record<string, string>> = {
  "registration.registered": "registered, or confirmed the seat",
  "registration.waitlisted": "put the registration in line",
  "registration.promoted": "gave a seat from the line",
  "registration.incomplete": "held a seat until it is paid",
  "registration.applied": "sent the application",
  "registration.accepted": "accepted the application",
  "registration.acceptedPending": "accepted the application, to be paid",
  "registration.acceptedComplete": "confirmed the accepted seat",
  "registration.rejected": "rejected the application",
  "registration.checkedIn": "checked the person in",
  "registration.cancelled": "cancelled the registration",
  "registration.deleted": "deleted the registration",
  "registration.updated": "changed the registration",
  "payment.completed": "received a payment",
  "payment.taken": "entered a payment by hand",
  "payment.reversed": "took a payment by hand back",
  "payment.decided": "decided about a refund",
  "payment.refundRequired": "noted that money has to go back",
  "payment.refundStarted": "sent a refund",
  "payment.refundFailed": "noted that a refund failed",
};

/** `registration.updated` without a sentence of its own: `registration: updated`. */
const actionText = (action: string): string => actions[action] ?? labelOf(action.replace(".", ": ")).toLowerCase();

const actors: Readonly<Record<string, string>> = {
  system: "The service",
  link: "The person, by the link of a mail,",
  operator: "The operator",
};

function actorText(actor: string, email: string): string {
  if (actor === email) return `The person (${actor})`;
  return actor.startsWith("device") ? "A phone at the door" : (actors[actor] ?? actor);
}

/** What the service keeps for itself. */
const own = new Set(["cameFrom", "queueKey", "ticketId", "generation", "pool", "entryPrice"]);
const labels: Readonly<Record<string, string>> = {
  ...{ basicInformation: "About the person", dynamicResponses: "Answers", isPartner: "Partner", owes: "Owes" },
  ...{ checkedInAt: "Checked in", holdExpiresAt: "Held until", coming: "Said that they come" },
};

/** How values are shown. */
export interface Shown {
  moment(at: number): string;
  money(cents: number): string;
}

function valueText(field: string, value: unknown, { moment, money }: Shown): string {
  if (value === undefined || value === null) return "nothing";
  if (field === "status") return states[value as State]?.words ?? String(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && (/At$/.test(field) || field === "coming")) return moment(value);
  if (typeof value === "number" && /^(owes|amount|paid)$/.test(field)) return money(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What was done, and `Points: 3 → 5` for each field; its name alone where the values are not noted. */
export function entryText({ actor, action, changes = [], reason }: AuditEntry, email: string, shown: Shown) {
  const changed = changes
    .filter(({ field }) => !own.has(field))
    .map(({ field, before, after }) => {
      const label = labels[field] ?? labelOf(field);
      const isNoted = before !== undefined || after !== undefined;
      return isNoted ? `${label}: ${valueText(field, before, shown)} → ${valueText(field, after, shown)}` : label;
    });
  return {
    sentence: `${actorText(actor, email)} ${actionText(action)}${reason ? `: ${reason}` : ""}.`,
    changed,
  };
}
