/** The records of the present backend move in (`docs/moving-in.md`). */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { exec, newEmail } from "../../../../test/service/given.ts";
import { eventOf, type Made, makeSource, personOf } from "../../../../test/service/import-source.ts";
import { givenStage, type ServiceStage } from "../../../../test/service/stage.ts";
import { givenSettings } from "../../../../test/settings.ts";
import { type Target, targetIn } from "../../../kit/target.ts";
import { importCommand } from "../command.ts";
import type { Imported, Listener, runImport } from "../run.ts";
import type { kinds } from "../source/tables.ts";
import { valuesOf } from "../source/values.ts";

const size = { users: 70, members: 20, events: 10, registrations: 200, odd: 48, now: Date.now() };

let stage: ServiceStage;
let folder: string;
let from: string;
let to: string;
let made: Made;
let target: Target;
let run: { runImport: typeof runImport };
/** Transactions that have written registrations. */
let written = 0;
let onWritten = (): void => undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-"));
  from = join(folder, "source");
  to = join(folder, "outputs.json");
  stage = await givenStage({
    onTableCall: ({ operation, request }) => {
      if (operation !== "TransactWriteItems" || !JSON.stringify(request).includes('"REG#')) return;
      written += 1;
      onWritten();
    },
  });
  await writeFile(to, JSON.stringify(stage.outputs));
  made = await makeSource(from, size);
  target = await targetIn(to);
  givenSettings(target.environment);
  run = await import("../run.ts");
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

async function command(...more: string[]) {
  const lines: string[] = [];
  const args = ["--from", from, "--to", to, "--report", join(folder, "report"), ...more];
  const code = await importCommand(args, { print: (line) => void lines.push(line) });
  return { code, lines, text: lines.join("\n") };
}

/** Imports a folder, without the words of the command. */
const imported = (listener: Partial<Listener> = {}, more: Partial<Parameters<typeof runImport>[0]> = {}) =>
  run.runImport(
    { from, values: valuesOf(target.stage), dry: false, tell: false, ...more },
    {
      surveyed: async () => true,
      written: () => undefined,
      ...listener,
    },
  );

/** The items of the table without those of deliveries, by key. */
async function snapshot(): Promise<Map<string, unknown>> {
  const items = await stage.storedItems();
  return new Map(items.map((item) => [`${item.PK} ${item.SK}`, item]));
}

const partOf = (kind: "new" | "imported before", { verdicts }: Imported) =>
  Object.fromEntries(Object.entries(verdicts).map(([name, counts]) => [name, counts[kind] ?? 0]));

const taken = (kind: (typeof kinds)[number]): number => (made.rows[kind] ?? 0) - (made.refused[kind] ?? 0);

const allTaken = () => ({
  events: taken("events"),
  users: taken("users"),
  members: taken("members"),
  profiles: taken("profiles"),
  registrations: taken("registrations"),
  feedback: taken("feedback"),
  prizes: taken("prizes"),
});

/** What `npm run ops -- check` finds, without free seats: an import admits no person. */
async function problems(): Promise<string[]> {
  const { walk } = await import("../../../ops/invariants/walk.ts");
  const found: string[] = [];
  await walk(
    { indexLag: 300, standStill: 60_000, hasChat: true },
    {
      progress: () => undefined,
      found: ({ kind, says }) => {
        if (kind !== "free seat") found.push(`${kind}: ${says}`);
      },
    },
  );
  return found;
}

/** No message was written, so no consumer has heard of anything. */
async function expectSilence(): Promise<void> {
  await stage.settled();
  expect(await stage.outboxRows()).toEqual([]);
  expect(stage.mailbox.list()).toEqual([]);
  expect(await stage.chatTexts()).toEqual([]);
}

/** An event of the source to come, with more people than seats, which takes no applications and has no price. */
const crowded = eventOf(1);
const crowdedPath = `/events/${crowded.id}/${crowded.year}`;
const registrationsOf = async ({ id, year }: { id: string; year: number }) =>
  (await stage.list(`/registrations?eventID=${id}&year=${year}`)).body.data as {
    email: string;
    registrationStatus: string;
  }[];

