/**
 * What requests cost at the table that `docs/performance.md` does not have: calls, read units, write units. Those that it has
 * are in `budgets.test.ts`.
 */
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ulid } from "ulid";
import { givenSettings } from "../settings.ts";
import { type Answer, exec, times, year } from "./given.ts";
import { givenStage, type ServiceStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
let [calls, readUnits, writeUnits] = [0, 0, 0];
beforeAll(async () => {
  stage = await givenStage({
    conflicts: false,
    // The sweeper would read from the table during a measurement.
    standIns: { ...withoutRelay, Sweeper: async () => undefined },
    onTableCall: (call) => {
      calls += 1;
      readUnits += call.readUnits;
      writeUnits += call.writeUnits;
    },
  });
  givenSettings({
    TABLE_NAME: stage.outputs.tableName,
    AWS_REGION: stage.outputs.region,
    AWS_ENDPOINT_URL_DYNAMODB: stage.outputs.dynamodbUrl,
    POWERTOOLS_LOG_LEVEL: "WARN",
  });
});
afterAll(() => stage.close());

type Budget = readonly [calls: number, readUnits: number, writeUnits: number];

/** A request that is accepted, when the indexes have all writes; it costs at most so much. @returns its answer */
async function within([mostCalls, mostReads, mostWrites]: Budget, ask: () => Promise<Answer>): Promise<Answer> {
  await stage.indexed();
  [calls, readUnits, writeUnits] = [0, 0, 0];
  const answer = await ask();
  const spent = { calls, readUnits, writeUnits };
  expect(answer.status).toBeLessThan(300);
  expect(spent.calls).toBeLessThanOrEqual(mostCalls);
  expect(spent.readUnits).toBeLessThanOrEqual(mostReads);
  expect(spent.writeUnits).toBeLessThanOrEqual(mostWrites);
  // If the calls were not counted, every budget would hold.
  expect(spent.calls).toBeGreaterThan(0);
  return answer;
}

const account = (email: string, fields: object) => stage.api("POST", "/users", { as: email, body: fields });
/** Stores items as they are. */
const store = (items: readonly object[]) =>
  stage.engine.load(
    stage.outputs.tableName,
    items.map((item) => marshall(item)),
  );

describe("a line of 1,000 people, and 300 of an earlier generation", () => {
  const [id, eve] = ["queue", "eve@queue.example"];
  beforeAll(async () => {
    await stage.givenEventWith(["ada@queue.example", "bob@queue.example"], { id, capac: 1 });
    const [event] = await stage.stored(`EVENT#${id}#${year}`);
    const { joinLine } = await import("#domain/capacity/line.ts");
    const placeOf = (n: number, generation: string) => {
      const at = Date.now() - 2_000 + n;
      const choices = { "a7c1e0d2-workshop": "Product design" };
      const email = `firstname.lastname${n}@student.queue.example`;
      const place = { email, queueKey: `${at}#${ulid(at)}`, choices, isPartner: false, fname: "Persephone" };
      return joinLine({ id, year }, { ...place, generation, version: 1 }).Put?.Item as object;
    };
    await store(times(300, (n) => placeOf(n, "01J0000000000000000000EARLY")));
    await store(times(999, (n) => placeOf(n, String(event?.generation))));
  });

  test("joining, looking at one's place, and the counts, for which the whole line is counted", async () => {
    await within([4, 9, 7], () => stage.register(id, eve));
    const place = `/registrations?eventID=${id}&year=${year}&email=${eve}`;
    const seen = await within([2, 4, 0], () => stage.api("GET", place, { as: eve }));
    expect(seen.body.data).toMatchObject([{ waitlistAhead: 100 }]);
    const counting = () => stage.api("GET", `/events/${id}/${year}?count=true`, { as: eve });
    const { body } = await within([3, 1 + Math.ceil(1_301 / 35), 0], counting);
    expect(body).toMatchObject({ waitlistCount: 1_001 });
  });
});

describe("a write", () => {
  test("registering with an Idempotency-Key, and the same again", async () => {
    const [eventID, email] = [await stage.givenEvent({ capac: 10 }), "a@budget.example"];
    const headers = { "idempotency-key": "budget" };
    const ask = () => stage.api("POST", "/registrations", { as: email, headers, body: { eventID, year, email } });
    await within([3, 4, 10], ask);
    await within([1, 0, 1], ask);
  });

  test("a promotion of two people, and registering again after cancelling", async () => {
    const people = ["a@budget.example", "b@budget.example", "c@budget.example"] as const;
    const id = await stage.givenEventWith(people, { capac: 1 });
    // The change of the event takes 11 write units, the seats of the promotion 2, and each of the two people 7.
    await within([9, 7, 25], () => stage.changeEvent(id, { capac: 9 }));
    await stage.leave(id, people[2]);
    // It leaves the list of departures.
    await within([3, 5, 8], () => stage.register(id, people[2]));
  });

  test("deleting eight registrations, with one promotion for all", async () => {
    const ids = times(8, (n) => `p${n}@budget.example`);
    const eventID = await stage.givenEventWith(ids, { capac: 10 });
    // A promotion for each row would read 2 units more a row.
    const ask = () => stage.api("DELETE", "/registrations", { as: exec, body: { eventID, year, ids } });
    await within([26, 26, 64], ask);
  });

  test("granting membership: to a new person, to a user, and again", async () => {
    const granted = (email: string) => () => {
      const body = { email, firstName: "Ada", lastName: "Lovelace", studentNumber: "12345678", topics: ["engines"] };
      return stage.api("POST", "/members/grant", { as: exec, body });
    };
    await within([3, 2, 16], granted("new-member@budget.example"));
    await account("old-user@budget.example", { fname: "Ada" });
    await within([3, 2, 16], granted("old-user@budget.example"));
    await within([2, 2, 0], granted("new-member@budget.example"));
  });

  test("changing an account, changing a favourite, deleting the account", async () => {
    const [email, guest] = ["account@budget.example", "guest@budget.example"];
    const eventID = await stage.givenEvent({ capac: 10 });
    await account(email, { fname: "Ada" });
    const call = (method: string, path: string, body?: object, as = email) => {
      return () => stage.api(method, `/users/${path}`, { as, ...(body && { body }) });
    };
    await within([2, 1, 3], call("PATCH", "self", { fname: "Grace", diet: null }));
    // A change without `isFavourite` must not happen twice. So it is a transaction with a token, which costs one unit
    // more than an update.
    for (const _ of ["on", "off"]) await within([3, 2, 3], call("PATCH", "favEvent/self", { eventID, year }));
    // An executive's change reads what was before. Its row of the audit is in the same transaction.
    await within([3, 2, 5], call("PATCH", email, { fname: "Grace" }, exec));
    await stage.register(eventID, email);
    // What reads much is counted first. The export leaves a row, finds scans and places in line by the registration, and counts
    // of mails by the mailbox.
    await within([13, 13, 3], call("GET", "self/export"));
    await within([12, 13, 1], call("GET", "self/erasure"));
    // One unit is how often the person was deleted recently. Two units each are the note of the erasure to come and the
    // address of the calendar.
    await within([5, 5, 16], call("DELETE", "self"));
    // Without an account, what is stored is looked for.
    await stage.register(eventID, guest);
    await within([13, 13, 3], call("POST", `${guest}/export-link`, undefined, exec));
    await within([16, 18, 15], call("DELETE", guest, undefined, exec));
  });

  test("payments of a membership and of a seat, whose events come twice", async () => {
    const email = "paying@budget.example";
    const id = await stage.givenEvent({ pricing: { member: 5, nonMember: 10 } });
    await stage.register(id, email);
    const form = { paymentType: "Member", firstName: "Ada", lastName: "Lovelace", topics: ["engines"] };
    const [membership, seat] = [await stage.checkout(email, form), await stage.eventCheckout(id, email)];
    stage.payments.duplicate(2);
    const paid = (session: string) => async () => {
      stage.payments.pay(session);
      await stage.settled();
      return { status: 200 } as Answer;
    };
    await within([27, 21, 22], paid(seat.id));
    // Two units check that the account still exists, two clear the form, six are the payment, its rows in the lists, and what
    // the person sees of it.
    await within([32, 26, 34], paid(membership.id));
    stage.payments.duplicate(0);
  });
});

test("an evening at the door: the list of 100 tickets, then nothing new, and a scan", async () => {
  const dates = { startDate: new Date().toISOString(), endDate: "2030-05-01T18:00:00Z" };
  const id = await stage.givenEvent({ capac: 1_000, ...dates });
  const [event] = await stage.stored(`EVENT#${id}#${year}`);
  const { registrationItem } = await import("#domain/registrations/store/store.ts");
  const { registrationRecord } = await import("../unit/given.ts");
  const guests = times(100, (n) => ({
    ...registrationRecord({ email: `guest-${n}@budget.example`, eventID: id, year }),
    ...{ generation: event?.generation as string, queueKey: `1893456000000#${ulid()}`, ticketId: `ticket-${n}` },
    ...{ fname: "Anne-Marie", basicInformation: { lname: "Lovelace", faculty: "Commerce", diet: "None" } },
    choices: { w: `Workshop ${n % 12}` },
  }));
  await store(guests.map(registrationItem));
  const at = `/events/${id}/${year}`;
  const { body: link } = await stage.api("POST", `${at}/door-links`, { as: exec });
  const joining = { body: { secret: link.secret, name: "door 1" } };
  const { body: joined } = await within([2, 2, 6], () => stage.api("POST", `${at}/door/devices`, joining));
  const headers = { authorization: `Door ${joined.token}` };
  const list = () => stage.api("GET", `${at}/door`, { headers });
  // Each registration once, half a unit for each 4 KB, and the rows of the index.
  expect((await within([3, 55.5, 0], list)).body.tickets).toHaveLength(100);
  // Only the rows of the index.
  await within([2, 5.5, 0], list);
  const { ticketCode: code } = await stage.registrationOf(id, "guest-7@budget.example");
  const scan = { code, scannedAt: Date.now(), nonce: "a-nonce-of-the-budget", admitted: true };
  const bring = (scans: readonly object[]) => () =>
    stage.api("POST", "/registrations/check-in/scans", { headers, body: { sentAt: Date.now(), scans } });
  expect((await within([3, 5, 9], bring([scan]))).body.results).toMatchObject([{ outcome: "checkedIn" }]);
  await within([2, 5, 0], bring([scan]));
  // The registration that has changed is read again.
  await within([3, 6, 0], list);
  // Marks that no list has read the tickets once, not each. Two units store each mark, and two count it.
  const strangers = times(50, (n) => ({
    ...{ mark: `stranger-mark-${10 + n}`, scannedAt: Date.now(), nonce: `a-nonce-of-stranger-${n}` },
  }));
  expect((await within([152, 155.5, 200], bring(strangers))).body.results).toHaveLength(50);
  // At the end everybody is in: the list is at its largest. Two thousand people are 150 KB.
  const since = { status: "checkedIn", cameFrom: "registered", checkedInAt: Date.now() } as const;
  const by = { checkedInBy: { device: "door 1", nonce: "n" }, updatedAt: Date.now(), version: 2 };
  await store(guests.map((guest) => registrationItem({ ...guest, ...since, ...by })));
  const whole = JSON.stringify((await list()).body);
  expect(JSON.parse(whole).tickets[0]).toHaveLength(6);
  expect(whole.length).toBeLessThanOrEqual(100 * 75);
});

describe("the investment game", () => {
  const trade = (side: "buy" | "sell", as: string, projectId = "robots") =>
    stage.api("POST", `/btx/market/${side}`, { as, body: { projectId, shares: 3 } });
  const givenProject = (projectId: string, more: object = {}) =>
    stage.api("POST", "/btx/admin/project", { as: exec, body: { projectId, ticker: "T", name: "Project", ...more } });

  test("a person's first trade, which opens the account and looks up a name, and later ones", async () => {
    await givenProject("robots");
    const email = "named@budget.example";
    await account(email, { fname: "Ada", lname: "L" });
    await within([4, 4, 12], () => trade("buy", email));
    await within([3, 3, 10], () => trade("buy", email));
    await within([3, 3, 10], () => trade("sell", email));
  });

  test("a reset that ran out of time says so, and the next one goes on there and writes no account twice", async () => {
    const { resetEvent } = await import("#domain/game/reset-accounts.ts");
    const { systemContext } = await import("#kit/request/context.ts");
    await givenProject("late", { eventId: "late" });
    for (const name of ["a", "b", "c"]) await trade("buy", `${name}@late.example`, "late");
    const context = (n: number) => systemContext(`late${n}`, Date.now());
    expect(await resetEvent("late", context(1), -1)).toEqual({ accounts: 0, complete: false });
    expect((await stage.stored("BTXP#late")).find(({ SK }) => SK === "MARKET")).toMatchObject({ netShares: 9 });
    expect(await resetEvent("late", context(2))).toEqual({ accounts: 3, complete: true });
    writeUnits = 0;
    expect(await resetEvent("late", context(3))).toEqual({ accounts: 3, complete: true });
    expect(writeUnits).toBe(0);
  });
});
