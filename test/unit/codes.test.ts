/** Codes: what each promises, who may use it, and that its uses are those of the registrations (`docs/contract.md`, "Codes"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { CodeRecord, PriceTerms } from "#domain/codes/code.ts";
import { minimumCharges } from "#domain/events/minimum-charges.ts";
import { systemContext } from "#kit/request/context.ts";
import { type Gala, givenGala } from "./gala.ts";
import { eventRecord } from "./given.ts";

const { agreedPriceOf, codeIdOf, normalizedCode, problemOf } = await import("#domain/codes/code.ts");
const { createCode, endCode, updateCode } = await import("#domain/codes/manage.ts");
const { amountOwed } = await import("#domain/events/pricing.ts");
const { copyOf } = await import("#domain/events/copy.ts");
const { paysFor } = await import("#domain/registrations/promote.ts");
const { withoutEntries, hasNoEntries } = await import("#domain/registrations/record/entries.ts");
const { registerAgainByLink } = await import("#domain/registrations/register/again.ts");
const { leave } = await import("#domain/registrations/leave.ts");

const now = Date.parse("2030-02-01T00:00:00Z");
const someCode = (changes: Partial<CodeRecord> = {}): CodeRecord => ({
  ...{ id: "i", code: "SPONSOR", kind: "discount", audience: "everybody", uses: 2, used: 0, currency: "CAD", price: 5 },
  ...{ generation: "i", version: 1, createdBy: "exec@club.example", createdAt: 1, updatedAt: 1 },
  ...changes,
});

describe("a price", () => {
  test.each<[string, PriceTerms, number, number | undefined]>([
    ["another one", { price: 5 }, 2_000, 500],
    ["none", { price: 0 }, 2_000, 0],
    ["not above the event's", { price: 5 }, 200, 200],
    ["an amount off", { off: 12.5 }, 2_000, 750],
    ["more off than there is", { off: 30 }, 2_000, 0],
    ["a share off, in whole cents", { percentOff: 33 }, 1_999, 1_339],
    ["all of it off", { percentOff: 100 }, 2_000, 0],
    ["a rest that the provider does not take", { off: 19.6 }, 2_000, 0],
    ["the least that it takes", { off: 19.5 }, 2_000, 50],
    ["the event's", {}, 2_000, undefined],
  ])("is %s", (_, terms, price, expected) => {
    expect(agreedPriceOf({ ...terms, currency: "CAD" }, price)).toBe(expected);
  });

  const terms = fc.oneof(
    fc.record({ price: fc.integer({ max: 10_000_000, min: 0 }).map((cents) => cents / 100) }),
    fc.record({ off: fc.integer({ max: 10_000_000, min: 0 }).map((cents) => cents / 100) }),
    fc.record({ percentOff: fc.integer({ min: 1, max: 100 }) }),
  );
  test("is never above the event's, in whole cents, and one that can be paid", () =>
    fc.assert(
      fc.property(terms, fc.integer({ min: 50, max: 10_000_000 }), (some, price) => {
        const agreed = agreedPriceOf({ ...some, currency: "CAD" }, price) as number;
        expect(Number.isInteger(agreed)).toBe(true);
        expect(agreed).toBeLessThanOrEqual(price);
        expect(agreed === 0 || agreed >= (minimumCharges.CAD as number)).toBe(true);
      }),
    ));

  test.each([
    ["stays while the event's rises", { pricing: { member: 5, nonMember: 30 } }, 1_000],
    ["is the event's while that is lower", { pricing: { member: 5, nonMember: 8 } }, 800],
    ["is nothing once the event is free", {}, 0],
    [
      "stays when the event is for members only",
      { pricing: { member: 5, nonMember: 30 }, nonBizTechAllowed: false },
      1_000,
    ],
  ])("%s", (_, event, owed) => {
    const registered = { entryPrice: 2_000, agreedPrice: 1_000 };
    expect(amountOwed(eventRecord(event), { isMember: false }, registered)).toBe(owed);
  });

  test("of nothing holds no seat from the line until it is paid", () => {
    const seats = { mode: "priced", mustPay: { member: true, nonMember: true } } as const;
    const pays = (agreedPrice?: number) => paysFor(seats, { isPartner: false, agreedPrice } as never, false);
    expect([pays(), pays(0), pays(500)]).toEqual([true, false, true]);
  });
});

test("case, spaces and hyphens do not count; the id is another one in each generation, and does not hold the code", () => {
  expect([" sponsor-20 30", "SPONSOR2030", "Ｓponsor2030"].map(normalizedCode)).toEqual(Array(3).fill("SPONSOR2030"));
  expect(codeIdOf("g", "a-b c d")).toBe(codeIdOf("g", "ABCD"));
  expect(codeIdOf("g", "ABCD")).not.toBe(codeIdOf("h", "ABCD"));
  expect(codeIdOf("g", "ABCD")).toMatch(/^[\w-]{16}$/);
});

const partner = { isMember: false, isPartner: true };
test.each<[string, Partial<CodeRecord>, object, boolean, string | undefined]>([
  ["nothing", {}, {}, true, undefined],
  ["its end", { endedAt: 1 }, {}, true, "This code has ended."],
  ["its end, also for an admin", { endedAt: 1 }, {}, false, "This code has ended."],
  ["its uses", { used: 2 }, {}, true, "This code is used up."],
  ["its uses, also for an admin", { used: 2 }, {}, false, "This code is used up."],
  ["its beginning", { validFrom: "2030-02-01T00:00:00.001Z" }, {}, true, "This code is not valid yet."],
  ["nothing at its beginning", { validFrom: "2030-02-01T00:00:00.000Z" }, {}, true, undefined],
  ["its last moment", { validUntil: "2030-02-01T00:00:00.000Z" }, {}, true, "This code is not valid any more."],
  ["no date of an admin's", { validUntil: "2030-01-01T00:00:00.000Z" }, {}, false, undefined],
  ["who is no member", { audience: "members" }, {}, true, "This code is for members."],
  ["nothing of a member", { audience: "members" }, { isMember: true }, true, undefined],
  ["who is no partner", { kind: "partner" }, {}, true, "This code is for partners: say that you come as one."],
  ["nothing of a partner", { kind: "partner" }, partner, true, undefined],
])("against a code is %s", (_, changes, person, isBound, problem) => {
  expect(problemOf(someCode(changes), { isMember: false, ...person }, isBound, now)).toBe(problem);
});

const settings = { timeZone: "America/Vancouver", currency: "CAD" };
const key = { id: "gala", year: 2030 };
const exec = { ...systemContext("r", Date.now()), actor: "exec@club.example" };
const withCode = (gala: Gala, fields: Partial<Parameters<typeof createCode>[1]> = {}) =>
  createCode(
    key,
    { code: "SPONSOR", kind: "discount", uses: 1, ...(fields.kind === undefined && { price: 0 }), ...fields },
    settings,
    { ...exec, now: gala.now() },
  );
const usesOf = (gala: Gala, { id, generation }: CodeRecord) =>
  (gala.table.peek({ PK: `CODE#gala#2030#${generation}`, SK: id }) as { used: number } | undefined)?.used;
const code = "spon-sor";
const notValid = { code: "CODE_NOT_VALID" };

describe("a use", () => {
  const priced = { pricing: { member: 5, nonMember: 20 } };

  test("is taken with the seat, and no other person gets it", async () => {
    const gala = givenGala(priced);
    const made = await withCode(gala, { note: "From Ada to Bob" });
    await gala.register("ada", { code });
    expect(gala.registrationOf("ada")).toMatchObject({ status: "registered", entryPrice: 2_000, agreedPrice: 0 });
    expect(gala.registrationOf("ada").code).toEqual({ id: made.id, kind: "discount", note: "From Ada to Bob" });
    await expect(gala.register("bob", { code })).rejects.toMatchObject({
      ...notValid,
      message: "This code is used up.",
    });
    await expect(gala.register("bob", { code: "other" })).rejects.toMatchObject(notValid);
    expect(usesOf(gala, made)).toBe(1);
  });

  /** Each ends a registration, or brings it back, and leaves so many uses. */
  const steps: readonly [string, number, (gala: Gala) => Promise<unknown>][] = [
    ["the person cancels", 0, (gala) => gala.become("ada", "cancelled")],
    ["an admin cancels", 0, (gala) => gala.become("ada", "cancelled", "admin")],
    ["an admin cancels in bulk", 0, (gala) => gala.amend("ada", { registrationStatus: "cancelled" }, "admin/bulk")],
    [
      "it is deleted",
      0,
      (gala) =>
        leave(
          { email: "ada@unit.example", event: key, to: "deleted", origin: "admin/desk" },
          { ...exec, now: gala.now() },
        ),
    ],
    [
      "the hold is over",
      0,
      (gala) =>
        leave(
          { email: "ada@unit.example", event: key, to: "cancelled", origin: "clock/hold" },
          { ...exec, now: gala.now() },
        ).catch(() => gala.become("ada", "cancelled")),
    ],
    [
      "the person is moved to the end of the line",
      1,
      async (gala) => {
        gala.change({ capac: 1 });
        await gala.register("eve");
        await gala.become("ada", "waitlist", "admin");
      },
    ],
    ["answers change", 1, (gala) => gala.amend("ada", { points: 3 })],
    [
      "the person comes again by a PUT",
      1,
      async (gala) => {
        await gala.become("ada", "cancelled");
        await gala.become("ada", "registered");
      },
    ],
    [
      "the person comes again with the form",
      1,
      async (gala) => {
        await gala.become("ada", "cancelled");
        await gala.register("ada", { code });
      },
    ],
    [
      "the person comes again without the code",
      0,
      async (gala) => {
        await gala.become("ada", "cancelled");
        await gala.register("ada");
      },
    ],
    [
      "the person comes again by the link",
      1,
      async (gala) => {
        await gala.become("ada", "cancelled");
        const registration = gala.registrationOf("ada");
        await registerAgainByLink({ registration, hasAccount: true }, {}, "everyone", {
          ...exec,
          now: gala.now(),
          queueKey: `${gala.now()}#${"9".repeat(26)}`,
        });
      },
    ],
  ];
  test.each(steps)("when %s: %s", async (_, left, step) => {
    const gala = givenGala();
    const made = await withCode(gala, { price: 0 });
    await gala.register("ada", { code });
    await step(gala);
    expect(usesOf(gala, made)).toBe(left);
  });

  test("is taken on the waitlist, and the promotion keeps it", async () => {
    const gala = givenGala({ capac: 1, ...priced });
    const made = await withCode(gala);
    await gala.register("ada", { byAdmin: true });
    await gala.register("bob", { code });
    expect([gala.registrationOf("bob").status, usesOf(gala, made)]).toEqual(["waitlist", 1]);
    await gala.become("ada", "cancelled");
    expect([gala.registrationOf("bob").status, usesOf(gala, made)]).toEqual(["registered", 1]);
  });

  test("of a rejected person goes to another one, and the person comes back when there is one more", async () => {
    const gala = givenGala({ isApplicationBased: true });
    const made = await withCode(gala);
    await gala.register("ada", { code });
    await gala.become("ada", "rejected", "admin");
    await gala.register("bob", { code });
    await expect(gala.become("ada", "accepted", "admin")).rejects.toMatchObject(notValid);
    await updateCode(key, made.id, { uses: 2 }, settings, exec);
    await gala.become("ada", "accepted", "admin");
    expect(usesOf(gala, made)).toBe(2);
  });

  test("is one in a rush: what others took between read and write is seen", async () => {
    const gala = givenGala();
    const made = await withCode(gala);
    gala.beforeWrite(() => gala.register("bob", { code }));
    await expect(gala.register("ada", { code })).rejects.toMatchObject(notValid);
    expect([usesOf(gala, made), gala.registrationOf("bob").status]).toEqual([1, "registered"]);
  });

  test("without its condition there would be two: the condition is what protects it", async () => {
    const gala = givenGala();
    const made = await withCode(gala);
    gala.beforeWrite(async ({ input }) => {
      await gala.register("bob", { code });
      for (const { Update } of input.TransactItems ?? []) {
        if (!String(Update?.Key?.PK).startsWith("CODE#") || !Update) continue;
        Update.ConditionExpression = "version = :version";
      }
    });
    await gala.register("ada", { code });
    expect(usesOf(gala, made)).toBe(2);
  });

  test("a person with an unpaid seat is told of it, with the same code only", async () => {
    const gala = givenGala(priced);
    const made = await withCode(gala, { price: 10 });
    const seat = await gala.register("ada", { code });
    expect(seat.registration.status).toBe("incomplete");
    expect((await gala.register("ada", { code })).registration.version).toBe(1);
    expect((await gala.register("ada")).registration.version).toBe(1);
    await expect(gala.register("ada", { code: "other" })).rejects.toMatchObject(notValid);
    expect(usesOf(gala, made)).toBe(1);
  });
});

