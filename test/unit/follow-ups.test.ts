/** A freed place goes to a person in line, also when the process ends right after its commit. */
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import type { Seats } from "#domain/capacity/seats.ts";
import { newSeats } from "#domain/events/seat-settings.ts";
import { followUpsOf } from "#domain/registrations/record/follow-ups.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { systemContext } from "#kit/request/context.ts";
import { promoterSubscription } from "#outbox/subscriptions.ts";
import { matchesPattern } from "../../tools/laptop/patterns/event-pattern.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { eventRecord, registrationRecord } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { seam } = await import("#kit/seam.ts");
const { amend } = await import("#domain/registrations/amend/amend.ts");
const { leave } = await import("#domain/registrations/leave.ts");
const { repair } = await import("#domain/registrations/reactions/repair.ts");
const { handler } = await import("#consumers/promoter.ts");

const now = 1_800_000_000_000;
const key = { id: "gala", year: 2030 };
const workshops = {
  questionId: "w",
  label: "Which one?",
  type: "WORKSHOP_SELECTION",
  required: false,
  choices: ["Choir", "Chess"],
  participantCap: 1,
} as const;
const event = eventRecord({ capac: 5, generation: "i1", registrationQuestions: [workshops] });

const registration = (more: Partial<RegistrationRecord> = {}): RegistrationRecord =>
  registrationRecord({ queueKey: `${now}#01`, generation: "i1", ...more });

describe("a change of a registration", () => {
  const [choir, chess] = [{ w: "Choir" }, { w: "Chess" }];
  const yes = ["promote"];

  test.each<[string, Partial<RegistrationRecord> | undefined, Partial<RegistrationRecord>, string[]]>([
    ["a seat is cancelled", {}, { status: "cancelled" }, yes],
    ["an unpaid seat is cancelled", { status: "incomplete" }, { status: "cancelled" }, yes],
    ["an accepted person is rejected", { status: "accepted" }, { status: "rejected" }, yes],
    ["a seat is deleted", { status: "checkedIn" }, { status: "deleted" }, yes],
    ["a seat is exchanged for the line", {}, { status: "waitlist" }, yes],
    ["a workshop is exchanged", { choices: choir }, { choices: chess }, yes],
    ["a workshop is given up", { choices: choir }, {}, yes],
    ["one of two workshops is given up", { choices: { ...choir, v: "Tea" } }, { choices: { v: "Tea" } }, yes],
    ["a workshop is given up by paying", { status: "incomplete", choices: choir }, { status: "registered" }, yes],
    ["a person joins the line", undefined, { status: "waitlist" }, yes],
    ["a person joins the line again", { status: "cancelled" }, { status: "waitlist" }, yes],
    ["a rejected person waits", { status: "rejected" }, { status: "waitlist" }, yes],
    ["another place in line", { status: "waitlist" }, { status: "waitlist", queueKey: `${now}#02` }, yes],
    ["a person in line wants a workshop", { status: "waitlist" }, { status: "waitlist", choices: choir }, yes],
    [
      "a person in line wants another workshop",
      { status: "waitlist", choices: choir },
      { status: "waitlist", choices: chess },
      yes,
    ],
    [
      "a person in line wants the same workshop",
      { status: "waitlist", choices: choir },
      { status: "waitlist", choices: { ...choir } },
      [],
    ],
    [
      "a person joins the line of an event that was created again",
      { status: "waitlist", generation: "i0" },
      { status: "waitlist" },
      yes,
    ],
    ["a person takes a seat", undefined, {}, []],
    ["a person takes a seat again", { status: "cancelled", choices: choir }, {}, []],
    ["a seat of an event that was created again", { generation: "i0", choices: choir }, {}, []],
    ["points", {}, { points: 7 }, []],
    ["other answers", { choices: choir }, { choices: { ...choir }, dynamicResponses: { c: "x" } }, []],
    ["a first workshop", {}, { choices: choir }, []],
    ["a check-in", { choices: choir }, { status: "checkedIn", choices: choir }, []],
    ["an undone check-in", { status: "checkedIn" }, {}, []],
    ["a payment", { status: "incomplete" }, { status: "registered" }, []],
    ["an open checkout", { status: "incomplete" }, { status: "incomplete", holdExpiresAt: now }, []],
    ["a person in line leaves the event", { status: "waitlist" }, { status: "deleted" }, []],
    ["an admin rejects a person in line", { status: "waitlist" }, { status: "rejected" }, []],
    ["a person leaves the line", { status: "waitlist" }, { status: "cancelled" }, []],
    ["an admin seats a person in line", { status: "waitlist" }, { status: "registered" }, []],
    ["an application is withdrawn", { applicant: true, choices: choir }, { status: "cancelled" }, []],
    ["an application is rejected", { applicant: true }, { status: "rejected" }, []],
    ["an applicant's other workshop", { applicant: true, choices: choir }, { applicant: true, choices: chess }, []],
    ["an application is accepted", { applicant: true }, { status: "accepted" }, []],
    ["a cancelled registration is deleted", { status: "cancelled" }, { status: "deleted" }, []],
  ])("asks for a promotion, or not: %s", (_, before, after, expected) => {
    expect(followUpsOf(before && registration(before), registration(after))).toEqual(expected);
  });
});

