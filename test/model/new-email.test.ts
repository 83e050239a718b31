/**
 * A new email, from the request to the erasure of the former address: when the process dies at each write, when others act in
 * between, and with each protection switched off (`docs/contract.md`, "A person's data").
 */
import { TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import { names } from "#domain/personal-data/shown.ts";
import { storedKindOf } from "#outbox/stored-kinds.ts";
import { leadsBack } from "../leads.ts";
import "../unit/environment.ts";
import { eventItem, eventRecord, registrationItem, seatsItem } from "../unit/given.ts";
import { MemoryTable, type Write, writesOf } from "./table.ts";

const { client } = await import("#kit/table/table.ts");
const { handler } = await import("#consumers/forget-user.ts");
const { askForNewEmail, confirmNewEmail } = await import("#domain/personal-data/new-email.ts");
const { followToNewEmail } = await import("#domain/personal-data/follow.ts");
const { renamed } = await import("#domain/personal-data/renamed.ts");
const { eraseDue } = await import("#domain/personal-data/erase.ts");
const { readNewEmail } = await import("#domain/people/users/new-email.ts");
const { leave } = await import("#domain/registrations/leave.ts");
const { promote } = await import("#domain/registrations/promote.ts");
const { register } = await import("#domain/registrations/register/register.ts");
const { systemContext } = await import("#kit/request/context.ts");

const day = 86_400_000;
const [email, to, other] = ["ada@model.example", "ada@next.example", "joada@model.example"];
const now = Date.parse("2029-12-01T10:17:23.456Z");
const keyAt = (time: number) => `${time}#01ARZ3NDEKTSV4RRFFQ69G5FAV`;
const before = now - day;
const settings = {
  adminDomain: "club.example",
  mails: { perHour: 100, perHourAndDomain: 100, openDomains: [] },
};
const registration = (eventID: string, more: object = {}) =>
  registrationItem({ email, eventID, fname: "Ada", queueKey: keyAt(before), createdAt: before, ...more });
const gala = eventRecord({ startDate: "2030-01-01T18:00:00Z", capac: 2 });
const line = { ...gala, id: "line", capac: 1 };
const signed = { eventID: "gala", year: 2030, generation: "i", formType: "attendee", id: "h" } as const;
const money = { amount: 1_000, currency: "CAD", paymentIntent: "pi_1" };
const forGala = { kind: "event", event: { id: "gala", year: 2030 } };
const checkout = { id: "01CHK", email, sessionId: "cs_1", purpose: forGala, createdAt: before, expiresAt: before + 1 };

const moving: readonly object[] = [
  {
    PK: `USER#${email}`,
    SK: "USER",
    email,
    fname: "Ada",
    isMember: true,
    favEvents: ["gala;2030"],
    GSI1PK: "USERS#0",
    GSI1SK: email,
  },
  {
    PK: `USER#${email}`,
    SK: "MEMBER",
    email,
    firstName: "Ada",
    version: 2,
    generation: "m",
    dueAt: 1_900_000_000_000,
    GSI1PK: "MEMBERS#0",
    GSI1SK: email,
  },
  { PK: "TERMS", SK: `1900000000000#${email}`, email },
  { PK: `USER#${email}`, SK: "PROFILE", email, fname: "Ada", profileID: "one-two-three", version: 1, generation: "p" },
  { PK: "PID#one-two-three", SK: "PID", email },
  registration("gala", { status: "registered", offer: "m1", paidBy: "cs_1", paid: money }),
  registration("line", { status: "waitlist" }),
  { PK: "WAIT#line#2030", SK: keyAt(before), email, generation: "i", fname: "Ada", version: 1 },
  registration("past", { status: "checkedIn", points: 7, checkedInAt: before }),
  registration("left", { status: "deleted" }),
  { PK: `USER#${email}`, SK: "POINTS", email, points: 7, leaderboard: "ALL" },
  {
    PK: `USER#${email}`,
    SK: "BTX#game",
    email,
    eventId: "game",
    cash: 5,
    version: 2,
    GSI1PK: "BTXA#game",
    GSI1SK: email,
  },
  { PK: "BTXA#game", SK: email, email },
];
const following: readonly object[] = [
  { PK: `USER#${email}`, SK: "RECEIPT#cs_1", paymentId: "cs_1", amount: 1_000, purpose: forGala },
  { PK: `USER#${email}`, SK: "REFUND#r1", refundId: "r1", state: "succeeded", amount: 5 },
  {
    PK: "PAY#pi_1",
    SK: "PAYMENT",
    paymentId: "cs_1",
    email,
    money,
    as: "seat",
    purpose: forGala,
    settledAt: before,
    version: 3,
  },
  { PK: "PAY#01CHK", SK: "CHECKOUT", GSI1PK: `CHECKOUTS#${email}`, GSI1SK: "01CHK", ...checkout },
  { PK: `USER#${email}`, SK: "FEEDBACK#gala#2030#attendee#h", ...signed },
  {
    PK: "FB#gala#2030#attendee",
    SK: "h",
    ...signed,
    arrival: keyAt(before),
    submittedAt: before,
    respondentEmail: email,
  },
  { PK: "BTXT#p", SK: keyAt(before), GSI1PK: `TRD#${email}`, GSI1SK: keyAt(before), email, shares: 3 },
  { PK: "SCAN#past#2030#i", SK: "mark1", email, version: 1, scans: [] },
  { PK: "OFFERS#gala#2030", SK: "m1", by: email, email: other, fname: "Jo", createdAt: before },
  { PK: "OFFERS#line#2030", SK: "m2", by: other, email, GSI1PK: `NAMED#${email}`, GSI1SK: `${before}`, fname: "Ada" },
];
const around: readonly object[] = [
  ...[eventItem(gala), seatsItem(gala, { seats: 2, taken: 2 } as never)],
  ...[eventItem(line), seatsItem(line, { seats: 1, taken: 1 } as never)],
  eventItem({ ...gala, id: "past", startDate: "2029-11-01T18:00:00Z" }),
  registrationItem({ email: other, eventID: "gala", queueKey: keyAt(before) }),
  registrationItem({ email: other, eventID: "line", queueKey: keyAt(before - 5) }),
  registrationItem({ email: other, eventID: "past", queueKey: keyAt(before - 6) }),
  registrationItem({ email: other, eventID: "left", status: "deleted", queueKey: keyAt(before - 7) }),
  { PK: "SUPPRESSED", SK: other, email: other, reason: "unsubscribed", createdAt: 1 },
  { PK: "PAY#cs_1", SK: "SETTLED", as: "seat", payment: "pi_1" },
  { PK: `USER#${email}`, SK: "CHECKOUT#EVENT#gala#2030", ...checkout },
  { PK: `USER#${email}`, SK: "CALENDAR", email, calendarId: "c" },
  { PK: "SUPPRESSED", SK: email, email, reason: "unsubscribed", createdAt: 1 },
];

const isWrite = (command: unknown) => command instanceof TransactWriteCommand || command instanceof UpdateCommand;

/** A process that dies once, at a write: `before` it is carried out, or `after`. */
class Mortal {
  readonly table = new MemoryTable();
  writes = 0;
  /** Runs once, before the transaction that moves. */
  between: (() => Promise<unknown>) | undefined;
  mutate: (write: Write) => void = () => undefined;
  #isDead = false;
  readonly #at: number;
  readonly #when: "before" | "after";

  constructor(at = 0, when: "before" | "after" = "before") {
    this.#at = at;
    this.#when = when;
    for (const item of [...moving, ...following, ...around]) this.table.seed(item as never);
    jest.spyOn(client, "send").mockImplementation((async (command: unknown) => this.#send(command)) as never);
  }

  async #send(command: unknown): Promise<object> {
    if (this.#isDead) throw new Error("the process is dead");
    const dies = isWrite(command) && ++this.writes === this.#at;
    if (dies) this.#isDead = true;
    if (dies && this.#when === "before") throw new Error("the process died");
    const moves = writesOf(command).some(({ Item }) => Item?.movedAt !== undefined);
    const { between } = this;
    if (moves && between) {
      this.between = undefined;
      await between();
    }
    if (moves) for (const write of writesOf(command)) this.mutate(write);
    const answer = this.table.execute(command, () => 0);
    if (dies) throw new Error("the process died");
    return answer;
  }

  /** Again and again until it goes through. */
  async lives(work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      this.#isDead = false;
      await work().catch((error) => {
        if (!this.#isDead) throw error;
      });
      if (!this.#isDead) return;
    }
  }

  records(type: string) {
    const rows = this.table.all().filter((item) => item.detailType === type);
    return rows.map(({ SK, detail }) => ({
      messageId: `${SK}`,
      body: JSON.stringify({ "detail-type": type, detail }),
    }));
  }
}

const context = () => systemContext("request", now);
const asked = () => askForNewEmail({ email, to }, settings, { ...context(), actor: email });

async function confirm(side: "former" | "next"): Promise<string> {
  const { requestId = "" } = (await readNewEmail(email)) ?? {};
  return confirmNewEmail({ side, requestId, email }, context());
}

async function deliver(mortal: Mortal): Promise<void> {
  const { batchItemFailures } = await handler({ Records: mortal.records("user.emailChanged") } as never);
  if (batchItemFailures.length > 0) throw new Error("comes again");
}

/** The request, both confirmations, and the message, delivered twice. */
async function change(mortal: Mortal): Promise<Mortal> {
  await mortal.lives(asked);
  await mortal.lives(() => confirm("former"));
  await mortal.lives(() => confirm("next"));
  for (let times = 0; times < 2; times += 1) await mortal.lives(() => deliver(mortal));
  return mortal;
}

const kindsNaming = ({ table }: Mortal, name: string) =>
  [
    ...new Set(
      table
        .all()
        .filter((item) => names(item, name))
        .map((item) => storedKindOf(item as never)),
    ),
  ].sort();

/** Where each of these items is for another email. */
const expected = (items: readonly object[], name: string): object[] =>
  items.map((item) => JSON.parse(JSON.stringify(item).replaceAll(new RegExp(`(?<!jo)${email}`, "g"), name)) as object);

/** All about the new email, but messages and the counts of mails. */
const atNext = ({ table }: Mortal) =>
  table.all().filter((item) => names(item, to) && !/^(outbox row|count)/.test(storedKindOf(item as never) ?? ""));
/** Without what counts writes, and the time at which a suppression was copied. */
const plain = (items: readonly object[]): string[] =>
  items
    .map((item) =>
      Object.entries({ ...item, version: 0, ...("reason" in item && { createdAt: 0 }) }).sort(([one], [two]) =>
        one < two ? -1 : 1,
      ),
    )
    .map((fields) => JSON.stringify(Object.fromEntries(fields)))
    .sort();

/** Of each event: seats that are counted, people who hold one, and places in line without a person who waits. */
function seatsOf({ table }: Mortal) {
  const all = table.all();
  return Object.fromEntries(
    ["gala", "line"].map((id) => {
      const people = all.filter(({ SK }) => SK === `REG#${id}#2030`);
      const waiting = people.filter(({ status }) => status === "waitlist").map(({ PK }) => String(PK).slice(5));
      const places = all.filter(({ PK }) => PK === `WAIT#${id}#2030`).map((place) => String(place.email));
      return [
        id,
        {
          counted: table.peek({ PK: `SEAT#${id}#2030#00`, SK: "POOL" })?.seats,
          held: people.filter(({ status }) => status === "registered").length,
          isLineRight: JSON.stringify(places.sort()) === JSON.stringify(waiting.sort()),
        },
      ];
    }),
  );
}
const sound = (held: { gala: number; line: number }) => ({
  gala: { counted: held.gala, held: held.gala, isLineRight: true },
  line: { counted: held.line, held: held.line, isLineRight: true },
});

describe("a new email", () => {
  let undisturbed: Mortal;
  beforeAll(async () => {
    undisturbed = await change(new Mortal());
  });

  test("has everything that moves and follows, field by field, with its tickets", () => {
    const tickets = undisturbed.records("registration.updated").map(({ body }) => JSON.parse(body).detail.data);
    expect(tickets.map(({ eventID, email: whose, notice }) => [eventID, whose, notice]).sort()).toEqual([
      ["gala", to, "registered"],
      ["line", to, "waitlist"],
    ]);
    const found = atNext(undisturbed);
    const suppression = { PK: "SUPPRESSED", SK: email, email, reason: "unsubscribed", createdAt: 1 };
    expect(plain(found)).toEqual(plain(expected([...moving, ...following, suppression], to)));
  });

  test("leaves seats, counts and the line as they were", () => {
    expect(seatsOf(undisturbed)).toEqual(sound({ gala: 2, line: 1 }));
  });

  test("leads to the former one by no item, and only what an erasure or time ends has the former one", async () => {
    expect(undisturbed.table.all().filter((item) => names(item, email) && names(item, to))).toEqual([]);
    expect(kindsNaming(undisturbed, email)).toEqual(["erasure to come", "outbox row", "registration", "suppression"]);
    const records = undisturbed.table.all().filter((item) => storedKindOf(item as never) !== "outbox row");
    expect(leadsBack(records, { email, pseudonym: to, isCommon: (item) => names(item, other) })).toEqual([]);
    const aged = await change(new Mortal());
    for (let days = 60; days < 63; days += 1) {
      await eraseDue(now + days * day + 1, { deadline: performance.now() + 15_000 });
    }
    expect(kindsNaming(aged, email)).toEqual(["outbox row", "suppression"]);
    expect(atNext(aged).length).toBe(atNext(undisturbed).length);
  });

  test.each(["before", "after"] as const)("is the same when the process dies at any write, %s it", async (when) => {
    const wanted = plain(atNext(undisturbed));
    for (let at = 1; ; at += 1) {
      const mortal = await change(new Mortal(at, when));
      const found = atNext(mortal);
      expect([at, plain(found)]).toEqual([at, wanted]);
      expect([at, kindsNaming(mortal, email)]).toEqual([at, kindsNaming(undisturbed, email)]);
      expect([at, mortal.records("registration.updated").length]).toEqual([at, 2]);
      if (mortal.writes < at) return;
    }
  });
});

const gone = { email, event: { id: "gala", year: 2030 } };
/** What others do between the read and the transaction, and who holds seats then. */
const acts: Readonly<Record<string, readonly [act: () => Promise<unknown>, held: { gala: number; line: number }]>> = {
  "the person cancels": [
    () => leave({ ...gone, to: "cancelled", origin: "self/account" }, context()),
    { gala: 1, line: 1 },
  ],
  "a seat gets free, and the person is promoted": [
    async () => {
      const event = { id: "line", year: 2030 };
      await leave({ email: other, event, to: "cancelled", origin: "self/account" }, context());
      await promote(event, context());
    },
    { gala: 2, line: 1 },
  ],
};

describe("between the read and the transaction", () => {
  test.each(Object.entries(acts))("%s: it counts, and the new email has it", async (_, [act, held]) => {
    const mortal = new Mortal();
    mortal.between = act;
    await change(mortal);
    expect(seatsOf(mortal)).toEqual(sound(held));
    const left = mortal.table.itemsOf(`USER#${email}`).filter(({ SK }) => String(SK).startsWith("REG#"));
    expect(new Set(left.map(({ status }) => status))).toEqual(new Set(["deleted"]));
  });

  test.each(Object.entries(acts))("%s: without the conditions a seat would be wrong", async (_, [act, held]) => {
    const mortal = new Mortal();
    mortal.between = act;
    mortal.mutate = (write) => {
      if (write.ConditionExpression?.includes("#f0")) {
        write.ConditionExpression = undefined;
        write.ExpressionAttributeNames = undefined;
        write.ExpressionAttributeValues = undefined;
      }
    };
    await change(mortal).catch(() => undefined);
    expect(seatsOf(mortal)).not.toEqual(sound(held));
  });

  test("a registration of the former address follows, and one of after the change stays", async () => {
    const mortal = new Mortal();
    const late = (eventID: string, at: number) =>
      register(
        { form: { eventID, year: 2030, email, fname: "Ada" }, origin: "self/account" },
        { ...systemContext(eventID, at), actor: email },
      );
    for (const id of ["ball", "back"]) {
      mortal.table.seed(eventItem({ ...gala, id }) as never);
      mortal.table.seed(seatsItem({ ...gala, id }) as never);
    }
    mortal.between = async () => {
      await late("ball", now - 1);
      await late("back", now + 1);
    };
    await change(mortal);
    const where = (eventID: string) =>
      [email, to].filter((one) => {
        const stored = mortal.table.peek({ PK: `USER#${one}`, SK: `REG#${eventID}#2030` });
        return stored && stored.status !== "deleted";
      });
    expect([where("ball"), where("back")]).toEqual([[to], [email]]);
    const seats = (id: string) => mortal.table.peek({ PK: `SEAT#${id}#2030#00`, SK: "POOL" })?.seats;
    expect([seats("ball"), seats("back")]).toEqual([1, 1]);
  });

  test("an event of the provider about a payment is kept, and the payment still follows", async () => {
    const mortal = await new Mortal();
    await asked();
    await confirm("former");
    await confirm("next");
    const stored = { PK: "PAY#pi_1", SK: "PAYMENT" };
    jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
      const rewrites = writesOf(command).some(({ Item }) => Item?.PK === stored.PK && Item.version === 4);
      if (rewrites) mortal.table.seed({ ...mortal.table.peek(stored), version: 4, fee: 59 } as never);
      return mortal.table.execute(command, () => 0);
    }) as never);
    await followToNewEmail(email, context());
    expect(mortal.table.peek(stored)).toMatchObject({ email: to, fee: 59, version: 5 });
  });
});

test("answers that are the email are the new one, words of the person stay", () => {
  const form = (text: string) => JSON.stringify({ dynamicResponses: { mail: text, long: `Write to ${email}` } });
  const item = { PK: `USER#${email}`, SK: "REG#gala#2030", form: form(email) } as never;
  expect(renamed(item, email, to)).toEqual({ PK: `USER#${to}`, SK: "REG#gala#2030", form: form(to) });
});

describe("is refused, and changes nothing", () => {
  const unpaid = { status: "incomplete", holdExpiresAt: now + 5 } as const;
  test.each<[string, object]>([
    ["Something is stored about this address", { PK: `USER#${to}`, SK: "USER", email: to }],
    ["Something is stored about this address", registrationItem({ email: to, eventID: "ball" })],
    ["One of the addresses was deleted", { PK: "ERASURES", SK: `1900000000000#${to}`, email: to, deletedAt: now }],
    ["One of the addresses was deleted", { PK: "ERASURES", SK: `1900000000000#${email}`, email, deletedAt: now }],
    ["A payment is open", registration("ball", unpaid)],
    ["A payment is open", { ...{ PK: `USER#${email}`, SK: "CHECKOUT#MEMBER" }, ...checkout, expiresAt: now + 5 }],
    ["A refund is on its way", { PK: `USER#${email}`, SK: "REFUND#r2", state: "owed" }],
  ])("%s: %j", async (sentence, stored) => {
    const mortal = new Mortal();
    await asked();
    await confirm("former");
    mortal.table.seed(stored as never);
    await expect(confirm("next")).rejects.toMatchObject({ code: "EMAIL_NOT_CHANGEABLE" });
    await expect(confirm("next")).rejects.toThrow(sentence);
    expect(mortal.table.peek({ PK: `USER#${email}`, SK: "USER" })).toBeDefined();
    expect(mortal.records("user.emailChanged")).toEqual([]);
  });

  test.each([
    [email, "ada@club.example", "EMAIL_NOT_CHANGEABLE"],
    ["exec@club.example", to, "EMAIL_NOT_CHANGEABLE"],
    [email, email, "VALIDATION"],
    ["nobody@model.example", to, "NOT_FOUND"],
  ])("asking for %s to be %s: %s", async (from, next, code) => {
    new Mortal();
    const asking = askForNewEmail({ email: from, to: next }, settings, { ...context(), actor: from });
    await expect(asking).rejects.toMatchObject({ code });
  });

  test("to who confirms for the former address, only by what is known of that one", async () => {
    const mortal = new Mortal();
    mortal.table.seed({ PK: `USER#${to}`, SK: "USER", email: to } as never);
    mortal.table.seed({ PK: "ERASURES", SK: `1900000000000#${to}`, email: to, deletedAt: now } as never);
    await asked();
    expect(await confirm("former")).toBe("confirmed");
    await expect(confirm("next")).rejects.toMatchObject({ code: "EMAIL_NOT_CHANGEABLE" });
  });

  test("with the link of an earlier request, of another side only, or after a day", async () => {
    const mortal = new Mortal();
    await asked();
    const { requestId = "" } = (await readNewEmail(email)) ?? {};
    expect([await confirm("next"), await confirm("next")]).toEqual(["confirmed", "confirmed"]);
    const late = systemContext("request", now + day + 1_000);
    await expect(confirmNewEmail({ side: "former", requestId, email }, late)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
    await asked();
    await expect(confirmNewEmail({ side: "former", requestId, email }, context())).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
    expect(await confirm("former")).toBe("confirmed");
    expect(mortal.records("user.emailChanged")).toEqual([]);
  });
});

test("an executive confirms in place of the former address, which the audit says", async () => {
  const mortal = new Mortal();
  await askForNewEmail({ email, to }, settings, { ...context(), actor: "exec@club.example" });
  const { requestId } = (await readNewEmail(email)) ?? {};
  expect(mortal.table.peek({ PK: `USER#${email}`, SK: "NEW EMAIL" })).toEqual({
    ...{ PK: `USER#${email}`, SK: "NEW EMAIL", email, to, requestId, by: "exec@club.example" },
    ...{ confirmed: { former: now }, ttl: Math.floor(now / 1_000) + 86_400 },
  });
  expect(await confirm("next")).toBe("changed");
  const [row] = mortal.records("email.requested").map(({ body }) => JSON.parse(body).detail);
  expect(row).toMatchObject({ metadata: { actor: "exec@club.example" }, data: { email } });
});

test.each([
  ["", {}],
  [", by its bytes", { dynamicResponses: { essay: "e".repeat(190_000) } }],
])("more registrations than one transaction takes follow, the latest first%s", async (_, more) => {
  const mortal = new Mortal();
  for (let at = 0; at < 60; at += 1)
    mortal.table.seed(registration(`old${at}`, { queueKey: keyAt(before - at), ...more }) as never);
  await asked();
  await confirm("former");
  await confirm("next");
  const count = (name: string) =>
    mortal.table
      .itemsOf(`USER#${name}`)
      .filter(({ SK, status }) => String(SK).startsWith("REG#") && status !== "deleted").length;
  expect(count(email)).toBeGreaterThan(0);
  expect(mortal.table.peek({ PK: `USER#${to}`, SK: "REG#gala#2030" })).toBeDefined();
  await deliver(mortal);
  expect([count(email), count(to)]).toEqual([0, 63]);
});