describe("a code for access", () => {
  const hidden = { isPublished: false };
  const closed = { nonBizTechAllowed: false, pricing: { member: 5, nonMember: 20 } };

  test.each([
    ["a hidden event", hidden, "NOT_FOUND", undefined],
    ["a members-only event, at the price for others", closed, "MEMBERS_ONLY", 2_000],
    [
      "one without a price for others, at that for members",
      { ...closed, pricing: { member: 5, nonMember: 0 } },
      "MEMBERS_ONLY",
      500,
    ],
  ])("opens %s", async (_, event, refusal, price) => {
    const gala = givenGala(event);
    await withCode(gala, { kind: "access" });
    await expect(gala.register("ada")).rejects.toMatchObject({ code: refusal });
    await gala.register("ada", { code });
    expect(gala.registrationOf("ada")).toMatchObject({
      status: price ? "incomplete" : "registered",
      entryPrice: price ?? 0,
    });
  });

  test("has its price also after an executive has changed who is a partner", async () => {
    const gala = givenGala(closed);
    await withCode(gala, { kind: "access" });
    await gala.register("ada", { code });
    for (const isPartner of [true, false]) {
      await gala.amend("ada", { isPartner });
      expect(gala.registrationOf("ada")).toMatchObject({ status: "incomplete", isPartner, entryPrice: 2_000 });
    }
  });

  test("a wrong code says nothing about a hidden event", async () => {
    const gala = givenGala(hidden);
    await withCode(gala);
    for (const tried of ["other", code]) {
      await expect(gala.register("ada", { code: tried })).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "Event not found.",
      });
    }
  });
});

