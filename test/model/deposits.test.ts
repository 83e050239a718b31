/** A deposit goes back once to who comes, in every order of events (`docs/contract.md`, "Deposits"), and each rule with its mutant. */
import "../unit/environment.ts";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { draw, runs } from "../seeds.ts";
import { chance } from "./chance.ts";
import { DepositsWorld, type Happening, openProduct, type Product, people, type Sabotage } from "./deposits-world.ts";
import type { Item } from "./expression.ts";
import { type Write, writesOf } from "./table.ts";
import { type Call, traceOf } from "./world.ts";

let product: Product;
beforeAll(async () => {
  product = await openProduct();
});

const weights: Readonly<Record<Happening["act"], number>> = {
  ...{ join: 8, pay: 12, cash: 4, checkIn: 8, list: 3, scan: 8, undo: 8, undoScan: 4, cancel: 4, cancelByAdmin: 2 },
  ...{ toggle: 2, refund: 2, give: 2, message: 16, told: 6 },
};
const happening: fc.Arbitrary<Happening> = fc.record({
  act: fc.oneof(
    ...Object.entries(weights).map(([act, weight]) => ({ weight, arbitrary: fc.constant(act as Happening["act"]) })),
  ),
  who: fc.constantFrom(...people),
  which: fc.nat(99),
});

interface Story {
  readonly groups: readonly (readonly Happening[])[];
  readonly isCalledOff: boolean;
  readonly isCalm?: boolean;
  readonly drawn: typeof chance extends fc.Arbitrary<infer T> ? T : never;
}
const story: fc.Arbitrary<Story> = fc.record({
  groups: fc.array(fc.array(happening, { minLength: 1, maxLength: 3 }), { minLength: 8, maxLength: 30, size: "max" }),
  isCalledOff: fc.boolean(),
  drawn: chance,
});

async function play({ groups, isCalledOff, isCalm, drawn }: Story, sabotage: Sabotage = {}) {
  const world = new DepositsWorld(product, drawn, sabotage);
  await world.open();
  for (const group of groups) await world.together(group, isCalm ? () => "fine" : undefined);
  await world.quieten();
  if (isCalledOff) await world.callOff();
  await world.quieten();
  return { violations: world.judge(), seen: world.seen };
}

test("a deposit goes back once to who has come, and otherwise money goes by the rules for leaving", async () => {
  const all = { came: 0, returned: 0, ended: 0, failed: 0, byHand: 0 };
  const few = 60;
  await fc.assert(
    fc.asyncProperty(story, async (one) => {
      const { violations, seen } = await play(one);
      for (const name of Object.keys(all) as (keyof typeof all)[]) all[name] += seen[name];
      expect(violations.length === 0 ? [] : [...violations, ...traceOf()]).toEqual([]);
    }),
    { numRuns: runs({ few, many: 2_000 }), endOnFailure: true },
  );
  // Stories without arrivals would prove nothing.
  expect(all.returned).toBeGreaterThan(few / 12);
  const { came, ended, failed, byHand } = all;
  for (const count of [came, ended, failed + byHand]) expect(count).toBeGreaterThan(0);
});

const isRegistration = ({ Key, Item }: Write): boolean => String((Key ?? Item)?.SK).startsWith("REG#");
const formOf = (item: Item) => JSON.parse(String(item.form ?? "{}"));
const withForm = (item: Item, change: (form: Record<string, unknown>) => object): Item => ({
  ...item,
  form: JSON.stringify(change(formOf(item))),
});

/** Changes the registrations that are written. */
const written = (change: (write: Write) => void): Sabotage => ({
  mutate: ({ command }) => writesOf(command).filter(isRegistration).forEach(change),
});
/** Changes items in answers to some actors. */
const seenBy = (actors: RegExp, change: (item: Item) => Item): Sabotage => ({
  disguise: ({ actor }: Call, answer: object) => {
    if (!actors.test(actor)) return answer;
    const { Item, Responses } = answer as { Item?: Item; Responses?: Record<string, Item[]> };
    const all = Responses && Object.entries(Responses).map(([table, items]) => [table, items.map(change)]);
    return { ...answer, ...(Item && { Item: change(Item) }), ...(all && { Responses: Object.fromEntries(all) }) };
  },
});
const ofRegistration = (change: (item: Item) => Item) => (item: Item) =>
  String(item.SK).startsWith("REG#") ? change(item) : item;
