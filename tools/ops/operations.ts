/** Repairs that are operations of the service, or need more than one read. */
import { randomUUID } from "node:crypto";
import { decodeTime } from "ulid";
import { changeSeats } from "#domain/capacity/demands.ts";
import { hasWaiters } from "#domain/capacity/line.ts";
import { type Gate, putSeats, seatsKey } from "#domain/capacity/seats.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { newSeats } from "#domain/events/seat-settings.ts";
import { readEvent, readEventOrMemory } from "#domain/events/store.ts";
import type { CampaignRecord } from "#domain/mail/campaigns/campaign.ts";
import { readCampaign } from "#domain/mail/campaigns/store.ts";
import type { LatestCheckout } from "#domain/payments/checkout.ts";
import { effects } from "#domain/payments/effects.ts";
import { sessionAtProvider } from "#domain/payments/provider.ts";
import { meaningOf } from "#domain/payments/provider-event.ts";
import { readCheckout } from "#domain/payments/store.ts";
import { grantMembership } from "#domain/people/members/grant.ts";
import { holdKey, type StoredHold } from "#domain/registrations/holds/store.ts";
import { promote } from "#domain/registrations/promote.ts";
import { removeRegistration } from "#domain/registrations/reactions/remove-registration.ts";
import { endHold } from "#domain/registrations/reactions/sweep.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { addPoints, pointsKey } from "#domain/registrations/store/leaderboard.ts";
import { type RequestContext, systemContext } from "#kit/context.ts";
import { answer, type Decision, execute, write, writeOnce } from "#kit/execute.ts";
import { getItem, getItems, type Item, type Key, type TransactItem, tableName } from "#kit/table.ts";
import { nameOf, outboxRow } from "#outbox/store.ts";
import { correctCounts } from "./correction.ts";
import { guarded } from "./guarded.ts";
import { countedPass, lookAtEvent, type Timing } from "./invariants/event-state.ts";
import type { Kind } from "./invariants/finding.ts";
import { batchIn, markerIn } from "./invariants/messages.ts";
import { eventOfSeats } from "./invariants/others.ts";
import { patiently } from "./invariants/patiently.ts";
import { pointsMissing } from "./invariants/people.ts";
import { holdOf } from "./invariants/registrations.ts";
import { look, lookAtPoints } from "./invariants/walk.ts";
import { plans } from "./repairs.ts";
import { sendRows } from "./sent-rows.ts";

/** `cannot`: requires an operator. `busy`: it changed all the time; another run may succeed. */
export type Repaired = "repaired" | "nothing to do" | "cannot" | "busy";

export interface RepairOptions extends Timing {
  readonly hasChat: boolean;
  readonly adminDomain: string;
}

/** Timeout of one repair in milliseconds. No caller waits for it. */
const repairTimeout = 60_000;

export const newContext = (): RequestContext => {
  const now = Date.now();
  return systemContext(`ops-${randomUUID()}`, now, performance.now() + repairTimeout);
};

/** Executes a plan: reads, checks that the damage still exists, and writes on condition that nothing has changed. */
export function repairItem(kind: Kind, key: Key, options: RepairOptions, context: RequestContext): Promise<Repaired> {
  const plan = plans[kind];
  return execute(
    {
      read: () => look(key, options),
      decide(looked): Decision<Repaired> {
        if (!looked?.findings.some((finding) => finding.kind === kind)) return answer("nothing to do");
        const members = plan?.members(looked, context);
        return members ? write(guarded(members, looked), "repaired") : answer("cannot");
      },
    },
    context,
  );
}

type Operation = (key: Key, options: RepairOptions, context: RequestContext) => Promise<Repaired>;

/** Adds the difference to the counters, in several rounds if not all choices fit into an expression. */
async function repairCounts(key: Key, options: RepairOptions): Promise<Repaired> {
  const event = eventOfSeats(key);
  for (let rounds = 0; ; rounds += 1) {
    const looked = await lookAtEvent(event, options);
    if (looked === "busy") return "busy";
    if (looked === "none") return "nothing to do";
    const { seats, differences } = looked;
    if (differences.length === 0) return rounds === 0 ? "nothing to do" : "repaired";
    const counters: Record<string, number> = {};
    for (const { of, by } of differences) if (typeof of === "string") counters[of] = by;
    const choices = differences.flatMap(({ of, by }) => (typeof of === "string" ? [] : [{ ...of, by }]));
    // A refusal means that another operator has corrected them; the next round finds what is left.
    await writeOnce({ seats: correctCounts(event, { counters, choices }, seats) }, newContext());
  }
}

