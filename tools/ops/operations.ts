/** The repairs of `npm run ops -- repair`. Most are operations of the service, or need more than one look. */

import { randomUUID } from "node:crypto";
import { decodeTime } from "ulid";
import { changeSeats } from "#domain/capacity/demands.ts";
import { begunAtOf, type CampaignRecord } from "#domain/mail/campaigns/campaign.ts";
import { readCampaign } from "#domain/mail/campaigns/store.ts";
import type { LatestCheckout } from "#domain/payments/checkout/checkout.ts";
import { readCheckout } from "#domain/payments/checkout/store.ts";
import { provider, sessionAtProvider } from "#domain/payments/provider/provider.ts";
import { hear } from "#domain/payments/provider-events/effects.ts";
import { endUnheard } from "#domain/payments/provider-events/end-unheard.ts";
import { newsIn } from "#domain/payments/provider-events/provider-event.ts";
import { holdKey, type StoredHold } from "#domain/registrations/holds/store.ts";
import { promote } from "#domain/registrations/promote.ts";
import { endHold } from "#domain/registrations/reactions/sweep.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { addPoints, pointsKey } from "#domain/registrations/store/leaderboard.ts";
import { type RequestContext, systemContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write, writeOnce } from "#kit/table/execute.ts";
import { keyIn } from "#kit/table/item.ts";
import { getItem, getItems, type Item, type Key } from "#kit/table/table.ts";
import { nameOf, outboxRow } from "#outbox/store.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { type Correction, correctCounts, correctUses } from "./correction.ts";
import { guarded } from "./guarded.ts";
import { isRegistration } from "./invariants/as-read.ts";
import { lookAtEvent, type Timing, waitedIn } from "./invariants/event-state.ts";
import type { RepairedKind } from "./invariants/kinds.ts";
import { batchIn, markerIn } from "./invariants/messages.ts";
import { eventOfSeats } from "./invariants/others.ts";
import { patiently } from "./invariants/patiently.ts";
import { personOf, pointsMissing } from "./invariants/people.ts";
import { holdOf } from "./invariants/registrations.ts";
import { look, lookAtPoints } from "./invariants/walk.ts";
import { plans } from "./repairs.ts";
import { sendRows } from "./sent-rows.ts";

/** `busy`: people changed it all the time, or the table was throttled; another run may succeed. */
export type Outcome = "repaired" | "nothing to do" | "not possible" | "busy";

export interface RepairOptions extends Timing {
  readonly hasChat: boolean;
}

/** Timeout of one repair in milliseconds. No caller waits for it. */
const repairTimeout = 60_000;

export const newContext = (): RequestContext => {
  const now = Date.now();
  return systemContext(`ops-${randomUUID()}`, now, performance.now() + repairTimeout);
};

type Operation = (key: Key, options: RepairOptions, context: RequestContext) => Promise<Outcome>;

/** Carries out a plan: looks, decides whether the damage is still there, and writes on the condition of that look. */
const planned =
  (kind: keyof typeof plans): Operation =>
  (key, options, context) =>
    execute(
      {
        read: () => look(key, options),
        decide(looked): Decision<Outcome> {
          if (!looked?.findings.some((finding) => finding.kind === kind)) return answer("nothing to do");
          const members = plans[kind](looked, context);
          return members ? write(guarded(members, looked), "repaired") : answer("not possible");
        },
      },
      context,
    );

/** Adds the difference to the counters. It may take several rounds, because an expression holds only some choices. */
async function repairCounts(key: Key, options: RepairOptions): Promise<Outcome> {
  const event = eventOfSeats(key);
  for (let rounds = 0; ; rounds += 1) {
    const looked = await lookAtEvent(event, options);
    if (looked === "busy") return "busy";
    if (looked === "none") return "nothing to do";
    const { seats, differences } = looked;
    if (differences.length === 0) return rounds === 0 ? "nothing to do" : "repaired";
    const counters: Record<string, number> = {};
    const uses: Record<string, number> = {};
    const choices: Correction["choices"][number][] = [];
    for (const { of, by } of differences) {
      if (typeof of === "string") counters[of] = by;
      else if ("code" in of) uses[of.code] = by;
      else choices.push({ ...of, by });
    }
    const corrected = correctCounts(event, { counters, choices }, seats);
    const members = { seats: corrected, ...correctUses({ ...event, generation: seats.generation }, uses) };
    // A refusal means that another operator has corrected them; the next round finds what is left.
    await writeOnce(members, newContext());
  }
}

