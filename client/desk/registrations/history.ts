/** The history of a registration in sentences. Pure. */
import type { components } from "../../paths.ts";
import { labelOf } from "../schema.ts";
import { type State, states } from "./moves.ts";

export type AuditEntry = components["schemas"]["Audit"]["data"][number];

const actors: Readonly<Record<string, string>> = {
  ...{ system: "The service", link: "The person, by the link of a mail", operator: "The operator" },
};
const actorText = (actor: string): string =>
  actor.startsWith("device") ? "A phone at the door" : (actors[actor] ?? actor);

/** What the service keeps for itself. */
const own = new Set(["cameFrom", "queueKey", "ticketId", "generation", "pool", "entryPrice"]);
const labels: Readonly<Record<string, string>> = {
  ...{ basicInformation: "About the person", dynamicResponses: "Answers", isPartner: "Partner" },
  ...{ checkedInAt: "Checked in", holdExpiresAt: "Held until", coming: "Said that they come" },
};

/** How values are shown. */
type Shown = Readonly<Record<"moment" | "money", (value: number) => string>>;

function valueText(field: string, value: unknown, { moment, money }: Shown): string {
  if (value === undefined || value === null) return "nothing";
  if (field === "status") return states[value as State]?.[0] ?? String(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && /At$|^coming$/.test(field)) return moment(value);
  if (typeof value === "number" && /^(owes|amount)$/.test(field)) return money(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** `exec@…: Registration checked in. Status: Registered → Checked in`. Fields whose values are not noted are named only. */
export function entryText({ actor, action, changes = [], reason }: AuditEntry, shown: Shown): string {
  const changed = changes
    .filter(({ field }) => !own.has(field))
    .map(({ field, before, after }) => {
      const values = [before, after].map((value) => valueText(field, value, shown)).join(" → ");
      return `${labels[field] ?? labelOf(field)}${before === undefined && after === undefined ? "" : `: ${values}`}`;
    });
  const what = labelOf(action.replace(".", " "));
  return `${actorText(actor)}: ${what}${reason ? ` (${reason})` : ""}. ${changed.join(" · ")}`;
}