test("a dry run says what would be done, and writes nothing", async () => {
  const { code, text } = await command("--dry-run");
  expect({ code, text }).toMatchObject({ code: 0 });
  expect(text).toMatch(new RegExp(`registrations\\s+${made.rows.registrations}\\s+${taken("registrations")}`));
  expect(text).toContain(`would be: registrations ${taken("registrations")} new`);
  expect(text).toContain("the email's usual spelling");
  expect(text).toContain("More people than seats; all stay, and newcomers join the line:\n    event-1;2025:");
  expect(await stage.storedItems()).toEqual([]);
  // Each row that is not taken is in the file, with its reason.
  const refused = (await readFile(join(folder, "report/refused.jsonl"), "utf8")).trim().split("\n");
  const rows = refused.map((line) => JSON.parse(line) as { kind: string; why: string; row: unknown });
  const counts: Record<string, number> = {};
  for (const { kind } of rows) counts[kind] = (counts[kind] ?? 0) + 1;
  expect(counts).toEqual(made.refused);
  expect(rows.every(({ why, row }) => why !== "" && row !== undefined)).toBe(true);
});

test("an import that is stopped has written whole records, and its events are closed until the next one ends", async () => {
  const stop = new AbortController();
  onWritten = () => {
    if (written >= 4) stop.abort();
  };
  await expect(imported({}, { stop: stop.signal })).rejects.toThrow("interrupted");
  const items = await stage.storedItems();
  const registrations = items.filter(({ SK }) => `${SK}`.startsWith("REG#"));
  expect(registrations.length).toBeGreaterThan(0);
  expect(registrations.length).toBeLessThan(taken("registrations"));
  // Seats are those of the registrations at any time.
  for (const { id, year, seats } of items
    .filter(({ PK }) => `${PK}`.startsWith("SEAT#"))
    .map(({ PK, seats }) => ({ id: `${PK}`.split("#")[1], year: `${PK}`.split("#")[2], seats }))) {
    const own = registrations.filter(({ SK }) => SK === `REG#${id}#${year}`);
    const holders = own.filter(
      ({ status, applicant, pool }) =>
        !["waitlist", "cancelled", "rejected"].includes(`${status}`) && !applicant && pool === undefined,
    );
    expect({ id, seats }).toEqual({ id, seats: holders.length });
  }
  const newcomer = newEmail();
  const { status, body } = await stage.api("POST", "/registrations", {
    as: newcomer,
    body: { eventID: crowded.id, year: crowded.year, email: newcomer },
  });
  expect({ status, code: body.code }).toEqual({ status: 409, code: "EVENT_CLOSED" });
});

test("the next import goes on, and the one after it changes nothing", async () => {
  const second = await imported();
  expect(await problems()).toEqual([]);
  const [fresh, known] = [partOf("new", second), partOf("imported before", second)];
  expect(known.registrations).toBeGreaterThan(0);
  for (const [kind, count] of Object.entries(allTaken())) {
    expect({ kind, count: (fresh[kind] ?? 0) + (known[kind] ?? 0) }).toEqual({ kind, count });
  }
  const before = await snapshot();
  const third = await imported();
  expect(partOf("imported before", third)).toEqual(allTaken());
  expect(await snapshot()).toEqual(before);
  await expectSilence();
});

test("seats and the line are those of the source, in the order of creation", async () => {
  for (let n = 0; n < size.events; n += 1) {
    const { id, year } = eventOf(n);
    const name = `${id};${year}`;
    const { body } = await stage.api("GET", `/events/${id}/${year}?count=true`, { as: exec });
    // Odd rows come on top: they hold a seat, or apply.
    const more = body.counts.seatsTaken - (made.holders.get(name) ?? 0);
    expect({ name, isMore: more >= 0 && more <= 3 }).toEqual({ name, isMore: true });
    const line = await stage.stored(`WAIT#${id}#${year}`);
    expect({ name, line: line.map(({ email }) => email) }).toEqual({ name, line: made.waiting.get(name) ?? [] });
  }
});

