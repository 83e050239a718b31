/**
 * A deletion from the request to the erasure sixty days later, when the process dies at each write, before it is carried out
 * or before its answer: what is left is the same, and the event's counts are right (`docs/contract.md`, "A person's data").
 */
import { TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, expect, jest, test } from "@jest/globals";
import { names } from "#domain/personal-data/shown.ts";
import { storedKindOf } from "#outbox/stored-kinds.ts";
import "../unit/environment.ts";
import { eventItem, eventRecord, registrationItem, seatsItem } from "../unit/given.ts";
import { MemoryTable } from "./table.ts";

const { client } = await import("#kit/table/table.ts");
const { deletePerson } = await import("#domain/personal-data/delete-person.ts");
const { handler } = await import("#consumers/forget-user.ts");
const { eraseDue } = await import("#domain/personal-data/erase.ts");
const { systemContext } = await import("#kit/request/context.ts");

const day = 86_400_000;
const [email, other] = ["ada@model.example", "joada@model.example"];
const deletedAt = Date.parse("2029-12-01T10:17:23.456Z");
const keyAt = (time: number) => `${time}#01ARZ3NDEKTSV4RRFFQ69G5FAV`;
const before = deletedAt - day;
const entered = { fname: "Ada", basicInformation: { phone: "604 555 0199" }, dynamicResponses: { q: "I am Ada" } };
const registration = (eventID: string, more: object) =>
  registrationItem({ email, eventID, ...entered, queueKey: keyAt(before), createdAt: before, ...more });

function givenPerson(): MemoryTable {
  const table = new MemoryTable();
  const gala = eventRecord({ startDate: "2030-01-01T18:00:00Z", capac: 2 });
  const line = { ...gala, id: "line", capac: 1 };
  const signed = { eventID: "gala", year: 2030, generation: "i", formType: "attendee", id: "h" } as const;
  const wrote = { "overall-rating": 9, long: "I am Ada" };
  const items: object[] = [
    { PK: `USER#${email}`, SK: "USER", email, fname: "Ada", isMember: true, favEvents: [], GSI1PK: "USERS#0" },
    { PK: `USER#${email}`, SK: "MEMBER", email, firstName: "Ada" },
    { PK: `USER#${email}`, SK: "PROFILE", email, fname: "Ada", profileID: "one-two-three" },
    { PK: "PID#one-two-three", SK: "PID", email },
    ...[eventItem(gala), seatsItem(gala, { seats: 1, taken: 1 } as never)],
    ...[eventItem(line), seatsItem(line as never)],
    eventItem({ ...gala, id: "past", startDate: "2029-11-01T18:00:00Z" }),
    registration("gala", { status: "registered" }),
    registration("line", { status: "waitlist" }),
    { PK: "WAIT#line#2030", SK: keyAt(before), email, generation: "i", fname: "Ada", version: 1 },
    registration("past", { status: "checkedIn", points: 7, checkedInAt: before }),
    { PK: `USER#${email}`, SK: "POINTS", email, points: 7 },
    { PK: `GUEST#${email}`, SK: "gala#2030", form: '{"fname":"Ada"}', ttl: before / 1_000 + 86_400 },
    { PK: `USER#${email}`, SK: "FEEDBACK#gala#2030#attendee#h", ...signed },
    {
      ...{ PK: "FB#gala#2030#attendee", SK: "h", ...signed, arrival: keyAt(before), submittedAt: before },
      ...{ respondentName: "Ada", respondentEmail: email, responses: wrote },
    },
    registrationItem({ email: other, eventID: "gala", queueKey: keyAt(before) }),
  ];
  for (const item of items) table.seed(item as never);
  return table;
}

const isWrite = (command: unknown) => command instanceof TransactWriteCommand || command instanceof UpdateCommand;

/** A process that dies once, at a write: `before` it is carried out, or `after`. */
class Mortal {
  readonly table = givenPerson();
  writes = 0;
  #isDead = false;
  readonly #at: number;
  readonly #when: "before" | "after";