/** Adds the missing points, on the condition that points and registrations are as they were read. */
function repairPoints(key: Key, _options: RepairOptions, context: RequestContext): Promise<Outcome> {
  const email = personOf(key);
  return execute(
    {
      read: () => lookAtPoints(email),
      decide(looked): Decision<Outcome> {
        const missing = pointsMissing(looked);
        const [item] = looked.items;
        if (missing === 0 || !item) return answer("nothing to do");
        const named = looked.registrations[0] as RegistrationRecord | undefined;
        const person = named ?? ({ email, fname: "", basicInformation: {} } as unknown as RegistrationRecord);
        const related = [pointsKey(email), ...looked.items.map(keyIn)];
        const find = ({ SK }: Key): Item | undefined => looked.items.find((one) => one.SK === SK);
        const members = { points: addPoints({ ...person, email }, missing) };
        const facts = { find, now: context.now };
        return write(guarded(members, { item, related, facts }), "repaired");
      },
    },
    context,
  );
}

/** Asks the provider how the session has ended, and does what its message would have done. */
const settleNow: Operation = async (key, _options, context) => {
  const latest = await patiently(() => getItem<LatestCheckout>(key, "strong"));
  if (latest?.sessionId === undefined || latest.closed) return "nothing to do";
  const checkout = await patiently(() => readCheckout(latest.id));
  if (!checkout) return "not possible";
  const session = await sessionAtProvider(latest.sessionId);
  const news = newsIn(session);
  if (!news) return "not possible";
  await hear(news, context);
  return "repaired";
};

/** The outbox row with this id, in one of eight partitions for the hour in the id. */
async function rowOf(outboxId: string): Promise<Item | undefined> {
  const hour = new Date(decodeTime(outboxId)).toISOString().slice(0, 13).replace(/\D/g, "");
  const keys = Array.from({ length: 8 }, (_, shard) => keyOf("outbox row", { hour, shard, ulid: outboxId }));
  const [row] = await patiently(() => getItems<Item>(keys, "strong"));
  return row;
}

async function sentAgain(row: Item | undefined): Promise<Outcome> {
  if (!row) return "not possible";
  const { refused } = await sendRows([row]);
  return refused.length === 0 ? "repaired" : "busy";
}

const sendBatch: Operation = async (key, _options, context) => {
  const { campaignId, batch } = batchIn(key);
  const campaign = await patiently(() => readCampaign(campaignId));
  if (!campaign) return "nothing to do";
  const begunAt = begunAtOf(campaign as CampaignRecord);
  const message = { type: "campaign.batch", data: { campaignId, batch } } as const;
  const name = nameOf(begunAt, ["campaign.batch", campaignId, batch]);
  const row = outboxRow(message, { ...context, now: begunAt }, name).Put?.Item as Key | undefined;
  return sentAgain(row && (await patiently(() => getItem<Item>(keyIn(row), "strong"))));
};

/** The hold in an item, or of a registration whose hold is not under its original key. */
function holdIn(item: Item): StoredHold | undefined {
  if (!isRegistration(item)) return item as unknown as StoredHold;
  const hold = holdOf(registrationIn(item));
  return hold && { ...holdKey(hold), ...hold };
}

/** Newcomers join the line from now on. */
const queueGate: Operation = async (key, options, context) => {
  const event = eventOfSeats(key);
  const looked = await lookAtEvent(event, options);
  if (looked === "none" || looked === "busy") return looked === "busy" ? "busy" : "nothing to do";
  let outcome: Outcome = "nothing to do";
  for (const decided of await waitedIn(event, looked.seats)) {
    const refused = await writeOnce({ gate: changeSeats(event, "wait", { decided }) }, context);
    if (!refused) outcome = "repaired";
  }
  return outcome;
};

/** The next person in line gets the seat, or it becomes free. */
const endHoldNow: Operation = async (key, _options, context) => {
  const item = await patiently(() => getItem<Item>(key, "strong"));
  const hold = item && holdIn(item);
  if (!hold) return "nothing to do";
  if ((await endHold(hold, context.now, context)) === "ended") return "repaired";
  const { email, event } = hold;
  await endUnheard({ email, eventID: event.id, year: event.year }, provider, context);
  return "repaired";
};

/** How a finding of each repaired kind is repaired (`invariants/kinds.ts`). */
export const operations: Readonly<Record<RepairedKind, Operation>> = {
  "other counts": repairCounts,
  "other points": repairPoints,
  "direct gate": queueGate,
  "free seat": async (key, _options, context) =>
    (await promote(eventOfSeats(key), context)).length > 0 ? "repaired" : "nothing to do",
  "not in line": planned("not in line"),
  "other place": planned("other place"),
  "place of no person": planned("place of no person"),
  "no hold": planned("no hold"),
  "hold on a paid seat": planned("hold on a paid seat"),
  "hold of no person": planned("hold of no person"),
  "hold over": endHoldNow,
  "unsettled payment": settleNow,
  "checkout still open": settleNow,
  "message not heard": async (key) => sentAgain(await patiently(() => getItem<Item>(key, "strong"))),
  "mail not finished": async (key) => sentAgain(await rowOf(markerIn(key).outboxId)),
  "batch not sent": sendBatch,
};