/** Creates seats with the counts of the registrations, which cannot change while there are no seats. */
async function repairSeats(key: Key, _options: RepairOptions, context: RequestContext): Promise<Repaired> {
  const [, id = "", year = ""] = key.PK.split("#");
  const of: EventKey = { id, year: Number(year) };
  const event = await patiently(() => readEvent(of));
  if (!event || (await patiently(() => getItem(seatsKey(of), "strong")))) return "nothing to do";
  const counts = await countedPass(of, event.generation);
  const waits = await patiently(() => hasWaiters(of, event.generation));
  const choiceHolders: Record<string, Record<string, number>> = {
    ...structuredClone(newSeats(event, true).choiceHolders),
  } as never;
  for (const [name, holders] of counts.choices) {
    const [question, choice] = JSON.parse(name) as [string, string];
    choiceHolders[question] = { ...choiceHolders[question], [choice]: holders };
  }
  const gate: Gate = waits ? "queued" : "direct";
  const seats = { ...newSeats(event, true), ...counts.counters, choiceHolders, gate };
  const refused = await writeOnce({ seats: putSeats(of, seats), event: sameEvent(event) }, context);
  return refused ? "busy" : "repaired";
}

const sameEvent = ({ id, year, version, generation }: EventRecord): TransactItem => ({
  ConditionCheck: {
    TableName: tableName,
    Key: { PK: `EVENT#${id}#${year}`, SK: "META" },
    ConditionExpression: "version = :version AND generation = :generation",
    ExpressionAttributeValues: { ":version": version, ":generation": generation },
  },
});

/** Adds the missing points, on condition that points and registrations are unchanged. */
function repairPoints({ PK }: Key, _options: RepairOptions, context: RequestContext): Promise<Repaired> {
  const email = PK.slice("USER#".length);
  return execute(
    {
      read: () => lookAtPoints(email),
      decide(looked): Decision<Repaired> {
        const missing = pointsMissing(looked);
        const [item] = looked.items;
        if (missing === 0 || !item) return answer("nothing to do");
        const named = looked.registrations[0] as RegistrationRecord | undefined;
        const person = named ?? ({ email, fname: "", basicInformation: {} } as unknown as RegistrationRecord);
        const related = [pointsKey(email), ...looked.items.map(({ PK: pk, SK }) => ({ PK: pk, SK }))];
        const find = ({ SK }: Key): Item | undefined => looked.items.find((one) => one.SK === SK);
        const members = { points: addPoints({ ...person, email }, missing) };
        const facts = { find, now: context.now, isImported: false };
        return write(guarded(members, { item, related, facts }), "repaired");
      },
    },
    context,
  );
}

const isGone: Operation = async (key, _options, context) => {
  const item = await patiently(() => getItem<Item>(key, "strong"));
  if (!item) return "nothing to do";
  const registration = registrationIn(item);
  const { eventID: id, year, generation } = registration;
  const memory = await patiently(() => readEventOrMemory({ id, year, generation }));
  const hasStarted = memory?.startDate !== undefined && Date.parse(memory.startDate) <= context.now;
  await removeRegistration(registration, { quietly: hasStarted, withoutRefund: memory?.refund === "none" }, context);
  return "repaired";
};

/** Reads the session's outcome from the provider, and does what its event would have done. */
const settleNow: Operation = async (key, _options, context) => {
  const latest = await patiently(() => getItem<LatestCheckout>(key, "strong"));
  if (latest?.sessionId === undefined || latest.closed) return "nothing to do";
  const checkout = await patiently(() => readCheckout(latest.id));
  if (!checkout) return "cannot";
  const session = await sessionAtProvider(latest.sessionId);
  const type = session.status === "complete" ? "checkout.session.completed" : "checkout.session.expired";
  const message = session.status === "open" ? undefined : meaningOf({ type, data: { object: session } });
  if (!message) return "cannot";
  await effects[message.meaning](checkout, message.session, context);
  return "repaired";
};