const isReturned = (deposit: unknown): boolean => !["agreed", "held", undefined].includes(deposit as undefined);
const asHeld = ({ deposit, ...form }: Record<string, unknown>) => ({
  ...form,
  ...(deposit !== undefined && { deposit: isReturned(deposit) ? "held" : deposit }),
});

const a = (...all: Happening["act"][]): Happening[] => all.map((act) => ({ act, who: "a", which: 60 }));
const each = (...all: Happening["act"][]): Happening[][] => a(...all).map((one) => [one]);
const paid = each("join", "pay");

const mutants: readonly (readonly [
  name: string,
  found: string,
  sabotage: Sabotage,
  groups: readonly (readonly Happening[])[],
])[] = [
  [
    "the mark is not stored with the check-in",
    "REQUIRED_TWICE",
    written((write) => {
      if (write.Item) Object.assign(write.Item, withForm(write.Item as Item, asHeld));
    }),
    [...paid, ...each("checkIn", "undo", "checkIn")],
  ],
  [
    "the refund is required after the check-in, and the process dies between",
    "LOST",
    {
      mutate: ({ command }) => {
        if (!(command instanceof TransactWriteCommand)) return;
        command.input.TransactItems = command.input.TransactItems?.filter(
          ({ Put }) => !JSON.stringify(Put?.Item ?? {}).includes('"reason":"checked in"'),
        );
      },
    },
    [...paid, ...each("scan")],
  ],
  [
    "a check-in does not ask for the registration that was read",
    "REQUIRED_TWICE",
    written((write) => {
      Object.assign(write, { ConditionExpression: undefined, ExpressionAttributeValues: undefined });
    }),
    [...paid, a("checkIn", "scan")],
  ],
  [
    "leaving does not see that the deposit has gone back",
    "REQUIRED_TWICE",
    seenBy(
      /cancel/i,
      ofRegistration((item) => withForm(item, asHeld)),
    ),
    [...paid, ...each("checkIn", "undo", "cancel")],
  ],
  [
    "the event counts as it is now, not as it was at registration",
    "LOST",
    seenBy(
      /checkIn/,
      ofRegistration((item) => withForm(item, ({ deposit: _, ...form }) => form)),
    ),
    [...paid, [{ act: "toggle", who: "a", which: 60 }], ...each("checkIn")],
  ],
  [
    "deposits count for the third refund",
    "THIRD",
    seenBy(/consumer|message/, (item) => {
      if (item.SK !== "PAYMENT") return item;
      const { deposit: _, ...payment } = item;
      return payment as Item;
    }),
    [
      ...[...paid, ...each("checkIn", "undo", "cancel", "message", "message", "message")],
      ...[...paid, ...each("cancel", "message", "message", "message")],
      ...[...paid, ...each("cancel", "message", "message", "message")],
    ],
  ],
  [
    "a deposit that went back makes a refunded seat",
    "SEAT_MARK",
    written((write) => {
      const { Item: item } = write;
      if (!item || formOf(item as Item).deposit !== "returned") return;
      Object.assign(
        item,
        withForm(item as Item, (form) => ({ ...form, refunded: true })),
      );
    }),
    [...paid, ...each("checkIn", "message", "message", "message", "message")],
  ],
];

test.each(mutants)("a mutant is found: %s", async (_name, found, sabotage, groups) => {
  const given = (): Story => ({ groups, isCalledOff: false, isCalm: true, drawn: draw(chance) });
  expect((await play(given())).violations).toEqual([]);
  const tries: string[] = [];
  for (let n = 0; n < 20 && !tries.includes(found); n += 1) tries.push(...(await play(given(), sabotage)).violations);
  expect(tries).toContain(found);
});