test("the API answers the people who moved in", async () => {
  const person = personOf(0);
  const [self, member, profile] = await Promise.all([
    stage.api("GET", "/users/self", { as: person }),
    stage.api("GET", `/members/${person}`, { as: exec }),
    stage.api("GET", "/profiles/profile/Member0", { as: person }),
  ]);
  expect([self.status, member.status, profile.status]).toEqual([200, 200, 200]);
  expect(self.body).toMatchObject({ id: person, isMember: true, favEvents: ["event-0;2024", "event-1;2025"] });
  expect(member.body).toMatchObject({
    profileID: "Member0",
    prevMember: true,
    topics: ["Consulting", "Startups"],
    cardCount: 2,
  });
  // A member of the source without an account or a profile has both.
  const only = "only.member7@student.example";
  expect((await stage.api("GET", "/profiles/user", { as: only })).body).toMatchObject({ profileID: "OnlyMember7" });
  expect((await stage.api("GET", "/users/self", { as: only })).body).toMatchObject({ isMember: true, fname: "Only" });
  expect((await stage.list("/users")).body).toHaveLength(taken("users") + 3);
});

test("a newcomer at a full event joins the line behind those of the source", async () => {
  const newcomer = newEmail();
  const waiting = made.waiting.get(`${crowded.id};${crowded.year}`) ?? [];
  const { status, body } = await stage.api("POST", "/registrations", {
    as: newcomer,
    body: {
      eventID: crowded.id,
      year: crowded.year,
      email: newcomer,
      dynamicResponses: { "why-1": "To learn.", "shop-1": "C" },
    },
  });
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { registrationStatus: "waitlist", registration: { waitlistPosition: waiting.length + 1 } },
  });
});

test("the ticket of a person who moved in opens the door", async () => {
  const holder = (await registrationsOf(crowded)).find(({ registrationStatus }) => registrationStatus === "registered");
  const own = await stage.list(`/registrations?eventID=${crowded.id}&year=${crowded.year}&email=${holder?.email}`);
  const body = { code: own.body.data[0]?.ticketCode, eventID: crowded.id, year: crowded.year };
  const { status, body: answer } = await stage.api("POST", "/registrations/check-in", { as: exec, body });
  expect({ status, answer }).toMatchObject({ status: 200, answer: { registration: { email: holder?.email } } });
});

test("what changed here stays, what is deleted here stays deleted, and what is new there is taken", async () => {
  const all = await registrationsOf(crowded);
  const [leaver = "", still = ""] = all
    .filter(({ registrationStatus }) => registrationStatus === "registered")
    .map(({ email }) => email);
  // Here: a person cancels, an account is deleted, an event gets another name.
  const cancelled = await stage.api("PUT", `/registrations/${leaver}/x`, {
    as: exec,
    body: { eventID: crowded.id, year: crowded.year, registrationStatus: "cancelled" },
  });
  expect(cancelled.status).toBe(200);
  expect((await stage.api("PATCH", crowdedPath, { as: exec, body: { ename: "Our name" } })).status).toBe(200);
  const gone = personOf(69);
  expect((await stage.api("DELETE", `/users/${gone}`, { as: exec })).status).toBe(200);
  await stage.settled();
  // There: newer rows of the same, and a new registration.
  const later = join(folder, "later");
  const updatedAt = Date.now();
  await makeSource(later, { ...size, odd: 0 });
  const row = (id: string, registrationStatus: string) => ({
    id,
    "eventID;year": `${crowded.id};${crowded.year}`,
    registrationStatus,
    updatedAt,
  });
  const rows = {
    biztechRegistrations: [
      row(leaver, "registered"),
      row(still, "cancelled"),
      row("late@student.example", "registered"),
    ],
    biztechUsers: [{ id: gone, fname: "Back", updatedAt }],
    biztechEvents: [{ ...crowded, ename: "Their name", updatedAt }],
  };
  for (const [table, all] of Object.entries(rows)) await writeFile(join(later, `${table}.json`), JSON.stringify(all));
  const { verdicts } = await imported({}, { from: later });
  expect(await problems()).toEqual([]);
  expect(verdicts).toMatchObject({ registrations: { new: 1 }, users: { "deleted here": 1 } });
  const now = new Map((await registrationsOf(crowded)).map((one) => [one.email, one.registrationStatus]));
  const people = [leaver, still, "late@student.example"];
  expect(people.map((email) => now.get(email))).toEqual(["cancelled", "registered", "registered"]);
  expect((await stage.api("GET", crowdedPath, { as: exec })).body.ename).toBe("Our name");
  expect((await stage.api("GET", `/users/${gone}`, { as: exec })).status).toBe(404);
});