  constructor(at: number, when: "before" | "after") {
    this.#at = at;
    this.#when = when;
    jest.spyOn(client, "send").mockImplementation((async (command: unknown) => this.#send(command)) as never);
  }

  #send(command: unknown): object {
    if (this.#isDead) throw new Error("the process is dead");
    const dies = isWrite(command) && ++this.writes === this.#at;
    if (dies) this.#isDead = true;
    if (dies && this.#when === "before") throw new Error("the process died");
    const answer = this.table.execute(command, () => 0);
    if (dies) throw new Error("the process died");
    return answer;
  }

  /** Again and again until it goes through. */
  async lives(work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      this.#isDead = false;
      await work().catch(() => undefined);
      if (!this.#isDead) return;
    }
  }

  /** The messages of a type in the outbox, as the queue delivers them. */
  records(type: string) {
    const rows = this.table.all().filter((item) => item.detailType === type);
    return rows.map(({ SK, detail }) => ({
      messageId: `${SK}`,
      body: JSON.stringify({ "detail-type": type, detail }),
    }));
  }
}

/** The request, repeated as a client repeats it; its message, delivered twice; and the sweeper, for some days. */
async function deletion(at: number, when: "before" | "after"): Promise<Mortal> {
  const mortal = new Mortal(at, when);
  await mortal.lives(() => deletePerson(email, "self/account", systemContext("request", deletedAt)));
  for (let times = 0; times < 2; times += 1) {
    await mortal.lives(async () => {
      const { batchItemFailures } = await handler({ Records: mortal.records("user.deleted") } as never);
      if (batchItemFailures.length > 0) throw new Error("comes again");
    });
  }
  for (let days = 60; days < 64; days += 1) {
    const now = deletedAt + days * day + 1;
    await mortal.lives(() => eraseDue(now, { deadline: performance.now() + 15_000 }));
  }
  return mortal;
}

const isKept = (kind: string | undefined) => kind === "outbox row" || kind === "audit row";

/** What is left, with the pseudonym and what is made by chance or written twice by another name. */
function leftOf({ table }: Mortal): unknown[] {
  const everything = table.all();
  const named = everything.filter((item) => names(item, email)).map((item) => storedKindOf(item as never));
  expect(named.filter((kind) => !isKept(kind))).toEqual([]);
  const records = everything.filter((item) => !isKept(storedKindOf(item as never)));
  expect(JSON.stringify(records)).not.toMatch(/604 555 0199|I am Ada/);
  expect(new Set(JSON.stringify(records).match(/erased-[0-9a-f]{32}/g)).size).toBe(1);
  const text = JSON.stringify(records, (_key, value) => (typeof value === "number" && value > 1e12 ? 0 : value))
    .replaceAll(/erased-[0-9a-f]{32}/g, "erased")
    .replaceAll(/\d{13}#[0-9A-Z]{26}/g, "key")
    .replaceAll(/"(ticketId|calendarUid|version|noticeVersion|arrival)":("[^"]*"|\d+)/g, '"$1":0');
  return (JSON.parse(text) as { PK: string; SK: string }[]).sort((a, b) =>
    `${a.PK} ${a.SK}` < `${b.PK} ${b.SK}` ? -1 : 1,
  );
}

let undisturbed: Mortal;
beforeAll(async () => {
  undisturbed = await deletion(0, "before");
});

test("leaves what the plan names, and the counts of the events", () => {
  const left = leftOf(undisturbed);
  expect(left).toContainEqual(
    expect.objectContaining({ SK: "REG#past#2030", PK: "USER#erased@erased.invalid", status: "checkedIn", points: 7 }),
  );
  expect(left).toContainEqual(
    expect.objectContaining({ PK: "FB#gala#2030#attendee", responses: { "overall-rating": 9 } }),
  );
  const seats = undisturbed.table.peek({ PK: "SEAT#gala#2030#00", SK: "POOL" });
  expect(seats).toMatchObject({ seats: 0 });
  expect(undisturbed.writes).toBeGreaterThan(10);
});

test.each(["before", "after"] as const)("leaves the same when the process dies %s any write", async (when) => {
  const expected = leftOf(undisturbed);
  for (let at = 1; at <= undisturbed.writes; at += 1) {
    expect([at, leftOf(await deletion(at, when))]).toEqual([at, expected]);
  }
});