/** The outbox row with this id, in one of eight partitions for the hour in the id. */
async function rowOf(outboxId: string): Promise<Item | undefined> {
  const hour = new Date(decodeTime(outboxId)).toISOString().slice(0, 13).replace(/\D/g, "");
  const keys = Array.from({ length: 8 }, (_, shard): Key => ({ PK: `OUT#${hour}#${shard}`, SK: outboxId }));
  const [row] = await patiently(() => getItems<Item>(keys, "strong"));
  return row;
}

async function sentAgain(row: Item | undefined): Promise<Repaired> {
  if (!row) return "cannot";
  const { refused } = await sendRows([row]);
  return refused.length === 0 ? "repaired" : "busy";
}

const sendBatch: Operation = async (key, _options, context) => {
  const { campaignId, batch } = batchIn(key);
  const campaign = await patiently(() => readCampaign(campaignId));
  if (!campaign) return "nothing to do";
  const { createdAt } = campaign as CampaignRecord;
  const message = { type: "campaign.batch", data: { campaignId, batch } } as const;
  const name = nameOf(createdAt, ["campaign.batch", campaignId, batch]);
  const row = outboxRow(message, { ...context, now: createdAt }, name).Put?.Item as Key | undefined;
  return sentAgain(row && (await patiently(() => getItem<Item>({ PK: row.PK, SK: row.SK }, "strong"))));
};

/** The hold in an item, or of a registration whose hold is not under its original key. */
function holdIn(item: Item): StoredHold | undefined {
  if (!item.SK.startsWith("REG#")) return item as unknown as StoredHold;
  const hold = holdOf(registrationIn(item));
  return hold && { ...holdKey(hold), ...hold };
}

/** Kinds that are repaired by an operation, with its description. */
export const operations: Readonly<Partial<Record<Kind, { readonly says: string; readonly run: Operation }>>> = {
  "no seats": { says: "the event gets seats, with the counts of its registrations", run: repairSeats },
  "other counts": { says: "the difference is added to the counters", run: repairCounts },
  "direct gate": {
    says: "newcomers join the line from now on",
    run: async (key, options, context) => {
      const event = eventOfSeats(key);
      const looked = await lookAtEvent(event, options);
      if (looked === "none" || looked === "busy") return looked === "busy" ? "busy" : "nothing to do";
      const refused = await writeOnce({ gate: changeSeats(event, "wait", { decided: looked.seats }) }, context);
      return refused ? "nothing to do" : "repaired";
    },
  },
  "free seat": {
    says: "the people who are next get their seats, and a mail",
    run: async (key, _options, context) =>
      (await promote(eventOfSeats(key), context)).length > 0 ? "repaired" : "nothing to do",
  },
  "in a gone event": { says: "the registration ends as by the deletion of the event", run: isGone },
  "hold over": {
    says: "the hold ends: the next person in line gets the seat, or it becomes free",
    run: async (key, _options, context) => {
      const item = await patiently(() => getItem<Item>(key, "strong"));
      const hold = item && holdIn(item);
      if (!hold) return "nothing to do";
      await endHold(hold, Date.now(), context);
      return "repaired";
    },
  },
  "other points": { says: "the difference is added to the points", run: repairPoints },
  "no account": { says: "the member gets the missing records, as by a grant", run: grant },
  "other profile id": { says: "membership and profile agree again, as by a grant", run: grant },
  "unsettled payment": {
    says: "the provider is asked, and its message carried out: a seat, a membership, a refund, or the end of the hold",
    run: settleNow,
  },
  "message not heard": {
    says: "the message goes to the bus again",
    run: async (key) => sentAgain(await patiently(() => getItem<Item>(key, "strong"))),
  },
  "mail not finished": {
    says: "the message goes to the bus again, and the mail is sent if it still holds",
    run: async (key) => sentAgain(await rowOf(markerIn(key).outboxId)),
  },
  "batch not sent": { says: "the batch goes out to those who have not got it", run: sendBatch },
};

async function grant({ PK }: Key, { adminDomain }: RepairOptions, context: RequestContext): Promise<Repaired> {
  const email = PK.slice("USER#".length);
  if (!(await patiently(() => getItem({ PK, SK: "MEMBER" }, "strong")))) return "nothing to do";
  await grantMembership({}, { email, adminDomain }, context);
  return "repaired";
}
