/** An operator's commands against the local stage (`docs/runbook.md`). */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { partsOf } from "#kit/request/context.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { ops } from "../../tools/ops/command.ts";
import { isRepaired, type Kind, kinds, resolutionOf } from "../../tools/ops/invariants/kinds.ts";
import { newEmail, year } from "../service/given.ts";
import { operatorOf } from "../service/operator.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";
import { damages, registrationKey, seatsKey, vandal } from "./damage.ts";

let stage: ServiceStage;
let operator: Awaited<ReturnType<typeof operatorOf>>;
beforeAll(async () => {
  stage = await givenStage({ hasStrays: true });
  operator = await operatorOf(stage);
});
afterAll(async () => {
  await stage.close();
  await operator.close();
});

const lag = process.env.INDEX_LAG ?? "0";
const run = (command: string, ...more: string[]) =>
  operator.run(...command.split(" "), "--index-lag", String(Number(lag) + 50), ...more);

describe("a stage that was damaged in every way", () => {
  const found = (lines: readonly string[], kind: string) => lines.filter((line) => line.startsWith(`${kind}: `));

  test("is found out, shown, repaired, resolved as the advice says, and then only what must stay is found", async () => {
    const healthy = await run("check");
    expect(healthy).toMatchObject({ code: 0, text: expect.stringContaining("Nothing is wrong.") });

    const all = damages(stage);
    const done = async (one: (typeof all)[number]) => ({ ...one, resolution: await one.run() });
    const planted = await Promise.all(all.filter(({ isLast }) => !isLast).map(done));
    for (const one of all) if (one.isLast) planted.push(await done(one));
    await stage.settled();
    const check = await run("check");
    expect(check.code).toBe(1);
    const damaged = [...new Set(all.map(({ kind }) => kind))];
    expect(Object.keys(kinds).filter((kind) => !damaged.includes(kind as Kind))).toEqual([]);
    const missing = damaged.filter((kind) => found(check.lines, kind).length === 0);
    expect({ missing, text: check.text }).toMatchObject({ missing: [] });
    for (const kind of damaged) {
      const expected = all.filter((one) => one.kind === kind).length;
      expect({ kind, found: found(check.lines, kind).length >= expected }).toEqual({ kind, found: true });
      expect(check.lines.filter((line) => line === `  -> ${resolutionOf(kind)}`).length).toBeGreaterThan(0);
    }

    const before = await stage.storedItems();
    const shown = await run("repair");
    expect(shown).toMatchObject({ code: 1, text: expect.stringContaining("Nothing is written.") });
    expect(await stage.storedItems()).toEqual(before);

    const repaired = await run("repair", "--apply");
    expect(repaired.text).toMatch(/^Repairs: .*\b\d+ repaired/m);
    await stage.settled();
    stage.payments.release();
    await stage.settled();
    const left = (await run("check")).lines.filter((line) => /^[a-z ]+: /.test(line));
    // Only the counters of the event whose registration is lost are not repaired.
    const unrepaired = left.map((line) => line.split(":")[0] as Kind).filter(isRepaired);
    expect({ unrepaired, left }).toMatchObject({ unrepaired: ["other counts"] });

    for (const { resolution } of planted) {
      if (typeof resolution === "function") await resolution();
      else if (typeof resolution === "string") expect(await run(resolution)).toMatchObject({ code: 0 });
    }
    await stage.settled();
    // Now that no registration is lost, these counters are repaired too.
    await run("repair", "--apply");
    const after = await run("check");
    const stay = all.filter(({ stays }) => stays).map(({ kind }) => kind);
    const kindsLeft = after.lines.flatMap((line) => /^([a-z ]+): /.exec(line)?.[1] ?? []);
    expect({ left: kindsLeft.sort(), text: after.text }).toMatchObject({ left: stay.sort() });
  });
});

describe("a repair of an event whose registrations are lost", () => {
  test("names the people, and gives no seat away until their registrations are resolved by the API", async () => {
    const [lost, next] = [newEmail(), newEmail()];
    const id = await stage.givenEventWith([lost, next], { capac: 1 });
    await stage.settled();
    await vandal(stage).remove(registrationKey(lost, id));
    const about = (text: string) => text.split("\n").filter((line) => line.includes(`SEAT#${id}#`));
    const check = await run("check");
    expect(check.lines).toContainEqual(expect.stringMatching(new RegExp(`^lost registration: .*${lost} for ${id};`)));
    const held = await run("repair", "--apply");
    expect(about(held.text)).toContainEqual(expect.stringContaining(`the registrations of ${lost} are lost`));
    expect(await stage.storedSeats(id)).toMatchObject({ seats: 1 });
    // The person does not come any more: the seat goes to the next one.
    expect((await stage.registerByAdmin(id, lost)).status).toBe(201);
    expect((await stage.leave(id, lost)).status).toBe(200);
    await run("repair", "--apply");
    await run("repair", "--apply");
    expect(await stage.statusOf(id, next)).toBe("registered");
    expect(about((await run("check")).text)).toEqual([]);
  });
});

