/** Mutants of the capacity protocol. Each leaves out one rule, and the tests must catch it. */
import { randomUUID } from "node:crypto";
import { GetCommand, QueryCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import type { Item } from "./expression.ts";
import type { Mutant } from "./protocol.ts";
import { partitionOf, type Write, writesOf } from "./table.ts";
import { actorNow, type Call, conflictFor } from "./world.ts";

/** A mutant, the violations that it causes, and the situations that show them. */
export interface NamedMutant {
  readonly name: string;
  /** One of these violations is enough. */
  readonly breaks: readonly string[];
  /** Words in the names of the situations. */
  readonly where: readonly string[];
  /** Random orders reach its state too rarely for `npm test`, which has a known run of it. */
  readonly isRare?: boolean;
  readonly make: () => Mutant;
}

/** DynamoDB refuses placeholders that are not used. */
function dropUnused(write: Write): void {
  const text = `${write.UpdateExpression ?? ""} ${write.ConditionExpression ?? ""}`;
  const isUsed = (placeholder: string) => new RegExp(`${placeholder}(?![A-Za-z0-9_])`).test(text);
  const used = <T>(all: Record<string, T> | undefined) =>
    all && Object.fromEntries(Object.entries(all).filter(([placeholder]) => isUsed(placeholder)));
  write.ExpressionAttributeNames = used(write.ExpressionAttributeNames);
  write.ExpressionAttributeValues = used(write.ExpressionAttributeValues);
}

/** Takes a demand out of the conditions on items of some partitions, where the condition also matches `amid`. */
const without =
  (partitions: readonly string[], demand: RegExp, amid = /./) =>
  ({ command }: Call): void => {
    for (const write of writesOf(command)) {
      const { ConditionExpression: condition } = write;
      if (!condition || !amid.test(condition)) continue;
      if (!partitions.some((partition) => partitionOf(write).startsWith(partition))) continue;
      const left = condition.split(" AND ").filter((one) => !demand.test(one));
      write.ConditionExpression = left.length > 0 ? left.join(" AND ") : undefined;
      dropUnused(write);
    }
  };

/** Changes items of a partition in every answer, also those inside an error. */
function disguised(partition: string, change: (item: Item) => Item) {
  const changed = (item: Item): Item => (String(item.PK).startsWith(partition) ? change(item) : item);
  return (_call: Call, answer: object): object => {
    const { Item, Responses, CancellationReasons } = answer as {
      Item?: Item;
      Responses?: Record<string, Item[]>;
      CancellationReasons?: { Item?: Parameters<typeof unmarshall>[0] }[];
    };
    if (Item) return { ...answer, Item: changed(Item) };
    if (Responses) {
      const all = Object.entries(Responses).map(([table, items]) => [table, items.map(changed)]);
      return { ...answer, Responses: Object.fromEntries(all) };
    }
    for (const reason of CancellationReasons ?? []) {
      if (reason.Item) reason.Item = marshall(changed(unmarshall(reason.Item)));
    }
    return answer;
  };
}

/** Registrations as if all came alone. */
const alone = disguised("USER#", (one) => {
  const { plusOnes, ...form } = JSON.parse(String(one.form ?? "{}"));
  return { ...one, form: JSON.stringify(form) };
});

/** Changes what messages say of a required refund. */
const refundsWith =
  (change: (data: Item) => Item) =>
  ({ command }: Call): void => {
    for (const { Item: item } of writesOf(command)) {
      const { data } = (item?.detail ?? {}) as { data?: Item };
      if (item?.detailType === "payment.refundRequired" && data) Object.assign(data, change(data));
    }
  };

/** Changes the places in every read of a line, or leaves them out. */
const linesWith =
  (change: (place: Item) => Item | undefined) =>
  (_call: Call, answer: object): object => {
    const { Items } = answer as { Items?: Item[] };
    const changed = (item: Item) => (String(item.PK).startsWith("WAIT#") ? (change(item) ?? []) : item);
    return Items ? { ...answer, Items: Items.flatMap(changed) } : answer;
  };

const asksFor = ({ command }: Call, partition: string): boolean =>
  command instanceof GetCommand && String(command.input.Key?.PK).startsWith(partition);

/** Whether a call reads the places in line, and not only their number. */
const readsLine = ({ actor, command }: Call, by: RegExp): boolean =>
  by.test(actor) && command instanceof QueryCommand && command.input.Select !== "COUNT";

/** Shows changed seats to a newcomer who has joined the line. `decided` are the seats that the newcomer saw before. */
function afterJoining(change: (seats: Item, decided: Item | undefined) => Item): Mutant {
  const joined = new Set<string>();
  const decided = new Map<string, Item>();
  return {
    mutate: ({ actor, command }) => {
      if (writesOf(command).some(({ Item: item }) => item?.status === "waitlist")) joined.add(actor);
    },
    disguise: (call, answer) =>
      disguised("SEAT#", (seats) => {
        if (joined.has(call.actor)) return change(seats, decided.get(call.actor));
        decided.set(call.actor, seats);
        return seats;
      })(call, answer),
  };
}

/** A place in line is read after the registration and a pause, not beside it. */
export const placeReadLate = (): Mutant => ({
  delays: ({ actor, command }) =>
    actor.includes("register") && command instanceof QueryCommand && command.input.Select === "COUNT",
});

/** A token is not closed before a refusal counts. */
export const tokenLeftOpen = (): Mutant => ({ seam: { closing: async () => false } });

/** Each try to close a token has another time in it, and a token that is in use counts as committed. */
export function closedAtOtherTimes(): Mutant {
  let ttl = 0;
  const closes = ({ command }: Call) => writesOf(command).some((write) => partitionOf(write).startsWith("TOKEN#"));
  return {
    disguise: (call, answer) =>
      (answer as Error).name === "IdempotentParameterMismatchException" && !closes(call) ? {} : answer,
    mutate: ({ command }) => {
      for (const write of writesOf(command)) {
        if (!partitionOf(write).startsWith("TOKEN#")) continue;
        ttl += 1;
        if (write.Item) Object.assign(write.Item, { ttl });
        else Object.assign(write.ExpressionAttributeValues ?? {}, { ":ttl": ttl });
      }
    },
  };
}

/** A write that stays without an answer counts as a conflict, as if nothing was written. */
export const unknownAsConflict = (): Mutant => ({
  disguise: ({ command }, answer) => ((answer as Error).name === "TimeoutError" ? conflictFor(command) : answer),
});

/** The promoter does not see the registration of a person who waits for a deleted event. */
export const goneEventNotRepaired = (): Mutant => ({
  promoter: (call, answer) => (asksFor(call, "USER#") ? {} : answer),
});

/** A person who changes answers and moves up by it is told of the own write, not of the record. */
export function toldOwnWrite(): Mutant {
  const written = new Map<string, Item>();
  return {
    mutate: ({ actor, command }) => {
      const own = writesOf(command).find((write) => write.Item?.status === "waitlist")?.Item;
      if (own && actor.includes("answer")) written.set(actor, own);
    },
    disguise: (call, answer) => {
      const own = written.get(call.actor);
      return own && asksFor(call, "USER#") ? { Item: own } : answer;
    },
  };
}

/** Leaves out the follow-up of a commit for some actors. */
const withoutFollowUp = (actor: RegExp, isLeftOut: () => boolean = () => true): Mutant => ({
  seam: {
    followUp: (_name, run) => (actor.test(actorNow()) && isLeftOut() ? Promise.resolve(undefined) : run()),
  },
});

/**
 * Notes for each actor whether its last change of the seats was a swap, and leaves out the promotion after a swap or
 * after a release.
 */
function noPromotionAfter(left: "swap" | "release"): Mutant {
  const swapped = new Map<string, boolean>();
  return {
    ...withoutFollowUp(/leave|cancel|sweep/, () => (swapped.get(actorNow()) === true) === (left === "swap")),
    mutate: ({ actor, command }) => {
      const seats = writesOf(command).find((write) => partitionOf(write).startsWith("SEAT#"));
      if (seats) swapped.set(actor, /seats <= #capacity/.test(seats.ConditionExpression ?? ""));
    },
  };
}

/** The sentences about the seats of attendees, each with the same one about those of partners. */
const ofBothPools = [
  ["seats < #capacity", "(attribute_not_exists(partnerCapacity) OR partnerSeats < partnerCapacity)"],
  ["gate = :direct", "attribute_not_exists(partnerGate)"],
] as const;

/** Newcomers who are seated at once take a seat of the other pool: those of partners, or else of attendees. */
const otherSeats = (takers: "partners" | "attendees"): Mutant => ({
  mutate: ({ actor, command }) => {
    const writes = writesOf(command);
    const seats = writes.find((write) => partitionOf(write).startsWith("SEAT#"));
    const own = writes.find(({ Item: item }) => item?.status === "registered")?.Item;
    if (!actor.includes("register") || !seats?.ConditionExpression?.includes("deadline") || !own) return;
    const isPartner = own.isPartner === true;
    if (isPartner !== (takers === "partners")) return;
    for (const [attendees, partners] of ofBothPools) {
      const [was, is] = isPartner ? [partners, attendees] : [attendees, partners];
      seats.ConditionExpression = seats.ConditionExpression.replace(was, is);
    }
    Object.assign(own, { pool: isPartner ? undefined : "partners" });
    const taken = isPartner ? "registered :one, partners :one" : "partnerSeats :one, partners :one";
    seats.UpdateExpression = `ADD seats :seats, ${taken}`;
    seats.ExpressionAttributeNames = { "#capacity": "capacity", ...seats.ExpressionAttributeNames };
    const counts = { ":one": 1, ":seats": isPartner ? 1 : 0, ":direct": "direct" };
    seats.ExpressionAttributeValues = { ...seats.ExpressionAttributeValues, ...counts };
    dropUnused(seats);
  },
});

/** Newcomers without a code who are seated at once take a seat of the allotment. */
const uninvited = (): Mutant => ({
  mutate: ({ actor, command }) => {
    const writes = writesOf(command);
    const seats = writes.find((write) => partitionOf(write).startsWith("SEAT#"));
    const own = writes.find(({ Item: item }) => item?.status === "registered")?.Item;
    if (!actor.includes("register") || !seats?.ConditionExpression?.includes("deadline") || !own || own.code) return;
    seats.ConditionExpression = seats.ConditionExpression.replace(
      "seats < #capacity",
      "allotmentSeats < allotmentCapacity",
    );
    Object.assign(own, { pool: "allotment" });
    seats.UpdateExpression = "ADD allotmentSeats :seats, registered :seats";
    seats.ExpressionAttributeValues = { ...seats.ExpressionAttributeValues, ":seats": 1 };
    dropUnused(seats);
  },
});

/** A seat of the allotment that is given up goes to the others. */
const givenToOthers = (): Mutant => ({
  mutate: ({ actor, command }) => {
    const seats = writesOf(command).find((write) => partitionOf(write).startsWith("SEAT#"));
    const { ":allotmentSeats": by, ...values } = seats?.ExpressionAttributeValues ?? {};
    if (!seats || !/leave|cancel|sweep/.test(actor) || Number(by) >= 0 || by === undefined) return;
    seats.UpdateExpression = seats.UpdateExpression?.replace(/, allotmentSeats :allotmentSeats/, "");
    seats.ExpressionAttributeValues = { ...values, ":seats": by };
  },
});

/** The partition of the attendees' line instead of that of the partners. */
const inAttendeesLine = (partition: unknown): string => String(partition).replace(/#PARTNERS$/, "");

/** These actors take the line of the attendees for that of the partners. */
const readsAttendeesLine = (actors: RegExp) => (call: Call) => {
  const { command } = call;
  const values = command instanceof QueryCommand ? command.input.ExpressionAttributeValues : undefined;
  if (values?.[":partition"] && actors.test(call.actor)) {
    values[":partition"] = inAttendeesLine(values[":partition"]);
  }
};

/** Acceptances write a registration whatever it has become. */
const accepting =
  (isMeant: (item: Item) => boolean) =>
  ({ actor, command }: Call): void => {
    for (const write of /accept/.test(actor) ? writesOf(command) : []) {
      if (!write.Item || !isMeant({ ...write.Item, ...JSON.parse(String(write.Item.form ?? "{}")) })) continue;
      write.ConditionExpression = undefined;
      dropUnused(write);
    }
  };

export const mutants: readonly NamedMutant[] = [
  {
    name: "people with no-shows wait in the order of arrival",
    breaks: ["FIFO"],
    where: ["no-shows: they come"],
    make: () => ({
      mutate: ({ command }) => {
        for (const { Item: item, Key: key } of writesOf(command)) {
          const place = item ?? key;
          if (place && String(place.PK).startsWith("WAIT#"))
            Object.assign(place, { SK: String(place.SK).replace("~", "") });
        }
      },
    }),
  },
  {
    name: "a seat with two holders: an acceptance that does not ask whether its offer still counts",
    breaks: ["NO_SEAT_TO_HAND_ON", "OTHER_OFFER", "COUNT"],
    where: ["another person is named", "the giver cancels"],
    make: () => ({ mutate: accepting((item) => item.left === "self/transfer") }),
  },
  {
    name: "a seat lost: an acceptance that does not ask whether its person has got another one",
    breaks: ["COUNT", "TWO_SEATS", "PLACE"],
    where: ["accepts two seats"],
    make: () => ({ mutate: accepting((item) => item.handed !== undefined) }),
  },
  {
    name: "a seat of a closed event is handed on",
    breaks: ["SEAT_IN_CLOSED_EVENT", "SEAT_IN_DELETED_EVENT"],
    where: ["the event is closed"],
    make: () => ({ mutate: (call) => /accept/.test(call.actor) && without(["SEAT#"], /state|termsVersion/)(call) }),
  },
  {
    name: "registration opens early",
    breaks: ["EARLY"],
    where: ["opening"],
    make: () => ({
      mutate: without(["SEAT#"], /opensAt/),
      disguise: disguised("SEAT#", (seats) => ({ ...seats, opensAt: Number(seats.opensAt) - 1 })),
    }),
  },
  {
    name: "partners take seats of the attendees",
    breaks: ["OTHER_SEATS"],
    where: ["partners: they come"],
    make: () => otherSeats("partners"),
  },
  {
    name: "attendees take seats of the partners",
    breaks: ["OTHER_SEATS"],
    where: ["partners: they come"],
    make: () => otherSeats("attendees"),
  },
  {
    name: "partners without a limit",
    breaks: ["OVERSELL"],
    where: ["partners: they come", "partners: more seats"],
    make: () => ({ mutate: without(["SEAT#"], /partnerSeats/) }),
  },
  {
    name: "an allotment without a limit",
    breaks: ["OVERSELL"],
    where: ["allotment: those with a code", "allotment: a rush"],
    make: () => ({ mutate: without(["SEAT#"], /allotmentSeats </, /deadline/) }),
  },
  {
    name: "a seat of the allotment without a code",
    breaks: ["ALLOTMENT_WITHOUT_CODE"],
    where: ["allotment: those with a code", "allotment: what is left"],
    make: uninvited,
  },
  {
    name: "a seat of the allotment is given back to the others",
    breaks: ["COUNT"],
    where: ["allotment: those with a code", "allotment: a rush"],
    make: givenToOthers,
  },
  {
    name: "the allotment gives seats that the others have",
    breaks: ["OVERSELL", "SWAP_ABOVE_CAP"],
    where: ["allotment: one is made"],
    make: () => ({ mutate: without(["SEAT#"], /^seats <= #capacity$/, /allotmentSeats/) }),
  },
  {
    name: "the allotment is released although its seats are taken meanwhile",
    breaks: ["ALLOTMENT_BELOW_ITS_SEATS"],
    where: ["allotment: what is left"],
    make: () => ({ mutate: without(["SEAT#"], /:allotment\)/) }),
  },
  {
    name: "one line for partners and attendees",
    breaks: ["OTHER_LINE"],
    where: ["partners: they come"],
    make: () => ({
      mutate: (call) => {
        readsAttendeesLine(/./)(call);
        for (const { Item: item, Key: key } of writesOf(call.command)) {
          const place = item ?? key;
          if (place) Object.assign(place, { PK: inAttendeesLine(place.PK) });
        }
      },
    }),
  },
  {
    name: "a freed seat of a partner goes to the line of the attendees",
    breaks: ["OVERSELL", "SWAP_ABOVE_CAP"],
    where: ["partners: one leaves"],
    make: () => ({ mutate: readsAttendeesLine(/leave/) }),
  },
  {
    name: "the partner who waits first does not queue the gate",
    breaks: ["JUMP", "LOST_SEAT"],
    where: ["partners: they come with attendees"],
    make: () => ({
      mutate: ({ command }) => {
        for (const write of writesOf(command)) {
          if (!write.UpdateExpression?.includes("partnerGate = :queued ADD")) continue;
          write.UpdateExpression = write.UpdateExpression.replace("SET partnerGate = :queued ", "");
          dropUnused(write);
        }
      },
    }),
  },
  {
    name: "no gate: newcomers are seated while others wait",
    breaks: ["JUMP"],
    where: ["free again: raised", "two leave, one waits"],
    make: () => ({
      mutate: without(["SEAT#"], /gate = :direct/),
      disguise: disguised("SEAT#", (seats) =>
        Number(seats.seats) < Number(seats.capacity) ? { ...seats, gate: "direct" } : seats,
      ),
    }),
  },
  {
    name: "who waits first does not queue the gate",
    breaks: ["JUMP"],
    where: ["free again: nobody waits", "three come for one seat", "a rush with departures"],
    make: () => ({
      mutate: ({ command }) => {
        for (const write of writesOf(command)) {
          if (!partitionOf(write).startsWith("SEAT#") || !write.UpdateExpression?.includes("gate = :queued")) continue;
          write.UpdateExpression = write.UpdateExpression.replace("SET gate = :queued ", "");
          dropUnused(write);
        }
      },
    }),
  },
  {
    name: "a crowd that waits while the gate is direct",
    breaks: ["JUMP"],
    where: ["a crowd: some queue, another does not"],
    make: () => ({
      mutate: ({ command }) => {
        for (const { UpdateExpression, ExpressionAttributeValues: values } of writesOf(command)) {
          if (values && UpdateExpression === "SET gate = :queued") values[":queued"] = "direct";
        }
      },
      disguise: (call, answer) =>
        / register [ab]$/.test(call.actor)
          ? disguised("SEAT#", (seats) => ({ ...seats, gate: "queued" }))(call, answer)
          : answer,
    }),
  },
  {
    name: "no look at the seats after joining the line",
    breaks: ["LOST_SEAT"],
    where: ["one leaves, others come", "capacity 1 to 2", "a crowd: all queue"],
    make: () => withoutFollowUp(/register/),
  },
  {
    name: "no promotion after releasing a seat",
    breaks: ["LOST_SEAT"],
    where: ["one leaves, others come", "two leave", "three come"],
    make: () => noPromotionAfter("release"),
  },
  {
    name: "no promotion after a swap that frees a choice",
    breaks: ["LOST_SEAT"],
    where: ["workshops: a swap frees a choice"],
    make: () => noPromotionAfter("swap"),
  },
  {
    name: "a swap without its guard",
    breaks: ["SWAP_ABOVE_CAP"],
    where: ["capacity 2 to 1", "capacity unlimited to 1"],
    make: () => ({ mutate: without(["SEAT#"], /^seats <= #capacity$/) }),
  },
  {
    name: "newcomers without a limit",
    breaks: ["OVERSELL"],
    where: ["three come", "partners"],
    make: () => ({ mutate: without(["SEAT#"], /^seats < #capacity$/) }),
  },
  {
    name: "promotion without a limit",
    breaks: ["OVERSELL"],
    where: ["capacity", "one leaves, others come", "two leave"],
    make: () => ({ mutate: without(["SEAT#"], /^seats (<= :room|< #capacity)$/, /startsAt/) }),
  },
  {
    name: "groups: a group gets seats while fewer are free",
    breaks: ["OVERSELL", "SWAP_ABOVE_CAP"],
    where: ["groups: they come", "groups: a group leaves"],
    make: () => ({ mutate: without(["SEAT#"], /^seats <= :room$/) }),
  },
  {
    name: "groups: half a group gets seats",
    breaks: ["COUNT"],
    where: ["groups: the next one waits", "groups: a group leaves"],
    make: () => ({ disguise: linesWith(({ brings: _, ...place }) => place) }),
  },
  {
    name: "groups: a smaller one overtakes",
    breaks: ["FIFO", "JUMP"],
    where: ["groups: the next one waits", "groups: a group leaves"],
    make: () => ({ disguise: linesWith((place) => (place.brings === undefined ? place : undefined)) }),
  },
  {
    name: "groups: no promotion after a group has left the line, or brings fewer",
    breaks: ["LOST_SEAT"],
    where: ["groups: the next one waits", "groups: who waits for all"],
    make: () => withoutFollowUp(/ leave g$| bring /),
  },
  {
    name: "paid groups: the amount is without those who come along",
    breaks: ["PEOPLE_AND_MONEY", "COUNT"],
    where: ["paid groups: money for other people"],
    make: () => ({ disguise: (call, answer) => (call.actor.includes("pay") ? alone(call, answer) : answer) }),
  },
  {
    name: "paid groups: the end of the hold gives back the seat of the person only",
    breaks: ["COUNT"],
    where: ["paid groups: the money, the end", "paid groups: holds"],
    make: () => ({ disguise: (call, answer) => (call.actor.includes("sweep") ? alone(call, answer) : answer) }),
  },
  {
    name: "paid groups: the seats of those who come along outlive the hold",
    breaks: ["COUNT", "LOST_SEAT"],
    where: ["paid groups: the money, the end", "paid groups: holds"],
    make: () => ({
      mutate: ({ actor, command }) => {
        for (const { Key: at, ExpressionAttributeValues: values } of writesOf(command)) {
          const isSeats = actor.includes("sweep") && String(at?.PK).startsWith("SEAT#");
          if (isSeats && values && Number(values[":seats"]) < -1)
            Object.assign(values, { ":seats": -1, ":incomplete": -1 });
        }
      },
    }),
  },
  {
    name: "paid groups: half of what a group has paid is refunded",
    breaks: ["PART_KEPT"],
    where: ["paid groups: fewer come, and all leave"],
    make: () => ({ mutate: refundsWith((data) => (data.reason === "fewer come" ? {} : { keeps: 1_000 })) }),
  },
  {
    name: "paid groups: fewer come, and the price of one of them is refunded",
    breaks: ["PEOPLE_AND_MONEY"],
    where: ["paid groups: fewer come, and all leave"],
    make: () => ({ mutate: refundsWith((data) => (data.reason === "fewer come" ? { amount: 1_000 } : {})) }),
  },
  {
    name: "paid groups: money settles a registration that has fewer people by then",
    breaks: ["VERSION", "COUNT", "PEOPLE_AND_MONEY"],
    where: ["paid groups: fewer come while"],
    make: () => {
      const forget = without(["USER#"], /version/);
      return { mutate: (call) => call.actor.includes("pay") && forget(call) };
    },
  },
  {
    name: "choices without a limit",
    breaks: ["CHOICE_OVERSELL"],
    where: ["workshops: the last room"],
    make: () => ({ mutate: without(["SEAT#"], /choiceLimits/) }),
  },
  {
    name: "codes without a limit",
    breaks: ["OVERUSED"],
    where: ["codes: three come", "codes: a rush", "codes: the money", "codes: rejected"],
    make: () => ({ mutate: without(["CODE#"], /used < uses/) }),
  },
  {
    name: "a use is taken before or after its registration",
    breaks: ["USES"],
    where: ["codes: three come", "codes: leaving"],
    make: () => ({
      mutate: ({ command }) => {
        if (!(command instanceof TransactWriteCommand)) return;
        const { input } = command;
        input.TransactItems = input.TransactItems?.filter(
          ({ Update }) => !(String(Update?.Key?.PK).startsWith("CODE#") && Update?.ExpressionAttributeValues?.[":one"]),
        );
      },
    }),
  },
  {
    name: "a departure keeps its use",
    breaks: ["USES"],
    where: ["codes: leaving", "codes: a rush"],
    make: () => ({
      mutate: ({ command }) => {
        for (const { ExpressionAttributeValues: values } of writesOf(command))
          if (values?.[":less"]) values[":less"] = 0;
      },
    }),
  },
  {
    name: "a code that was changed since it was read",
    breaks: ["ENDED_CODE"],
    where: ["codes: it is changed"],
    make: () => ({ mutate: without(["CODE#"], /version = :version/) }),
  },
  {
    name: "only the head of the line is looked at",
    breaks: ["LOST_SEAT"],
    where: ["workshops: the head", "workshops: two leave"],
    make: () => ({
      disguise: ({ command }, answer) => {
        if (!(command instanceof QueryCommand)) return answer;
        const { LastEvaluatedKey, Items = [], ...rest } = answer as { LastEvaluatedKey?: Item; Items?: Item[] };
        return { ...rest, Items: Items.slice(0, 1) };
      },
    }),
  },
  {
    name: "whoever was passed over is not looked at again",
    breaks: ["FIFO"],
    where: ["workshops: a swap frees what"],
    make: () => ({ mutate: without(["SEAT#"], /:pt\d/) }),
  },
  {
    name: "moves that do not ask which version was read",
    breaks: ["VERSION", "COUNT", "PLACE", "NEWS"],
    where: ["leaving", "somebody who waits leaves"],
    make: () => ({ mutate: without(["USER#", "WAIT#"], /version = :(version|read)/) }),
  },
  {
    name: "moves that do not ask whether the event is open",
    breaks: ["SEAT_IN_CLOSED_EVENT", "SEAT_IN_DELETED_EVENT"],
    where: ["closing", "deleting"],
    make: () => ({ mutate: without(["SEAT#"], /#state = :OPEN/, /startsAt/) }),
  },
  {
    name: "newcomers who do not ask whether the event is open",
    breaks: ["SEAT_IN_CLOSED_EVENT", "SEAT_IN_DELETED_EVENT"],
    where: ["closing in a rush", "deleting in a rush"],
    make: () => ({ mutate: without(["SEAT#"], /#state = :OPEN/, /deadline/) }),
  },
  {
    name: "newcomers who do not ask for the configuration they decided on",
    breaks: ["UNPAID_SEAT"],
    where: ["a price in a rush"],
    make: () => ({ mutate: without(["SEAT#"], /termsVersion = :termsVersion/, /deadline/) }),
  },
  {
    name: "promotion that does not ask for the configuration it read",
    breaks: ["UNPAID_SEAT"],
    where: ["a price while"],
    make: () => ({ mutate: without(["SEAT#"], /termsVersion = :termsVersion/, /startsAt/) }),
  },
  {
    name: "a swap that does not ask for the price",
    breaks: ["UNPAID_SEAT"],
    where: ["a price, people wait"],
    make: () => ({ mutate: without(["SEAT#"], /termsVersion = :termsVersion/, /seats <= #capacity/) }),
  },
  {
    name: "seats that do not ask for the generation of the event",
    breaks: ["COUNT"],
    where: ["created again", "deleting and creating again"],
    make: () => ({ mutate: without(["SEAT#"], /generation = :generation/) }),
  },
  {
    name: "no promotion after opening again, or after raising a limit",
    breaks: ["LOST_SEAT"],
    where: ["opening again", "capacity 1 to", "workshops: more room"],
    make: () => ({
      disguise: (call, answer) =>
        call.actor.includes("change") && asksFor(call, "SEAT#")
          ? disguised("SEAT#", (seats) => ({ ...seats, state: "CLOSED" }))(call, answer)
          : answer,
    }),
  },
  {
    name: "joining a deleted event is not undone",
    breaks: ["WAITS_FOR_A_DELETED_EVENT"],
    where: ["deleting in a rush", "deleting, answers"],
    make: () => afterJoining((seats) => ({ ...seats, state: "OPEN" })),
  },
  {
    name: "a registration that may replace a live one",
    breaks: ["REPLACED", "COUNT", "VERSION", "PLACE"],
    where: ["the same person twice"],
    make: () => ({ mutate: without(["USER#"], /attribute_not_exists\(PK\)/) }),
  },
  {
    name: "an admin's decision above the capacity",
    breaks: ["OVERSELL"],
    where: ["applications: more accepted", "an admin seats somebody"],
    make: () => ({ mutate: without(["SEAT#"], /^seats < #capacity$/) }),
  },
  {
    name: "applications that move up by themselves",
    breaks: ["SEATED_WITHOUT_DECISION"],
    where: ["applications: a freed seat"],
    make: () => ({ disguise: disguised("SEAT#", (seats) => ({ ...seats, mode: "free" })) }),
  },
  {
    name: "no promotion after a choice was changed",
    breaks: ["LOST_SEAT"],
    where: ["answers: a holder", "answers: somebody who waits"],
    make: () => withoutFollowUp(/answer/),
  },
  {
    name: "a payment that is settled again",
    breaks: ["SETTLED_TWICE", "PAID_WITHOUT_SEAT_OR_REFUND"],
    where: ["paid: the money and", "paid: the money comes late", "paid: money for"],
    make: () => ({
      mutate: without(["PAY#"], /attribute_not_exists/),
      disguise: (call, answer) => (asksFor(call, "PAY#") ? {} : answer),
    }),
  },
  {
    name: "a late payment that does not look at who waits",
    breaks: ["JUMP"],
    where: ["paid: the money comes late while others wait", "free again: the money comes late, another one waits"],
    make: () => ({ disguise: (call, answer) => (readsLine(call, /pay/) ? { ...answer, Items: [] } : answer) }),
  },
  {
    name: "a late payment that revives somebody who cancelled",
    breaks: ["REVIVED_A_CANCELLED_PERSON"],
    where: ["paid: money for"],
    make: () => ({
      disguise: (call, answer) =>
        call.actor.includes("pay")
          ? disguised("USER#", (one) => ({ ...one, form: JSON.stringify({ left: "clock/hold" }) }))(call, answer)
          : answer,
    }),
  },
  {
    name: "a paid seat that is given up without a refund",
    breaks: ["PAID_WITHOUT_SEAT_OR_REFUND"],
    where: ["paid: money for"],
    make: () => ({
      disguise: (call, answer) =>
        call.actor.includes("cancel") ? disguised("USER#", ({ paidBy, ...one }) => one)(call, answer) : answer,
    }),
  },
  {
    name: "a hold that outlives its seat",
    breaks: ["HOLD"],
    where: ["paid: holds end"],
    make: () => ({
      disguise: (call, answer) =>
        call.actor.includes("sweep")
          ? disguised("USER#", (one) => ({ ...one, ...(one.holdExpiresAt ? { holdExpiresAt: 1 } : {}) }))(call, answer)
          : answer,
    }),
  },
  {
    name: "a person who is moved to the line keeps the place of the former beginning",
    breaks: ["NOT_THE_END"],
    where: ["the end of the line"],
    make: () => ({
      mutate: ({ command }) => {
        const writes = writesOf(command);
        // `registeredAt` is the time of the beginning; a queueKey begins with its time.
        const moved = writes.find(({ Item: item }) => item?.status === "waitlist" && item.registeredAt !== undefined);
        if (!moved?.Item) return;
        const { queueKey, registeredAt } = moved.Item;
        const former = `${registeredAt}#0`;
        for (const { Item: item = {} } of writes) {
          for (const name of Object.keys(item)) if (item[name] === queueKey) Object.assign(item, { [name]: former });
        }
      },
    }),
  },
  {
    name: "messages that are told before, or without, the commit of what they tell",
    breaks: ["NEWS"],
    where: ["three come for one seat, one leaves", "cancelling"],
    make: () => ({
      mutate: ({ command }) => {
        if (!(command instanceof TransactWriteCommand)) return;
        const { input } = command;
        input.TransactItems = input.TransactItems?.filter(({ Put }) => !String(Put?.Item?.PK).startsWith("OUT#"));
      },
    }),
  },
  {
    name: "a free seat is taken without a look at the line",
    breaks: ["JUMP"],
    where: ["free again: raised"],
    make: () => ({ disguise: (call, answer) => (readsLine(call, /register/) ? { ...answer, Items: [] } : answer) }),
  },
  {
    name: "a newcomer reads the line once and keeps it over all tries to enter",
    breaks: ["JUMP"],
    where: ["free again: nobody waits, a crowd"],
    make: () => {
      const first = new Map<string, object>();
      const joined = new Set<string>();
      return {
        disguise: (call, answer) => {
          const { actor, command } = call;
          const joins = writesOf(command).some(({ Item: item }) => item?.status === "waitlist");
          if (joins && !(answer instanceof Error)) joined.add(actor);
          // A person who has joined reads the line to promote others. This mutant leaves promotions as they are.
          if (!readsLine(call, /register/) || joined.has(actor)) return answer;
          const kept = first.get(actor) ?? answer;
          first.set(actor, kept);
          return kept;
        },
      };
    },
  },
  {
    name: "newcomers do not demand that the choices they passed over are still full",
    breaks: ["JUMP"],
    where: ["free again: somebody waits for a full workshop", "free again: those who come"],
    make: () => ({ mutate: without(["SEAT#"], /:pt\d/, /deadline/) }),
  },
  {
    name: "a newcomer takes the limits of earlier terms for those of the event",
    breaks: ["JUMP"],
    where: ["gets more room, others come"],
    make: () => ({
      disguise: (call, answer) => {
        const { Responses = {} } = answer as { Responses?: Record<string, Item[]> };
        const event = Object.values(Responses)
          .flat()
          .find(({ PK }) => String(PK).startsWith("EVENT#"));
        return event
          ? disguised("SEAT#", (seats) => ({ ...seats, termsVersion: event.termsVersion }))(call, answer)
          : answer;
      },
    }),
  },
  {
    name: "a late payment does not ask for the terms it read",
    breaks: ["JUMP"],
    where: ["gets more room, and the money comes late"],
    make: () => {
      const forget = without(["SEAT#"], /termsVersion = :termsVersion/);
      return { mutate: (call) => call.actor.includes("pay") && forget(call) };
    },
  },
  {
    name: "one's own promotion is trusted, not the record",
    breaks: ["NEVER_WAS_waitlist"],
    where: ["one leaves, others come", "capacity 1 to 2"],
    make: () => {
      const joined = new Map<string, Item>();
      return {
        mutate: ({ actor, command }) => {
          for (const write of writesOf(command)) if (write.Item?.status === "waitlist") joined.set(actor, write.Item);
        },
        disguise: (call, answer) => {
          const own = joined.get(call.actor);
          return own && call.actor.includes("register") ? disguised("USER#", () => own)(call, answer) : answer;
        },
      };
    },
  },
  {
    name: "no check of the terms after joining",
    breaks: ["WAITS_UNDER_OTHER_TERMS"],
    where: ["terms: it takes applications"],
    isRare: true,
    make: () => afterJoining((seats, decided) => ({ ...seats, termsVersion: decided?.termsVersion })),
  },
  {
    name: "a transaction without an answer is sent again under another token",
    breaks: ["TOLD_DUPLICATE_BUT_IS_IN", "TOLD_NOT_FOUND_BUT_LEFT", "TOLD_ILLEGAL_TRANSITION_BUT_CHANGED"],
    where: ["answers get lost", "a lost registration", "whole: points along"],
    make: () => ({ seam: { tokenOf: () => randomUUID() } }),
  },
  {
    name: "a message does not say what has to follow",
    breaks: ["LOST_SEAT"],
    where: ["somebody vanishes"],
    make: () => ({
      mutate: ({ command }) => {
        for (const write of writesOf(command)) {
          const data = (write.Item?.detail as { data?: { followUps?: unknown } } | undefined)?.data;
          if (data?.followUps) data.followUps = [];
        }
      },
    }),
  },
  {
    name: "every loop has a deadline of its own",
    breaks: ["AFTER_THE_DEADLINE"],
    where: ["people give up"],
    make: () => ({ seam: { deadlineOf: () => performance.now() + 15_000 } }),
  },
  {
    name: "an admin's decision joins the line because of conflicts",
    breaks: ["HALF_DONE"],
    where: ["whole: points for one who was cancelled"],
    make: () => ({ seam: { isCrowded: (conflicts) => conflicts >= 2 } }),
  },
  {
    name: "the rows of one request share one context",
    breaks: ["SHARED_QUEUE_KEY"],
    where: ["several again: seats", "several again: the event is full"],
    make: () => ({ contextOfRow: (ofRequest) => ofRequest }),
  },
  {
    name: "the rows of one request share one context, and one of them joins the line for ever",
    breaks: ["LIVELOCK", "ROW_CONTENDED"],
    where: ["several again: the event is full"],
    make: () => ({ contextOfRow: (ofRequest) => ofRequest }),
  },
];

/** @throws Error there is no mutant with this name */
export function mutantNamed(name: string): NamedMutant {
  const found = mutants.find((one) => one.name === name);
  if (!found) throw new Error(`There is no mutant "${name}" any more.`);
  return found;
}