describe("a code for partners", () => {
  const asPartner = { isPartner: true };

  test("is needed from the first one on, but not by whom an admin registers", async () => {
    const gala = givenGala();
    await gala.register("eve", asPartner);
    const made = await withCode(gala, { kind: "partner" });
    await expect(gala.register("ada", asPartner)).rejects.toMatchObject({ code: "CODE_REQUIRED" });
    await gala.register("ada", { ...asPartner, code });
    await gala.register("bob");
    await gala.register("cyd", { ...asPartner, byAdmin: true });
    expect(usesOf(gala, made)).toBe(1);
  });

  test("another code is none", async () => {
    const gala = givenGala();
    await withCode(gala, { kind: "partner", code: "PARTNER" });
    await withCode(gala);
    await expect(gala.register("ada", { ...asPartner, code })).rejects.toMatchObject({ code: "CODE_REQUIRED" });
  });

  test("partners need one while a code is left, ended or not, and none after the last was removed", async () => {
    const gala = givenGala();
    const made = await withCode(gala, { kind: "partner" });
    const other = await withCode(gala, { kind: "partner", code: "OTHER" });
    const needs = () =>
      (gala.table.peek({ PK: "EVENT#gala#2030", SK: "META" }) as { partnersNeedCode?: boolean }).partnersNeedCode;
    await gala.register("ada", { ...asPartner, code });
    expect(await endCode(key, made.id, exec)).toMatchObject({ endedAt: exec.now, used: 1 });
    await endCode(key, other.id, exec);
    expect(needs()).toBe(true);
    await gala.become("ada", "cancelled");
    expect(await endCode(key, made.id, exec)).toBeUndefined();
    expect(needs()).toBeUndefined();
  });
});