test("people register while an import runs, and every count is right", async () => {
  const { id, year } = eventOf(7);
  const source = join(folder, "meanwhile");
  await makeSource(source, { ...size, odd: 0 });
  const rows = Array.from({ length: 60 }, (_, n) => ({
    id: `late${n}@student.example`,
    "eventID;year": `${id};${year}`,
    registrationStatus: "registered",
    updatedAt: Date.now(),
  }));
  await writeFile(join(source, "biztechRegistrations.json"), JSON.stringify(rows));
  const answers = { "why-7": "To learn." };
  const registering = Promise.all(
    Array.from({ length: 25 }, async () => {
      const email = newEmail();
      const body = { eventID: id, year, email, dynamicResponses: answers };
      return (await stage.api("POST", "/registrations", { as: email, body })).status;
    }),
  );
  const [{ verdicts }, statuses] = await Promise.all([imported({}, { from: source }), registering]);
  expect(new Set(statuses)).toEqual(new Set([201]));
  expect(verdicts.registrations.new).toBe(60);
  await stage.settled();
  expect(await problems()).toEqual([]);
});

test("counts that are no longer those that were read refuse the transaction", async () => {
  const { countsAfter, replaceCounts } = await import("../write/taken-over.ts");
  const { readSeats } = await import("#domain/capacity/seats.ts");
  const { id, year } = eventOf(9);
  const read = await readSeats({ id, year }, "strong");
  if (!read) throw new Error("the event has no seats");
  const holder = { choices: {}, counters: { seats: 1, registered: 1 } };
  const member = replaceCounts({ id, year }, countsAfter(read, [{ after: holder, waits: false }]), read);
  await stage.table.send(new TransactWriteCommand({ TransactItems: [member] }));
  const again = stage.table.send(new TransactWriteCommand({ TransactItems: [member] }));
  await expect(again).rejects.toThrow(/ConditionalCheckFailed/);
  expect((await readSeats({ id, year }, "strong"))?.seats).toBe(read.seats + 1);
  // Back to what the registrations say.
  const now = await readSeats({ id, year }, "strong");
  if (!now) throw new Error("the event has no seats");
  await stage.table.send(new TransactWriteCommand({ TransactItems: [replaceCounts({ id, year }, read, now)] }));
});

test("--tell sends the tickets of events to come, each once", async () => {
  const told = async (): Promise<[tickets: number, mails: string[]]> => {
    await stage.settled();
    const before = stage.mailbox.list().length;
    const { text } = await command("--yes", "--tell");
    await stage.settled();
    const mails = stage.mailbox.list().slice(before);
    const tickets = /([\d,]+) tickets are on their way/.exec(text)?.[1] ?? "";
    return [Number(tickets.replace(",", "")), mails.map(({ subject }) => subject.replace(/Event \d+.*/, ""))];
  };
  const [tickets, subjects] = await told();
  expect(tickets).toBeGreaterThan(5);
  expect(subjects).toHaveLength(tickets);
  expect(subjects).toContain("You're registered: ");
  expect(await told()).toEqual([0, []]);
});

test.each<[string, string[], RegExp]>([
  ["no folder", ["--to", "x.json"], /Usage/],
  ["a folder that is not there", ["--from", "/nowhere", "--to", "x.json"], /is no folder/],
])("wrong use: %s", async (_name, args, sentence) => {
  const lines: string[] = [];
  expect(await importCommand(args, { print: (line) => void lines.push(line) })).toBe(2);
  expect(lines.join()).toMatch(sentence);
});
