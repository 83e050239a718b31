/**
 * An evening at the door: three phones with clocks of their own scan tickets of one event on the local stage, while their
 * networks come and go, their pages are loaded again and killed, people come twice, and tickets are cancelled. Afterwards
 * the stage is compared with what the phones have shown.
 */

import { randomUUID } from "node:crypto";
import { marshall } from "@aws-sdk/util-dynamodb";
import fc from "fast-check";
import { ulid } from "ulid";
import type { Outcome } from "#domain/registrations/door/scans.ts";
import type { Chromium } from "../browser/chromium.ts";
import { Phone } from "../browser/door-phone.ts";
import { exec, year } from "../service/given.ts";
import type { ServiceStage } from "../service/stage.ts";
import { givenSettings } from "../settings.ts";

const hour = 3_600_000;
const tickets = 500;

interface Guest {
  readonly email: string;
  readonly code: string;
}

/** What a phone has done with a ticket. Times are epoch milliseconds of the service. */
interface Shown {
  readonly guest: Guest;
  readonly device: string;
  readonly from: number;
  readonly until: number;
  /** Whether the person came in; undefined: the page was killed before it showed that. */
  readonly admitted: boolean | undefined;
  isUndone?: boolean;
}

const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ does: fc.constant("scan" as const), who: fc.constant("new" as const) }) },
  {
    weight: 9,
    arbitrary: fc.record({
      does: fc.constant("scan" as const),
      who: fc.constantFrom("seen" as const, "seen" as const, "cancelled" as const, "forged" as const, "late" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("killed scan" as const) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom("cancel" as const, "undo" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constantFrom("offline" as const, "online" as const, "lost answers" as const) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom("reload" as const, "kill" as const) }) },
);
const plan = (steps: number) =>
  fc.record({
    clockOffset: fc.constantFrom(0, -26 * hour, 3 * hour, 400 * 24 * hour),
    steps: fc.array(fc.record({ act: step, pick: fc.nat(10_000), letsIn: fc.boolean() }), {
      minLength: steps,
      maxLength: steps,
    }),
  });

/** Stores registrations of an event as if the people had registered, with some points, and counts them. */
async function givenGuests(stage: ServiceStage, id: string): Promise<string[]> {
  givenSettings({ TABLE_NAME: stage.outputs.tableName });
  const { registrationItem } = await import("#domain/registrations/store/store.ts");
  const { registrationRecord } = await import("../unit/given.ts");
  const [event] = await stage.stored(`EVENT#${id}#${year}`);
  const seats = await stage.storedSeats(id);
  const emails = Array.from({ length: tickets }, (_, n) => `guest-${n}@${id}.example`);
  const records = emails.map((email, n) => ({
    ...registrationRecord({ email, eventID: id, year, generation: event?.generation as string }),
    queueKey: `${Date.now()}#${ulid()}`,
    ticketId: randomUUID(),
    fname: `Guest${n}`,
    basicInformation: { lname: "Evening" },
    points: n % 3,
  }));
  const items = [...records.map(registrationItem), { ...seats, seats: tickets, registered: tickets }];
  await stage.engine.load(
    stage.outputs.tableName,
    items.map((item) => marshall(item)),
  );
  return emails;
}

/** A scan as the executives see it. */
interface Stored {
  readonly outcome: Outcome;
  readonly device: string;
  readonly at: number;
  readonly undoes?: string;
  readonly reason?: string;
}

/** All scans of the event, by email, or by mark for codes that are not its tickets. */
async function scansOf(stage: ServiceStage, id: string): Promise<Map<string, Stored[]>> {
  const all = new Map<string, Stored[]>();
  let cursor = "";
  do {
    const path = `/registrations/check-in/scans?eventID=${id}&year=${year}${cursor}`;
    const { body, headers } = await stage.api("GET", path, { as: exec });
    for (const { email, mark, scans } of body.tickets) all.set(email ?? mark, scans);
    cursor = headers.has("x-next-cursor") ? `&cursor=${headers.get("x-next-cursor")}` : "";
  } while (cursor);
  return all;
}

/** One evening. @returns a sentence for each thing that is wrong, and what happened */
export async function evening(
  stage: ServiceStage,
  browser: Chromium,
  seed: number,
  stepsOfPhone: number,
): Promise<{ readonly problems: string[]; readonly scans: number; readonly doubles: number }> {
  const id = await stage.givenEvent({
    id: `evening-${seed}`,
    startDate: new Date(Date.now() - hour).toISOString(),
    endDate: new Date(Date.now() + 2 * hour).toISOString(),
    deadline: new Date(Date.now() + hour).toISOString(),
  });
  const waitingForPhone = await givenGuests(stage, id);
  const { secret } = (await stage.api("POST", `/events/${id}/${year}/door-links`, { as: exec })).body;
  const shown: Shown[] = [];
  const cancelled = new Set<string>();
  const seen: Guest[] = [];
  const problems: string[] = [];
  let late = 0;

  const guestOf = async (email: string): Promise<Guest> => ({
    email,
    code: (await stage.registrationOf(id, email)).ticketCode,
  });

  async function phoneEvening(name: string, { clockOffset, steps }: { clockOffset: number; steps: Planned[] }) {
    const phone = await Phone.of(browser, {
      page: `${stage.outputs.apiUrl}/door/`,
      clockOffset,
      context: await browser.newContext(),
    });
    await phone.join(`#${id}/${year}/${secret}`, name);
    let isOffline = false;
    let last: Shown | undefined;
    const present = (guest: Guest, from: number, admitted: boolean | undefined): Shown => {
      const one = { guest, device: name, from, until: Date.now(), admitted };
      shown.push(one);
      return one;
    };
    const pickedBy = async (who: string, pick: number): Promise<Guest | undefined> => {
      if (who === "seen") return seen[pick % Math.max(1, seen.length)];
      if (who === "forged") return { email: "", code: `V2.FORGED${seed}${pick}` };
      if (who === "cancelled") {
        const emails = [...cancelled];
        return seen.find(({ email }) => email === emails[pick % Math.max(1, emails.length)]);
      }
      if (who === "late") {
        late += 1;
        const email = `late-${late}@${id}.example`;
        await stage.registerByAdmin(id, email, { fname: "Late" });
        return guestOf(email);
      }
      const email = waitingForPhone.splice(pick % waitingForPhone.length, 1)[0] as string;
      return guestOf(email);
    };
    const acts: Record<string, (planned: Planned) => Promise<void>> = {
      async scan({ act, pick, letsIn }) {
        const guest = await pickedBy("who" in act ? act.who : "new", pick);
        if (!guest) return;
        if (!seen.some(({ code }) => code === guest.code)) seen.push(guest);
        const from = Date.now();
        let verdict = await phone.show(guest.code);
        if (verdict.colour === "amber") verdict = await phone.decide(letsIn ? "Let in" : "Turn away");
        const isIn = verdict.colour === "green" || (verdict.colour === "amber" && letsIn);
        last = present(guest, from, isIn);
      },
      async "killed scan"({ pick }) {
        const guest = await pickedBy("new", pick);
        if (!guest) return;
        seen.push(guest);
        const from = Date.now();
        await phone.hold(guest.code);
        await phone.kill();
        present(guest, from, undefined);
        await phone.restart(isOffline);
        last = undefined;
      },
      async undo() {
        if (!last?.admitted || last.isUndone) return;
        const { verdict } = { verdict: await phone.verdict() };
        if (!verdict.text.includes("Undo")) return;
        await phone.choose("Undo");
        last.isUndone = true;
      },
      async cancel({ pick }) {
        const guest = seen[pick % Math.max(1, seen.length)];
        if (!guest?.email) return;
        const { status } = await stage.moveTo(id, guest.email, "cancelled");
        if (status === 200) cancelled.add(guest.email);
      },
      async offline() {
        await phone.goOffline();
        isOffline = true;
      },
      async online() {
        await phone.goOnline();
        isOffline = false;
      },
      "lost answers": () => phone.loseAnswers(2),
      async reload() {
        await phone.reload();
        last = undefined;
      },
      async kill() {
        await phone.kill();
        await phone.restart(isOffline);
        last = undefined;
      },
    };
    for (const planned of steps) await acts[planned.act.does]?.(planned);
    await phone.goOnline();
    for (let tries = 0; tries < 20 && (await phone.unsent()) > 0; tries += 1) await phone.sync();
    if ((await phone.unsent()) > 0) problems.push(`${name} could not send everything: ${await phone.text()}`);
    return phone;
  }

  const plans = fc.sample(plan(stepsOfPhone), { seed, numRuns: 3 });
  const phones = await Promise.all(plans.map((one, n) => phoneEvening(`door ${n + 1}`, one)));
  for (const phone of phones) await phone.sync();
  await stage.settled();
  // A request that is under way delays the corrected time of its scans.
  const longestRequest = Math.max(...(await Promise.all(phones.map((phone) => phone.longestRequest()))));

  const stored = await scansOf(stage, id);
  let doubles = 0;
  for (const guest of seen.filter(({ email }) => email !== "")) {
    const own = shown.filter((one) => one.guest.code === guest.code);
    const scans = (stored.get(guest.email) ?? []).filter(({ undoes }) => undoes === undefined);
    const registration = await stage.registrationOf(id, guest.email);
    const says = (what: string) =>
      problems.push(`${guest.email}: ${what}; shown ${JSON.stringify(own)}; stored ${JSON.stringify(scans)}`);
    for (const device of new Set(own.map((one) => one.device))) {
      const certain = own.filter((one) => one.device === device && one.admitted !== undefined);
      const mayBe = own.filter((one) => one.device === device);
      const there = scans.filter((scan) => scan.device === device);
      // A question that is answered by a button may be two rows.
      if (there.length < certain.length) says("a scan was lost");
      if (there.length > 2 * mayBe.length) says("a scan is stored twice");
    }
    const entered = own.filter(({ admitted, isUndone }) => admitted && !isUndone);
    const isCertain = own.every(({ admitted }) => admitted !== undefined);
    const status = registration.registrationStatus;
    if (cancelled.has(guest.email)) {
      if (status !== "cancelled") says(`was cancelled and is ${status}`);
      if (entered.length > 0 && !scans.some(({ outcome }) => outcome === "admitted")) says("nobody sees who came in");
      continue;
    }
    if (entered.length > 0 && status !== "checkedIn") says(`came in and is ${status}`);
    if (entered.length === 0 && isCertain && status === "checkedIn") says("did not come in and is checked in");
    const entries = scans.filter(({ outcome }) => outcome === "checkedIn" || outcome === "again");
    if (status === "checkedIn") {
      const first = Math.min(...entries.map(({ at }) => at));
      if (entries.filter(({ outcome }) => outcome === "checkedIn").length !== 1) says("has not one check-in");
      if (registration.checkedInAt !== first) says("the check-in is not the earliest scan");
    }
    if (isCertain && entered.length > 0) {
      const [from, until] = [
        Math.min(...entered.map((one) => one.from)),
        Math.min(...entered.map((one) => one.until)) + longestRequest,
      ];
      if (registration.checkedInAt < from - 1_000 || registration.checkedInAt > until + 1_000)
        says("the time is wrong");
    }
    if (entered.length > 1) doubles += 1;
    for (const { device } of entered) {
      if (entries.filter((scan) => scan.device === device).length < entered.filter((e) => e.device === device).length) {
        says(`an entry at ${device} has no name`);
      }
    }
  }
  problems.push(...(await countProblems(stage, id)));
  const lost = phones[0] as Phone;
  const { devices } = (await stage.api("GET", `/events/${id}/${year}/door-links`, { as: exec })).body;
  // Each Join without an answer may have made a device, too.
  for (const device of devices.filter(({ name }: { name: string }) => name === "door 1")) {
    await stage.api("DELETE", `/events/${id}/${year}/door-links?device=${device.id}`, { as: exec });
  }
  await lost.sync();
  if (!(await lost.text()).includes("revoked")) problems.push("a revoked phone goes on");
  for (const phone of phones) await phone.kill();
  return { problems, scans: shown.length, doubles };
}

type Planned =
  ReturnType<typeof plan> extends fc.Arbitrary<infer P extends { steps: unknown[] }> ? P["steps"][number] : never;

/** The counters against the registrations, and the points that must not have changed. */
async function countProblems(stage: ServiceStage, id: string): Promise<string[]> {
  const all: Record<string, unknown>[] = [];
  for (let cursor = "", more = true; more; ) {
    const { body, headers } = await stage.list(`/registrations?eventID=${id}&year=${year}&limit=400${cursor}`);
    all.push(...body.data);
    more = headers.has("x-next-cursor");
    cursor = `&cursor=${headers.get("x-next-cursor")}`;
  }
  const of = (status: string) => all.filter(({ registrationStatus }) => registrationStatus === status).length;
  const counts = await stage.countsOf(id);
  const wrongPoints = all.filter(({ email, points }) => {
    const n = /^guest-(\d+)@/.exec(String(email))?.[1];
    return n !== undefined && points !== Number(n) % 3;
  });
  return [
    ...(counts.checkedInCount === of("checkedIn")
      ? []
      : [`counted ${counts.checkedInCount} are in: ${of("checkedIn")}`]),
    ...(counts.registeredCount === of("registered") ? [] : [`counted ${counts.registeredCount}: ${of("registered")}`]),
    ...wrongPoints.map(({ email }) => `${email} has other points`),
  ];
}