test("a code that ends, or is changed, leaves what it promised; who comes again has it only while it counts", async () => {
  const gala = givenGala({ pricing: { member: 5, nonMember: 20 } });
  const made = await withCode(gala);
  await gala.register("ada", { code });
  await endCode(key, made.id, exec);
  await expect(gala.register("bob", { code })).rejects.toMatchObject({ message: "This code has ended." });
  expect(gala.registrationOf("ada")).toMatchObject({ agreedPrice: 0, code: { id: made.id } });
  await gala.become("ada", "cancelled");
  await gala.become("ada", "registered");
  expect(gala.registrationOf("ada")).toMatchObject({ status: "incomplete", entryPrice: 2_000 });
  expect(gala.registrationOf("ada")).not.toHaveProperty("agreedPrice");
});

test.each([
  ["a discount of nothing", { price: undefined }, "/price"],
  ["two prices", { off: 5 }, "/off"],
  ["three decimals", { price: 5.001 }, "/price"],
  ["less than the provider takes", { price: 0.2 }, "/price"],
  ["too short a code", { code: "a- b" }, "/code"],
  ["an end before its beginning", { validFrom: "2030-02-02", validUntil: "2030-02-01" }, "/validUntil"],
])("%s is refused", async (_, fields, path) => {
  const gala = givenGala();
  const creating = (async () => withCode(gala, { price: 0, ...fields }))();
  await expect(creating).rejects.toMatchObject({ details: { issues: [expect.objectContaining({ path })] } });
});