describe("a repair of an event whose counters say that a taken seat is free", () => {
  const oversold = async () => {
    const [seated, waits] = [newEmail(), newEmail()];
    const id = await stage.givenEventWith([seated, waits], { capac: 1 });
    await stage.settled();
    await vandal(stage).set(seatsKey(id), { seats: 0, registered: 0 });
    return { id, waits };
  };

  test("corrects the counters first, and nobody gets that seat", async () => {
    const { id, waits } = await oversold();
    const { text } = await run("check");
    for (const kind of ["other counts", "free seat"]) expect(text).toContain(`${kind}: SEAT#${id}#`);
    await run("repair", "--apply");
    expect(await stage.statusOf(id, waits)).toBe("waitlist");
    expect((await run("check")).text).not.toContain(`SEAT#${id}#`);
  });

  test("control: by the counters as they are the seat is given away twice", async () => {
    const { id, waits } = await oversold();
    const { repairFinding } = await import("../../tools/ops/repair.ts");
    const options = { hasChat: true, indexLag: Number(lag) + 50, standStill: 10_000 };
    expect(await repairFinding({ kind: "free seat", key: seatsKey(id) }, options)).toBe("repaired");
    expect(await stage.statusOf(id, waits)).toBe("registered");
  });
});

describe("a repair while people register", () => {
  /** Registrations that go on until they are told to stop. @returns the emails of those that were answered with 201 */
  function rush(id: string) {
    const seated: string[] = [];
    let isOver = false;
    const done = (async () => {
      while (!isOver) {
        const email = newEmail();
        if ((await stage.register(id, email)).status === 201) seated.push(email);
        // Every third person leaves again, so the counters go up and down.
        if (seated.length % 3 === 0) {
          const gone = seated.pop() as string;
          expect((await stage.leave(id, gone)).status).toBe(200);
        }
      }
    })();
    const stop = async () => {
      isOver = true;
      await done;
      return seated;
    };
    return { seated, stop };
  }

  const set = (...args: Parameters<ReturnType<typeof vandal>["set"]>) => vandal(stage).set(...args);

  test("adds the difference to the counters, and no registration is lost", async () => {
    const id = await stage.givenEventWith([newEmail(), newEmail()], { capac: 500 });
    const { repairFinding } = await import("../../tools/ops/repair.ts");
    await set(seatsKey(id), { seats: 40, registered: 0 });
    const traffic = rush(id);
    const repairOptions = { hasChat: true, indexLag: Number(lag), standStill: 500 };
    const during = await repairFinding({ kind: "other counts", key: seatsKey(id) }, repairOptions);
    const seated = await traffic.stop();
    // Busy: the event did not stand still for the first look, or, after the correction, for the one that confirms it.
    expect(["repaired", "busy"]).toContain(during);
    const { corrections = 0 } = await stage.storedSeats(id);
    const after = { ...repairOptions, standStill: 10_000, indexLag: Number(lag) + 50 };
    expect(await repairFinding({ kind: "other counts", key: seatsKey(id) }, after)).toBe(
      corrections === 0 ? "repaired" : "nothing to do",
    );
    const { seats, registered } = await stage.storedSeats(id);
    expect({ seats, registered }).toEqual({ seats: seated.length + 2, registered: seated.length + 2 });
  });

  test("counts a person who registers between the look and the write; numbers that were set would lose this person", async () => {
    const { lookAtEvent } = await import("../../tools/ops/invariants/event-state.ts");
    const { correctCounts } = await import("../../tools/ops/correction.ts");
    const { commit } = await import("#kit/table/table.ts");
    const look = async (id: string) => {
      const looked = await lookAtEvent({ id, year }, { indexLag: Number(lag) + 50, standStill: 10_000 });
      if (looked === "none" || looked === "busy") throw new Error(looked);
      return looked;
    };
    const isRight = async (id: string) => (await look(id)).differences.length === 0;
    const damaged = async () => {
      const id = await stage.givenEventWith([newEmail()], { capac: 50 });
      await set(seatsKey(id), { seats: 9 });
      const looked = await look(id);
      const counters = Object.fromEntries(looked.differences.map(({ of, by }) => [String(of), by]));
      expect((await stage.register(id, newEmail())).status).toBe(201);
      return { id, event: { id, year }, looked, counters };
    };

    const right = await damaged();
    const correction = () => correctCounts(right.event, { counters: right.counters, choices: [] }, right.looked.seats);
    expect(await commit({ seats: correction() })).toEqual({ committed: true });
    expect(await isRight(right.id)).toBe(true);
    // Two operators who saw the same difference correct it once.
    expect(await commit({ seats: correction() })).toMatchObject({ committed: false });
    expect(await isRight(right.id)).toBe(true);

    // The control: without the count of corrections the second one does harm.
    const { Update } = correction();
    const unguarded = { Update: { ...Update, ConditionExpression: "generation = :generation" } } as never;
    await commit({ seats: unguarded });
    expect(await isRight(right.id)).toBe(false);

    // The control: the number of the look, set without a condition, loses the person who came meanwhile.
    const wrong = await damaged();
    await set(seatsKey(wrong.id), { seats: wrong.looked.counts.counters.seats });
    expect((await look(wrong.id)).differences).toEqual([{ of: "seats", counted: 2, stored: 1, by: 1 }]);
  });

  test("of a record demands all that it was decided on; without that a live registration is lost", async () => {
    const { look } = await import("../../tools/ops/invariants/walk.ts");
    const { guarded } = await import("../../tools/ops/guarded.ts");
    const { seam } = await import("#kit/seam.ts");
    const { plans } = await import("../../tools/ops/repairs.ts");
    const { commit } = await import("#kit/table/table.ts");

    /** A place without a registration is found; then its person is back, before the repair writes. */
    async function raced() {
      const [id, email] = [await stage.givenEventWith([newEmail()], { capac: 1 }), newEmail()];
      expect((await stage.register(id, email)).body.registrationStatus).toBe("waitlist");
      const registration = (await stage.storedRegistration(id, email)) as Record<string, unknown>;
      const place = keyOf("place in line", { id, year, ...partsOf(String(registration.queueKey)) });
      await vandal(stage).remove(registrationKey(email, id));
      const looked = await look(place, { hasChat: true });
      if (!looked) throw new Error("no place");
      expect(looked.findings).toMatchObject([{ kind: "place of no person" }]);
      await vandal(stage).put(registration as never);
      const members = plans["place of no person"](looked);
      const { committed } = await commit(guarded(members, looked));
      return { committed, hasPlace: (await stage.stored(place.PK)).length > 0 };
    }
    expect(await raced()).toEqual({ committed: false, hasPlace: true });
    const demands = jest.spyOn(seam, "requiresUnchanged").mockReturnValue(false);
    try {
      expect(await raced()).toEqual({ committed: true, hasPlace: false });
    } finally {
      demands.mockRestore();
    }
  });
});

