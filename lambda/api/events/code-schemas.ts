/** The schemas of an event's codes (`docs/contract.md`, "Codes"). */
import { codeAudiences, codeKinds } from "#domain/codes/code.ts";
import {
  changing,
  closed,
  described,
  EventId,
  IsoDate,
  IsoDateOrNull,
  Line,
  oneOf,
  optional,
  orNull,
  page,
  type Static,
  Type,
  times,
  Year,
} from "#kit/schema/schema.ts";

const id = described(
  Type.String({ pattern: "^[\\w-]{16}$" }),
  "The code's id, which leads to no code.",
  "o3J9bD0kR8sVx2Qw",
);
const uses = Type.Integer({ minimum: 1, maximum: 100_000 });
const howMany = ["How many registrations may use it at once.", 20] as const;
const note = Line(200);
const whom = ["Who gave it to whom. Executives see it.", "From the treasurer to the sponsors"] as const;
const kind = described(
  oneOf(codeKinds),
  "`discount`: another price. `access`: opens a hidden or members-only event. `partner`: the right to come as a partner, " +
    "which from then on needs one. The last two may have a price, too.",
);
const audience = described(oneOf(codeAudiences), "Who may use it. Absent: everybody.", "everybody");
const dollars = Type.Number({ minimum: 0, maximum: 100_000 });
const terms = {
  price: optional(dollars, "Dollars: the price of admission. 0: free.", 5),
  off: optional(dollars, "Dollars off the price, instead of `price`."),
  percentOff: optional(Type.Integer({ minimum: 1, maximum: 100 }), "Per cent off the price, instead of `price`."),
};
const from = "It is valid from then on.";
const until = "It is valid until then, or to the end of that day.";

export const NewCode = closed({
  code: optional(Line(60), "At least four characters besides spaces and hyphens. Absent: one is made.", "SPONSOR-2030"),
  kind,
  uses: described(uses, ...howMany),
  audience: Type.Optional(audience),
  ...terms,
  validFrom: optional(IsoDate, `ISO 8601. ${from}`, "2030-01-15"),
  validUntil: optional(IsoDate, `ISO 8601. ${until}`, "2030-02-15"),
  note: optional(note, ...whom),
});

export const CodeChanges = changing({
  uses: optional(uses, ...howMany),
  validFrom: optional(IsoDateOrNull, `ISO 8601. ${from}`, "2030-01-15"),
  validUntil: optional(IsoDateOrNull, `ISO 8601. ${until}`, "2030-02-15"),
  note: optional(orNull(note), ...whom),
});

const date = Type.String({ format: "date-time" });

export const Code = closed({
  id,
  code: described(Type.String(), "As it was given out. Case, spaces and hyphens do not count.", "SPONSOR-2030"),
  kind,
  uses: described(Type.Integer(), ...howMany),
  used: described(Type.Integer(), "How many use it now.", 3),
  audience,
  ...terms,
  validFrom: optional(date, from),
  validUntil: optional(date, until),
  note: optional(Type.String(), ...whom),
  createdBy: described(Type.String(), "Who made it.", "exec@club.example"),
  endedAt: optional(Type.Integer(), "When it was ended, in epoch milliseconds."),
  ...times,
});
export type Code = Static<typeof Code>;

export const codeParams = closed({ eventId: EventId, year: Year, codeId: id });
export const codesQuery = closed(page);

const price = (who: string) => optional(Type.Number(), `Dollars: what ${who} pay with it.`, 5);
/** What the event's answer says of the code that was asked for. */
export const AskedCode = described(
  closed({
    kind,
    audience,
    member: price("members"),
    nonMember: price("others"),
    partner: price("partners"),
  }),
  "The code of the query, which is valid.",
);