describe("when the process ends between commit and promotion", () => {
  interface Row {
    readonly detailType: string;
    readonly detail: { readonly data: Record<string, unknown> };
  }
  let table: MemoryTable;
  let rows: Row[];
  /** Whether the table throttles a call. */
  let isBusy: (command: unknown) => boolean;
  const throttled = () =>
    Object.assign(new Error("busy"), { name: "ThrottlingException", $metadata: { httpStatusCode: 400 } });
  const { followUp: ownFollowUp, pause: ownPause } = seam;
  const death = async () => {
    throw new Error("the process ended");
  };
  const context = { ...systemContext("r1", now), actor: "ada@unit.example" };

  beforeEach(() => {
    table = new MemoryTable();
    rows = [];
    const mock = mockClient(client as never) as unknown as {
      send: { callsFake(fake: (command: unknown) => Promise<object>): void };
    };
    isBusy = () => false;
    mock.send.callsFake(async (command) => {
      if (isBusy(command)) throw throttled();
      return table.execute(command, () => 0);
    });
  });
  afterEach(() => {
    seam.followUp = ownFollowUp;
    seam.pause = ownPause;
  });

  const stored = (email: string) => table.peek({ PK: `USER#${email}`, SK: "REG#gala#2030" });
  const seats = () => table.peek({ PK: "SEAT#gala#2030#00", SK: "POOL" }) as unknown as Seats;

  /** Ada has the only place in the choir. Ben waits for it. */
  function givenChoir(capacity = 5): void {
    table.seed({ PK: "EVENT#gala#2030", SK: "META", ...event });
    const choiceHolders = { w: { Choir: 1, Chess: 0 } };
    table.seed({
      PK: "SEAT#gala#2030#00",
      SK: "POOL",
      ...newSeats(event, false),
      capacity,
      seats: 1,
      registered: 1,
      choiceHolders,
    });
    const choices = { w: "Choir" };
    const ada = registration({ choices, dynamicResponses: choices });
    const ben = registration({ ...ada, email: "ben@unit.example", status: "waitlist", queueKey: `${now}#02` });
    for (const one of [ada, ben]) table.seed({ PK: `USER#${one.email}`, SK: "REG#gala#2030", ...one });
    const { email, queueKey, isPartner, fname, generation, version } = ben;
    table.seed({
      PK: "WAIT#gala#2030",
      SK: queueKey,
      ...{ email, queueKey, choices, isPartner, fname, generation, version },
    });
    table.onCommit = (changes) => {
      for (const { after } of changes) if (String(after?.PK).startsWith("OUT#")) rows.push(after as unknown as Row);
    };
  }

  const onTheBus = ({ detailType, detail }: Row) => ({ source: "club.events", "detail-type": detailType, detail });

  /** Gives the promoter the messages that its rule lets through. A queue may deliver a message twice. */
  async function deliver(all: readonly Row[]): Promise<void> {
    const heard = all.map(onTheBus).filter((message) => matchesPattern(promoterSubscription, message));
    const Records = heard.map((message, index) => ({ messageId: `m${index}`, body: JSON.stringify(message) }));
    if (Records.length > 0) expect(await handler({ Records } as never)).toEqual({ batchItemFailures: [] });
  }

  const other = { email: "ada@unit.example", event: key, by: "self" } as const;

  test("after changed answers, the promoter still gives away the workshop's place", async () => {
    givenChoir();
    const amendment = { dynamicResponses: { w: "Chess" } };
    seam.followUp = death;
    await expect(amend({ ...other, amendment }, context)).rejects.toThrow("the process ended");
    seam.followUp = ownFollowUp;
    expect(stored("ben@unit.example")).toMatchObject({ status: "waitlist" });
    await deliver(rows);
    expect(stored("ben@unit.example")).toMatchObject({ status: "registered" });
    expect(seats()).toMatchObject({ seats: 2, choiceHolders: { w: { Choir: 1, Chess: 1 } } });
  });

  test("after a cancellation, the promoter still gives away the seat, however often and late the message comes", async () => {
    givenChoir(1);
    // The swap does not look for a person who waits for a workshop. Only the message asks for that.
    seam.followUp = death;
    await leave({ ...other, to: "cancelled" }, context).catch(() => undefined);
    seam.followUp = ownFollowUp;
    const first = [...rows];
    await deliver([...first, ...first]);
    await deliver(first);
    expect(stored("ben@unit.example")).toMatchObject({ status: "registered" });
    expect(seats()).toMatchObject({ seats: 1, registered: 1 });
  });

  test.each([
    ["is there", {}, "waitlist"],
    ["is gone", { state: "DELETED" }, "cancelled"],
  ])("a person's message is handled at once whichever call is throttled, and the event %s", async (_, more, status) => {
    seam.pause = async () => undefined;
    let calls = 0;
    for (let busy = 0; busy <= calls; busy += 1) {
      givenChoir();
      table.seed({ ...(table.peek({ PK: "SEAT#gala#2030#00", SK: "POOL" }) as object), ...more } as never);
      const data = { eventID: "gala", year: 2030, email: "ben@unit.example", generation: "i1" };
      calls = -1;
      isBusy = () => {
        calls += 1;
        return calls === busy;
      };
      await repair({ type: "registration.waitlisted", data: { ...data, followUps: ["promote"] } } as never, context);
      expect(stored("ben@unit.example")).toMatchObject({ status });
    }
    expect(calls).toBeGreaterThanOrEqual(2);
  });

  test("a change that frees no place asks for no promotion, and reads no line", async () => {
    givenChoir();
    const amendment = { basicInformation: { fname: "Augusta" } };
    seam.followUp = death;
    await amend({ ...other, amendment }, context);
    seam.followUp = ownFollowUp;
    expect(rows.map(({ detail }) => detail.data.followUps)).toEqual([[]]);
    await deliver(rows);
    expect(stored("ben@unit.example")).toMatchObject({ status: "waitlist" });
  });
});