describe("promote", () => {
  test("shows who is next, and seats them when it is told to", async () => {
    const [first, second, third] = [newEmail(), newEmail(), newEmail()];
    const id = await stage.givenEventWith([first, second, third], { capac: 1 });
    await stage.settled();
    await vandal(stage).set(seatsKey(id), { capacity: 2 });
    const shown = await run(`promote ${id} ${year}`);
    expect(shown).toMatchObject({ code: 1, text: expect.stringContaining(`Next: ${second}.`) });
    expect(await stage.statusOf(id, second)).toBe("waitlist");
    expect(await run(`promote ${id} ${year} --apply`)).toMatchObject({
      code: 0,
      text: expect.stringContaining(second),
    });
    expect([await stage.statusOf(id, second), await stage.statusOf(id, third)]).toEqual(["registered", "waitlist"]);
    expect(await run(`promote ${id} ${year}`)).toMatchObject({
      code: 0,
      text: expect.stringContaining("no seat is free"),
    });
    expect(await run(`promote none ${year}`)).toMatchObject({
      code: 2,
      notes: expect.stringContaining("no event none"),
    });
  });
});

describe("replay and redrive", () => {
  test("send messages again, and consumers do nothing twice", async () => {
    const email = newEmail();
    const id = await stage.givenEventWith([email], { capac: 3 });
    await stage.settled();
    const mails = stage.mailsTo(email).length;
    const shown = await run("replay --from 1h --type registration.registered");
    expect(shown).toMatchObject({ code: 1, text: expect.stringContaining("x registration.registered") });
    const sent = await run("replay --from 1h --type registration.registered --apply");
    expect(sent).toMatchObject({ code: 0, text: expect.stringContaining("on the bus again") });
    await stage.settled();
    expect(stage.mailsTo(email)).toHaveLength(mails);
    // A mail whose marker is lost goes out again: the message has reached its consumer.
    const row = (await stage.outboxRows()).find(
      ({ detailType, detail }) => detailType === "registration.registered" && detail.data?.email === email,
    );
    await vandal(stage).remove({ PK: `SENT#mail#${email}`, SK: `${id}#${year}#${row?.SK}` });
    expect((await run("replay --from 5m --type registration.registered --apply")).code).toBe(0);
    await stage.settled();
    expect(stage.mailsTo(email)).toHaveLength(mails + 1);
  });

  test.each([
    ["no time", "replay", "From when?"],
    ["a time without an offset", "replay --from 2026-01-01T10:00", "with an offset"],
    ["a time to come", "replay --from 2999-01-01T10:00Z", "in the future"],
    ["an archive on the laptop", "replay --from 1h --archive", "has no archive"],
    ["mails of long ago", "replay --from 40d", "a second time"],
    ["a queue that is not there", "redrive --queue Nope", "no dead-letter queue Nope"],
    ["no email", "who nobody", "is no email"],
    ["too many words", "check now", "Usage: npm run ops -- check"],
    ["another flag", "check --apply", "Unknown option"],
    ["a rate of nothing", "check --rate 0", "--rate must be"],
  ])("with %s is refused in a sentence", async (_name, command, sentence) => {
    expect(await run(command)).toMatchObject({ code: 2, notes: expect.stringContaining(sentence) });
  });

  test("move each dead letter to the queue of its consumer, and count them", async () => {
    const email = newEmail();
    await stage.givenEventWith([email], { capac: 3 });
    await stage.settled();
    const row = (await stage.outboxRows()).at(-1);
    // The bus gives up a message, as a rule does whose queue it cannot reach: it has been in no queue before.
    const event = { id: "e", "detail-type": row?.detailType, detail: row?.detail, source: "club.events" };
    stage.giveUp("MailFailures", JSON.stringify(event));
    const span = {
      approximateArrivalOfFirstRecord: new Date().toISOString(),
      approximateArrivalOfLastRecord: new Date().toISOString(),
    };
    stage.giveUp("RelayFailures", JSON.stringify({ DDBStreamBatchInfo: span }));
    stage.giveUp("ImagesAfterUploadFailures", "{}");
    const shown = await run("redrive");
    expect(shown.code).toBe(1);
    expect(shown.text).toContain("MailFailures: 1, would go to MailQueue.");
    expect(shown.text).toContain("RelayFailures: 1, would go to the bus, from the rows of the table.");
    const moved = await run("redrive --apply");
    expect(moved.text).toContain("MailFailures: 1 moved to MailQueue.");
    expect(moved.text).toMatch(/RelayFailures: 1 done, [\d,]+ rows are on the bus again, 0 left\./);
    expect(moved.text).toContain("ImagesAfterUploadFailures: 1 stay.");
    expect(moved.code).toBe(1);
    await stage.settled();
    expect(stage.deadLetters().map(({ queue }) => queue)).toEqual(["ImagesAfterUploadFailures"]);
  });
});