test("a code is made where none is given, and exists once; its dates are those of the stage's zone", async () => {
  const gala = givenGala();
  const { code: _, ...given } = {
    code: "",
    kind: "discount",
    price: 0,
    uses: 1,
    validFrom: "2030-01-15",
    validUntil: "2030-01-15",
  } as const;
  const made = await createCode(key, given, settings, exec);
  expect(made.code).toMatch(/^[2-9A-HJKMNP-Z]{10}$/);
  expect(made).toMatchObject({ validFrom: "2030-01-15T07:00:00.000Z", validUntil: "2030-01-16T06:59:59.999Z" });
  await withCode(gala);
  await expect(withCode(gala, { code: "SPON SOR" })).rejects.toMatchObject({ code: "DUPLICATE" });
  expect(
    copyOf({ ...gala.event(), takesCodes: true, partnersNeedCode: true }, { id: "next", year: 2031 }, "UTC"),
  ).toEqual({ id: "next", year: 2031, ename: "Gala" });
});

test("tries are counted before the code is looked at, and a form without one is free", async () => {
  const gala = givenGala();
  await withCode(gala, { uses: 9 });
  gala.calls.length = 0;
  await gala.register("ada");
  const without = [...gala.calls];
  expect(without).not.toContain("GetCommand");
  expect(without).not.toContain("UpdateCommand");
  for (let n = 0; n < 30; n += 1)
    await expect(gala.register("bob", { code: `wrong-${n}` })).rejects.toMatchObject(notValid);
  await expect(gala.register("bob", { code })).rejects.toMatchObject({ code: "TOO_OFTEN" });
  await gala.register("cyd", { code });
});

test("with what a person entered goes the note of the code", () => {
  const registration = { ...givenRegistration, code: { id: "i", kind: "discount", note: "For Ada" } as const };
  expect(hasNoEntries(registration)).toBe(false);
  expect(withoutEntries(registration).code).toEqual({ id: "i", kind: "discount" });
  expect(hasNoEntries(withoutEntries(registration))).toBe(true);
});
const givenRegistration = { fname: "", basicInformation: {}, dynamicResponses: {}, choices: {} };