describe("a wrong target", () => {
  const withFile = async (content: unknown, command = "check") => {
    const wrong = join(operator.folder, "wrong.json");
    await writeFile(wrong, typeof content === "string" ? content : JSON.stringify(content));
    const lines: string[] = [];
    const terminal = { print: (line: string) => void lines.push(line), note: (line: string) => void lines.push(line) };
    const code = await ops([command, "--stage-outputs", wrong], terminal);
    return { code, text: lines.join("\n") };
  };

  test.each<[string, unknown, string]>([
    ["a file that is not JSON", "{", "is not JSON"],
    ["a file without a stage", {}, "must have the outputs of one stack"],
    ["outputs of an older laptop", { apiUrl: "http://x" }, "has no output"],
  ])("%s is refused in a sentence", async (_name, content, sentence) => {
    const { code, text } = await withFile(content);
    expect({ code, text }).toEqual({ code: 2, text: expect.stringContaining(sentence) });
    expect(text).not.toMatch(/\n\s+at /);
  });

  test("a file that is not there, and none at all", async () => {
    const lines: string[] = [];
    const terminal = { print: () => undefined, note: (line: string) => void lines.push(line) };
    expect(await ops(["check", "--stage-outputs", "/nowhere.json"], terminal)).toBe(2);
    expect(await ops(["check"], terminal)).toBe(2);
    expect(await ops([], terminal)).toBe(2);
    expect(await ops(["mend"], terminal)).toBe(2);
    expect(lines.join("\n")).toMatch(/cannot be read \(ENOENT\)[\s\S]*Which stage\?[\s\S]*Usage[\s\S]*no command mend/);
  });
});
