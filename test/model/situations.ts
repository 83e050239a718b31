/** Small situations with many interleavings, and larger ones. */
import type { Item } from "./expression.ts";

/** One step of a situation. */
export type Act =
  | {
      readonly do: "register";
      readonly who: string;
      readonly choice?: string;
      readonly partner?: boolean;
      /** The person has the event's code. */
      readonly code?: true;
      /** How many people come along. */
      readonly brings?: number;
    }
  /** The person brings only so many of them after all. */
  | { readonly do: "bring"; readonly who: string; readonly only: number }
  /** An executive gives the event its code, with so many uses; changes their number; or ends it. */
  | { readonly do: "code"; readonly uses: number | "changed" | "ended"; readonly price?: number }
  | { readonly do: "leave"; readonly who: string }
  /** The person cancels, and the record stays. */
  | { readonly do: "cancel"; readonly who: string }
  /** The person offers the seat to another one, who takes it, or does later by the same offer. */
  | { readonly do: "offer"; readonly who: string; readonly to: string }
  | { readonly do: "accept"; readonly who: string; readonly choice?: string }
  /** The sweeper finds that the person's hold is over. */
  | { readonly do: "sweep"; readonly who: string }
  /**
   * The provider reports the person's payment. With `late` it is for the registration that the person had before the
   * acts began. With `brings` it is for as many people who come along, whatever the registration is by now.
   */
  | { readonly do: "pay"; readonly who: string; readonly brings?: number }
  /** The person chooses another workshop. */
  | { readonly do: "answer"; readonly who: string; readonly choice: string }
  /** An admin decides about the person's registration. */
  | { readonly do: "decide"; readonly who: string; readonly to: string; readonly points?: number }
  /** An admin registers several people again by one request. */
  | { readonly do: "decideAll"; readonly people: string }
  | { readonly do: "change"; readonly changes: object }
  | { readonly do: "delete" }
  | { readonly do: "create" };

/** The time of the request before the first one, in epoch milliseconds. Each request is a millisecond later. */
export const start = Date.parse("2026-01-01T00:00:00Z");

export interface Situation {
  readonly name: string;
  readonly capac: number | null;
  /** The limit of each of the workshops `a`, `b`, `c`. */
  readonly participantCap?: number;
  /** Further fields of the event. */
  readonly event?: object;
  /** Acts that run one after the other before `acts` begin. */
  readonly before?: readonly Act[];
  /** Acts that run at the same time. */
  readonly acts: readonly Act[];
  /** People who join the line at their first try, as after many conflicts. */
  readonly crowd?: string;
  /** People with too many no-shows. */
  readonly noShows?: string;
  /** How many actors may vanish, and how many calls may stay without an answer. */
  readonly crashes?: number;
  readonly lost?: number;
  /** Conflicts last so long that requests reach their deadline. */
  readonly isContended?: boolean;
}

const register = (who: string, choice?: string): Act => ({ do: "register", who, ...(choice && { choice }) });
const partner = (who: string): Act => ({ do: "register", who, partner: true });
const partners = (names: string): Act[] => [...names].map(partner);
const partnerSeats = (partnerCapac: number) => ({ partnerCapac });
const allotted = (allotment: number) => ({ allotment });
/** Registration opens with the nth request of a run, counted from the one that creates the event. */
const opening = (request: number) => ({ opensAt: new Date(start + request).toISOString() });
const withCode = (names: string): Act[] => [...names].map((who) => ({ do: "register", who, code: true }));
const code = (uses: number | "changed" | "ended", price?: number): Act => ({
  do: "code",
  uses,
  ...(price !== undefined && { price }),
});
const group = (who: string, brings: number, choice?: string): Act => ({
  do: "register",
  who,
  brings,
  ...(choice && { choice }),
});
const bring = (who: string, only: number): Act => ({ do: "bring", who, only });
const takesGroups = { plusOnes: 3 };
const groupWithCode = (who: string, brings: number): Act => ({ do: "register", who, brings, code: true });
const leave = (who: string): Act => ({ do: "leave", who });
const cancel = (who: string): Act => ({ do: "cancel", who });
const offer = (who: string, to: string): Act => ({ do: "offer", who, to });
const accept = (who: string, choice?: string): Act => ({ do: "accept", who, ...(choice && { choice }) });
const handsOn = { transfers: 3 };
const sweep = (who: string): Act => ({ do: "sweep", who });
const pay = (who: string, brings?: number): Act => ({ do: "pay", who, ...(brings !== undefined && { brings }) });
const answer = (who: string, choice: string): Act => ({ do: "answer", who, choice });
const decide = (who: string, to: string, points?: number): Act => ({
  do: "decide",
  who,
  to,
  ...(points !== undefined && { points }),
});
const registerAgain = (people: string): Act => ({ do: "decideAll", people });
const priced = { pricing: { members: 5, nonMembers: 10 } };
const paidGroups = { ...takesGroups, ...priced };
const applications = { isApplicationBased: true };
const everybody = (names: string): Act[] => [...names].map((who) => register(who));
const change = (changes: object): Act => ({ do: "change", changes });
const capacity = (capac: number | null): Act => change({ capac });
const complete = (isCompleted: boolean): Act => change({ isCompleted });
const price = change(priced);
const remove: Act = { do: "delete" };
const create: Act = { do: "create" };

/** The items of three past events at which a person had a seat and others were checked in. */
export const seatsLeftEmpty = (email: string): Item[] =>
  [1, 2, 3].flatMap((n) => [
    {
      PK: `SEAT#past${n}#2025#00`,
      SK: "POOL",
      generation: "p",
      state: "OPEN",
      startsAt: start - n * 7 * 86_400_000,
      checkedIn: 1,
    },
    {
      PK: `USER#${email}`,
      SK: `REG#past${n}#2025`,
      generation: "p",
      status: "registered",
      queueKey: `${start - n}#past${n}`,
      version: 1,
    },
  ]);

/** The question about workshops, as an event stores it. */
export const workshops = (participantCap: number) => ({
  registrationQuestions: [
    {
      questionId: "w",
      label: "Workshop",
      type: "WORKSHOP_SELECTION",
      required: false,
      choices: ["a", "b", "c"],
      participantCap,
    },
  ],
});

export const situations: readonly Situation[] = [
  { name: "three come for one seat, one leaves", capac: 1, acts: [...everybody("abc"), leave("a")] },
  { name: "three come for one seat, two leave", capac: 1, acts: [...everybody("abc"), leave("a"), leave("b")] },
  { name: "one leaves, others come", capac: 1, before: everybody("a"), acts: [leave("a"), ...everybody("bc")] },
  { name: "two leave, one waits", capac: 2, before: everybody("abc"), acts: [leave("a"), leave("b"), register("d")] },
  { name: "the same person twice", capac: 1, acts: [...everybody("aab"), leave("a")] },
  { name: "leaving twice", capac: 2, before: everybody("abc"), acts: [leave("a"), leave("a"), register("d")] },
  {
    name: "leaving and coming again",
    capac: 1,
    before: everybody("ab"),
    acts: [leave("a"), register("a"), leave("b")],
  },
  {
    name: "somebody who waits leaves",
    capac: 1,
    before: everybody("abc"),
    acts: [leave("b"), leave("a"), register("d")],
  },
  // seats are handed on
  {
    name: "handing on: accepted twice while the giver cancels and others wait",
    capac: 1,
    event: handsOn,
    before: [...everybody("ab"), offer("a", "c")],
    acts: [accept("c"), accept("c"), cancel("a"), register("d")],
  },
  {
    name: "handing on: another person is named while the first one accepts",
    capac: 2,
    event: handsOn,
    before: [...everybody("ab"), offer("a", "c")],
    acts: [accept("c"), offer("a", "d"), accept("d"), leave("b")],
  },
  {
    name: "handing on: one person accepts two seats, answers get lost, one vanishes",
    capac: 2,
    crashes: 1,
    lost: 2,
    event: handsOn,
    before: [...everybody("abe"), offer("a", "c"), offer("b", "c")],
    acts: [accept("c"), accept("c"), leave("b"), register("c")],
  },
  {
    name: "handing on: the capacity shrinks",
    capac: 2,
    event: handsOn,
    before: [...everybody("abe"), offer("a", "c")],
    acts: [capacity(1), accept("c"), leave("b"), leave("a")],
  },
  {
    name: "handing on: the event is closed, hidden or deleted",
    capac: 2,
    event: handsOn,
    before: [...everybody("ab"), offer("a", "c"), offer("b", "d")],
    acts: [accept("c"), complete(true), accept("d"), remove],
  },
  {
    name: "handing on: workshops, others wait for the room",
    capac: 3,
    participantCap: 1,
    event: handsOn,
    before: [
      register("a", "a"),
      register("b", "b"),
      register("c"),
      register("d", "a"),
      offer("a", "e"),
      offer("b", "f"),
    ],
    acts: [accept("e", "c"), accept("f", "a"), leave("c"), leave("a")],
  },
  {
    name: "handing on: a paid seat, which the second person gives up",
    capac: 1,
    event: { pricing: { members: 10, nonMembers: 10 }, ...handsOn },
    before: [...everybody("ab"), pay("a"), offer("a", "c")],
    acts: [accept("c"), leave("a"), cancel("c"), register("d")],
  },
  {
    name: "handing on: the seat of a code's last use, which others want",
    capac: 3,
    event: handsOn,
    before: [code(1), ...withCode("a"), offer("a", "c")],
    acts: [accept("c"), ...withCode("b"), cancel("c"), ...withCode("a")],
  },
  // partners have seats and a line of their own
  {
    name: "partners: they come with attendees, and leave",
    capac: 1,
    event: partnerSeats(1),
    acts: [...partners("ab"), ...everybody("cd"), leave("a"), leave("c")],
  },
  {
    name: "partners: one leaves, both lines wait",
    capac: 1,
    event: partnerSeats(1),
    before: [...partners("abe"), ...everybody("cd")],
    acts: [leave("a"), ...partners("f"), register("g"), leave("b")],
  },
  {
    name: "partners: an attendee leaves, both lines wait",
    capac: 1,
    event: partnerSeats(1),
    before: [...partners("ab"), ...everybody("cdx")],
    acts: [leave("c"), partner("f"), register("g"), leave("d")],
  },
  {
    name: "partners: more seats for them, answers get lost",
    capac: 1,
    lost: 2,
    event: partnerSeats(0),
    before: [...partners("abc"), ...everybody("de")],
    acts: [change(partnerSeats(2)), partner("f"), leave("a")],
  },
  {
    name: "partners: fewer seats for them, both are given up",
    capac: 1,
    event: partnerSeats(2),
    before: [...partners("abc"), ...everybody("de")],
    acts: [change(partnerSeats(1)), leave("a"), leave("b")],
  },
  {
    name: "partners: a crowd, and one vanishes",
    capac: 1,
    crowd: "ab",
    crashes: 1,
    event: partnerSeats(1),
    acts: [...partners("abc"), register("d"), leave("a")],
  },
  {
    name: "partners: the money comes late while others wait",
    capac: 1,
    event: { ...priced, ...partnerSeats(1) },
    before: [...partners("ab"), ...everybody("d"), sweep("a")],
    acts: [cancel("b"), pay("a"), partner("c"), register("e")],
  },
  {
    name: "partners: applications of both, and decisions",
    capac: 1,
    event: { ...applications, ...partnerSeats(1) },
    before: [...partners("ab"), register("c"), decide("a", "accepted")],
    acts: [decide("b", "accepted"), decide("c", "accepted"), cancel("a"), partner("d")],
  },
  // a code has fewer uses than people come with it
  { name: "codes: three come with the last use", capac: 3, before: [code(1)], acts: withCode("abc") },
  {
    name: "codes: a rush for two uses and one seat, some leave",
    capac: 1,
    crashes: 1,
    lost: 2,
    before: [code(2)],
    acts: [...withCode("abcd"), register("e"), leave("a"), cancel("b")],
  },
  {
    name: "codes: leaving and coming again, answers get lost",
    capac: 1,
    lost: 3,
    before: [code(2), ...withCode("ab")],
    acts: [cancel("a"), ...withCode("ac"), leave("b"), decide("a", "registered")],
  },
  {
    name: "codes: it is changed and ended while people come and wait",
    capac: 2,
    before: [code(2), ...withCode("a")],
    acts: [...withCode("bc"), code("changed"), code("ended"), leave("a")],
  },
  {
    name: "codes: a crowd with one, others without",
    capac: 2,
    crowd: "ab",
    before: [code(2)],
    acts: [...withCode("abc"), ...everybody("de"), leave("a")],
  },
  {
    name: "codes: the money comes late, and others want the use",
    capac: 3,
    event: priced,
    before: [code(1, 5), ...withCode("a"), sweep("a")],
    acts: [pay("a"), ...withCode("bc")],
  },
  {
    name: "codes: free seats of a priced event from the line",
    capac: 1,
    event: priced,
    before: [code(2, 0), register("x"), ...withCode("a")],
    acts: [leave("x"), ...withCode("bc"), sweep("a")],
  },
  {
    name: "codes: rejected ones are accepted again",
    capac: 3,
    event: applications,
    before: [code(1), ...withCode("a"), decide("a", "rejected")],
    acts: [decide("a", "accepted"), ...withCode("bc")],
  },
  {
    name: "codes: deleting in a rush",
    capac: 1,
    lost: 2,
    before: [code(2), ...withCode("a")],
    acts: [...withCode("bc"), remove, leave("a")],
  },
  // people with a code have an allotment
  {
    name: "allotment: those with a code and others come, and leave",
    capac: 3,
    event: allotted(1),
    before: [code(4)],
    acts: [...withCode("ab"), ...everybody("cde"), leave("a"), leave("c")],
  },
  {
    name: "allotment: a rush for its last seat while others wait, answers get lost",
    capac: 3,
    crashes: 1,
    lost: 2,
    event: allotted(2),
    before: [code(5), ...withCode("a"), ...everybody("de")],
    acts: [...withCode("bc"), cancel("a"), register("f"), leave("d")],
  },
  {
    name: "allotment: what is left of it is released while others wait",
    capac: 3,
    event: allotted(2),
    before: [code(4), ...withCode("a"), ...everybody("def")],
    acts: [change(allotted(1)), ...withCode("b"), change(allotted(0)), leave("d")],
  },
  {
    name: "allotment: one is made of a full event, and the capacity shrinks",
    capac: 3,
    before: [code(5), ...everybody("cde")],
    acts: [change(allotted(2)), ...withCode("ab"), leave("c"), capacity(2), leave("d")],
  },
  {
    name: "allotment: a crowd, and leaving and coming again",
    capac: 2,
    crowd: "bcd",
    event: allotted(1),
    before: [code(3), ...withCode("a")],
    acts: [cancel("a"), ...withCode("ab"), ...everybody("cd"), leave("c")],
  },
  {
    name: "allotment: the money comes late, and others want the seat",
    capac: 2,
    event: { ...priced, ...allotted(1) },
    before: [code(3), ...withCode("a"), register("d"), sweep("a")],
    acts: [pay("a"), ...withCode("b"), register("e"), sweep("d")],
  },
  {
    name: "allotment: groups come for too few seats",
    capac: 4,
    event: { ...takesGroups, ...allotted(2) },
    before: [code(4)],
    acts: [
      ...["a", "b"].map((who): Act => ({ ...group(who, 1), code: true }) as Act),
      group("c", 1),
      bring("a", 0),
      leave("b"),
    ],
  },
  {
    name: "allotment: a seat of it is handed on while it is released",
    capac: 2,
    event: { ...handsOn, ...allotted(1) },
    before: [code(2), ...withCode("a"), ...everybody("de"), offer("a", "c")],
    acts: [accept("c"), change(allotted(0)), cancel("c"), leave("d")],
  },
  {
    name: "allotment: deleting and creating again in a rush",
    capac: 2,
    lost: 1,
    event: allotted(1),
    before: [code(2), ...withCode("a"), ...everybody("de")],
    acts: [...withCode("b"), remove, create, leave("a"), register("d")],
  },
  // people with no-shows wait behind all others
  {
    name: "no-shows: one leaves, others come later",
    capac: 1,
    noShows: "b",
    before: everybody("ab"),
    acts: [leave("a"), register("c"), register("d")],
  },
  {
    name: "no-shows: more seats, some leave, answers get lost",
    capac: 1,
    lost: 2,
    noShows: "bd",
    before: everybody("abcd"),
    acts: [capacity(2), leave("a"), register("e"), leave("d")],
  },
  {
    name: "no-shows: they come with others, a crowd and one vanishes",
    capac: 2,
    crowd: "ac",
    crashes: 1,
    noShows: "ab",
    acts: [...everybody("abcd"), leave("c")],
  },
  {
    name: "no-shows: free again, others wait for a full workshop",
    capac: 3,
    participantCap: 1,
    noShows: "xy",
    before: [register("a", "a"), register("b"), register("c"), register("x"), register("z", "a"), register("y", "b")],
    acts: [leave("c"), capacity(4), register("d", "b"), answer("a", "c")],
  },
  {
    name: "no-shows: partners, both lines wait",
    capac: 1,
    noShows: "bd",
    event: partnerSeats(1),
    before: [...partners("abc"), ...everybody("de")],
    acts: [leave("a"), partner("f"), change(partnerSeats(2)), register("g"), leave("d")],
  },
  // registration opens in the middle of the acts
  {
    name: "opening: a rush around the moment",
    capac: 2,
    event: opening(5),
    acts: [...everybody("abcdef"), leave("d")],
  },
  {
    name: "opening: it is moved while people come",
    capac: 2,
    event: opening(3),
    acts: [...everybody("abc"), change(opening(90)), ...everybody("de")],
  },
  { name: "a crowd: all queue at once, one leaves", capac: 2, crowd: "abc", acts: [...everybody("abc"), leave("a")] },
  { name: "a crowd: some queue, another does not", capac: 2, crowd: "ab", acts: everybody("abc") },
  { name: "a crowd: a price, answers get lost", capac: 2, event: priced, crowd: "ab", lost: 2, acts: everybody("abc") },
  // lost answers and vanished actors
  { name: "answers get lost", capac: 1, lost: 3, acts: [...everybody("abc"), leave("a")] },
  {
    name: "answers come late",
    capac: 2,
    lost: 3,
    before: everybody("a"),
    acts: [...everybody("bcd"), leave("a"), leave("b")],
  },
  { name: "somebody vanishes", capac: 1, crashes: 1, acts: [...everybody("abc"), leave("a")] },
  {
    name: "answers get lost, somebody vanishes",
    capac: 2,
    crashes: 1,
    lost: 2,
    before: everybody("ab"),
    acts: [...everybody("cd"), leave("a"), leave("b")],
  },
  {
    name: "people give up",
    capac: 1,
    lost: 2,
    isContended: true,
    before: everybody("ab"),
    acts: [leave("a"), ...everybody("cd"), capacity(2)],
  },
  // capacity
  { name: "capacity 1 to 2", capac: 1, acts: [...everybody("abc"), capacity(2)] },
  { name: "capacity 1 to 2, answers get lost", capac: 1, lost: 2, before: everybody("abc"), acts: [capacity(2)] },
  {
    name: "capacity 2 to 1, people leave",
    capac: 2,
    before: everybody("abc"),
    acts: [capacity(1), leave("a"), leave("b"), register("d")],
  },
  { name: "capacity 2 to 1, one leaves", capac: 2, acts: [...everybody("abc"), capacity(1), leave("a")] },
  { name: "capacity 1 to unlimited", capac: 1, acts: [...everybody("abc"), capacity(null)] },
  { name: "capacity unlimited to 1", capac: null, acts: [...everybody("abc"), capacity(1), leave("a")] },
  // workshops
  {
    name: "workshops: the last room in each",
    capac: 9,
    participantCap: 1,
    acts: [register("a", "a"), register("b", "a"), register("c", "b"), register("d", "b"), leave("a")],
  },
  {
    name: "workshops: the head wants what is full",
    capac: 2,
    participantCap: 1,
    before: [register("a", "a"), register("b", "b"), register("x", "a"), register("y", "b")],
    acts: [leave("b")],
  },
  {
    name: "workshops: two leave, one is passed over",
    capac: 2,
    participantCap: 1,
    before: [register("a", "a"), register("b", "b"), register("x", "a"), register("y", "b")],
    acts: [leave("a"), leave("b")],
  },
  {
    name: "workshops: a swap frees a choice, a seat is free",
    capac: 2,
    participantCap: 1,
    before: [register("a", "a"), register("b"), register("h"), register("x", "a")],
    acts: [capacity(3), leave("a")],
  },
  {
    name: "workshops: a swap frees what somebody was passed over for",
    capac: 2,
    participantCap: 1,
    before: [register("a", "a"), register("b"), register("h"), register("x", "a"), register("y")],
    acts: [capacity(3), leave("a")],
  },
  {
    name: "workshops: more room in each",
    capac: 3,
    participantCap: 1,
    before: [register("a", "a"), register("b", "b"), register("c"), register("x", "a"), register("y", "b")],
    acts: [leave("c"), change(workshops(2)), leave("b")],
  },
  // open, closed, deleted; pricing
  {
    name: "closing and opening again",
    capac: 1,
    before: everybody("ab"),
    acts: [complete(true), leave("a"), register("c"), complete(false)],
  },
  {
    name: "opening again",
    capac: 1,
    before: [...everybody("ab"), complete(true), leave("a")],
    acts: [complete(false)],
  },
  { name: "closing in a rush", capac: 1, lost: 2, acts: [...everybody("abc"), complete(true), leave("a")] },
  { name: "a price in a rush", capac: 2, acts: [...everybody("abc"), price, leave("a")] },
  { name: "a price, people wait", capac: 1, before: everybody("ab"), acts: [price, leave("a"), register("c")] },
  { name: "a price while a seat is given", capac: 1, before: everybody("ab"), acts: [capacity(2), price] },
  { name: "deleting in a rush", capac: 1, acts: [...everybody("abc"), remove] },
  { name: "deleting, answers get lost", capac: 1, lost: 3, before: everybody("a"), acts: [...everybody("bc"), remove] },
  {
    name: "deleting, somebody who joins vanishes",
    capac: 1,
    crashes: 1,
    before: everybody("a"),
    acts: [...everybody("bc"), remove],
  },
  {
    name: "deleting and creating again",
    capac: 1,
    before: everybody("ab"),
    acts: [remove, create, ...everybody("cb"), leave("a")],
  },
  {
    name: "created again, people come and leave",
    capac: 1,
    before: [...everybody("ab"), remove, create],
    acts: [...everybody("cbd"), leave("a"), leave("c")],
  },
  {
    name: "coming and leaving while an event is created again",
    capac: 2,
    participantCap: 1,
    before: [register("a", "a"), register("b", "b"), register("x", "a"), remove],
    acts: [create, register("a"), leave("a")],
  },
  {
    name: "deleting and creating again, answers get lost",
    capac: 1,
    lost: 3,
    before: everybody("a"),
    acts: [remove, create, ...everybody("bc")],
  },
  // cancelling and registering again
  { name: "cancelling", capac: 1, before: everybody("abc"), acts: [cancel("a"), cancel("b"), register("d")] },
  {
    name: "cancelling and coming again",
    capac: 1,
    lost: 2,
    before: everybody("ab"),
    acts: [cancel("a"), register("a"), cancel("b"), cancel("a")],
  },
  // held seats and payments
  {
    name: "paid: holds end while others wait",
    capac: 1,
    event: priced,
    before: everybody("abc"),
    acts: [sweep("a"), sweep("b"), register("d")],
  },
  {
    name: "paid: the money and the end of the hold",
    capac: 1,
    event: priced,
    before: everybody("ab"),
    acts: [pay("a"), sweep("a"), pay("a")],
  },
  {
    name: "paid: the money comes late",
    capac: 2,
    event: priced,
    before: [...everybody("a"), sweep("a")],
    acts: [pay("a"), register("b"), register("c"), pay("a")],
  },
  {
    name: "paid: the money comes late while others wait",
    capac: 1,
    event: priced,
    before: [...everybody("ab"), sweep("a")],
    acts: [cancel("b"), pay("a"), register("c"), register("d")],
  },
  {
    name: "paid: money for a seat that is given up",
    capac: 2,
    lost: 2,
    event: priced,
    before: everybody("ab"),
    acts: [pay("a"), cancel("a"), pay("a")],
  },
  {
    name: "paid: holds, money and departures in a rush",
    capac: 2,
    crashes: 1,
    event: priced,
    before: everybody("ab"),
    acts: [pay("a"), sweep("a"), sweep("b"), pay("b"), ...everybody("cd"), cancel("a"), capacity(3)],
  },
  // an admin decides
  {
    name: "an admin seats somebody while others leave",
    capac: 1,
    before: everybody("abc"),
    acts: [decide("c", "registered"), cancel("a"), capacity(2)],
  },
  {
    name: "applications: more accepted than there are seats",
    capac: 1,
    event: applications,
    before: everybody("ab"),
    acts: [decide("a", "accepted"), decide("b", "accepted"), register("c")],
  },
  {
    name: "applications: a freed seat waits for a decision",
    capac: 1,
    event: applications,
    before: [register("a"), decide("a", "accepted"), ...everybody("bc")],
    acts: [cancel("a"), leave("b"), register("d")],
  },
  // free seats after the event was full
  {
    name: "free again: nobody waits, others come",
    capac: 2,
    before: [...everybody("abc"), leave("c"), leave("a")],
    acts: [...everybody("de"), leave("b")],
  },
  {
    name: "free again: nobody waits, a crowd comes with others",
    capac: 3,
    crowd: "def",
    before: [...everybody("abcx"), leave("x"), leave("a"), leave("b")],
    acts: everybody("defgh"),
  },
  {
    name: "free again: raised while people wait, others come",
    capac: 1,
    before: everybody("abc"),
    acts: [capacity(3), ...everybody("de")],
  },
  {
    name: "free again: somebody waits for a full workshop, others come",
    capac: 3,
    participantCap: 1,
    before: [register("a", "a"), register("b"), register("c"), register("x", "a"), leave("c")],
    acts: [register("y"), register("z", "b"), leave("a")],
  },
  {
    name: "free again: those who come want what others wait for",
    capac: 3,
    participantCap: 1,
    before: [register("a", "a"), register("b"), register("c"), register("x", "a"), leave("c")],
    acts: [register("y", "a"), answer("a", "b"), register("z")],
  },
  {
    name: "free again: the workshop that somebody waits for gets more room, others come",
    capac: 3,
    participantCap: 1,
    before: [register("a", "a"), register("b"), register("c"), register("x", "a"), leave("c")],
    acts: [change(workshops(2)), register("y"), register("z", "b")],
  },
  {
    name: "free again: the workshop that somebody waits for gets more room, and the money comes late",
    capac: 2,
    participantCap: 1,
    event: priced,
    before: [register("a", "a"), register("p"), register("x", "a"), sweep("p")],
    acts: [change(workshops(2)), pay("p")],
  },
  {
    name: "free again: the money comes late, another one waits",
    capac: 1,
    event: priced,
    before: [...everybody("ab"), sweep("a"), register("c"), capacity(1)],
    acts: [pay("a"), capacity(2), register("d")],
  },
  // the terms change while people join
  {
    name: "terms: it takes applications from now on, and people join",
    capac: 1,
    before: [...everybody("ab"), leave("b"), leave("a")],
    acts: [capacity(1), register("c"), change(applications), register("d"), leave("c")],
  },
  {
    name: "terms: it takes applications from now on, and somebody joins a full event",
    capac: 1,
    before: [...everybody("ab"), leave("b")],
    acts: [leave("a"), change(applications), register("d")],
  },
  {
    name: "terms: a price while people join",
    capac: 1,
    before: everybody("a"),
    acts: [...everybody("bc"), price, change({ capac: 3 })],
  },
  // several changes in one request
  {
    name: "whole: points along with an ending, answers get lost",
    capac: 1,
    lost: 2,
    before: everybody("ab"),
    acts: [decide("a", "cancelled", 7), register("c"), decide("b", "rejected", 3)],
  },
  {
    name: "whole: points for one who was cancelled and comes again",
    capac: 2,
    lost: 2,
    before: [...everybody("ab"), cancel("a")],
    acts: [decide("a", "registered", 10), leave("b")],
  },
  {
    name: "a lost registration and a departure",
    capac: 2,
    lost: 3,
    acts: [register("a"), leave("a"), register("a"), leave("a"), ...everybody("b")],
  },
  // groups: a seat for each, or none
  {
    name: "groups: they come for too few seats, one leaves",
    capac: 3,
    event: takesGroups,
    acts: [group("a", 1), group("b", 1), register("c"), leave("a")],
  },
  {
    name: "groups: a group leaves, smaller and larger ones wait",
    capac: 3,
    lost: 1,
    event: takesGroups,
    before: [group("a", 2), register("b"), group("c", 1), register("d")],
    acts: [leave("a"), register("e"), leave("c")],
  },
  {
    name: "groups: the next one waits for seats for all, one leaves",
    capac: 3,
    event: takesGroups,
    before: [...everybody("abc"), group("g", 1), register("d")],
    acts: [leave("a"), leave("b"), register("e"), leave("g")],
  },
  {
    name: "groups: who waits for all brings fewer, somebody vanishes",
    capac: 2,
    crashes: 1,
    event: takesGroups,
    before: [...everybody("ab"), group("g", 1), register("d"), leave("a")],
    acts: [bring("g", 0), register("e"), leave("b")],
  },
  {
    name: "groups: a seat is given up beside the promotion of the group",
    capac: 4,
    event: takesGroups,
    before: [group("a", 2), register("b"), group("g", 2), register("d")],
    acts: [bring("a", 0), bring("g", 1), leave("b"), register("e")],
  },
  {
    name: "groups: workshops, and the capacity becomes smaller than a group",
    capac: 3,
    participantCap: 1,
    event: takesGroups,
    before: [group("a", 1, "a"), register("b", "b"), group("g", 2, "a"), register("d", "c")],
    acts: [capacity(2), leave("a"), register("e", "a"), capacity(3)],
  },
  {
    name: "groups: one leaves to the end of the line",
    capac: 3,
    event: takesGroups,
    before: [group("a", 2), group("b", 1), register("c")],
    acts: [decide("a", "waitlist"), leave("b"), register("e")],
  },
  // groups that pay: one hold, one payment, and the price of who does not come goes back
  {
    name: "paid groups: the money, the end of the hold, and others who wait",
    capac: 3,
    event: paidGroups,
    before: [group("a", 2), group("b", 1), register("c")],
    acts: [pay("a"), sweep("a"), register("d"), pay("a")],
  },
  {
    name: "paid groups: fewer come while the money arrives",
    capac: 3,
    lost: 1,
    event: paidGroups,
    before: [group("a", 2), register("b")],
    acts: [bring("a", 1), pay("a"), pay("a", 1), register("c")],
  },
  {
    name: "paid groups: fewer come, and all leave, after the money",
    capac: 4,
    lost: 2,
    event: paidGroups,
    before: [group("a", 3), pay("a"), register("b")],
    acts: [bring("a", 2), cancel("a"), bring("a", 0), register("d")],
  },
  {
    name: "paid groups: the money comes late",
    capac: 3,
    event: paidGroups,
    before: [group("a", 2), sweep("a")],
    acts: [pay("a"), register("b"), cancel("b"), pay("a")],
  },
  {
    name: "paid groups: money for other people than come",
    capac: 4,
    event: paidGroups,
    before: [group("a", 1)],
    acts: [pay("a", 0), pay("a", 2), pay("a"), sweep("a")],
  },
  {
    name: "paid groups: the own seat is free by a code, and nobody else comes",
    capac: 3,
    event: paidGroups,
    before: [code(2, 0), groupWithCode("a", 2), register("b")],
    acts: [pay("a"), bring("a", 0), sweep("a"), groupWithCode("c", 1)],
  },
  {
    name: "paid groups: holds, money and departures in a rush, somebody vanishes",
    capac: 4,
    crashes: 2,
    lost: 1,
    event: paidGroups,
    before: [group("a", 1), group("b", 1), group("g", 2), register("d")],
    acts: [pay("a"), sweep("a"), pay("b"), cancel("b"), bring("g", 1), register("e")],
  },
  // several people in one request
  {
    name: "several again: seats are free",
    capac: 4,
    lost: 2,
    before: [...everybody("abc"), cancel("a"), cancel("b"), cancel("c")],
    acts: [registerAgain("abc"), register("d"), leave("b")],
  },
  {
    name: "several again: the event is full, and a seat becomes free",
    capac: 4,
    lost: 2,
    before: [...everybody("abcx"), cancel("a"), cancel("b"), cancel("c"), capacity(1)],
    acts: [registerAgain("abc"), leave("x"), register("d")],
  },
  // changed answers
  {
    name: "answers: a holder gives up what another waits for, somebody vanishes",
    capac: 2,
    crashes: 2,
    participantCap: 1,
    before: [register("a", "a"), register("b", "b"), register("x", "a"), leave("b")],
    acts: [answer("a", "c")],
  },
  {
    name: "answers: a holder gives up what another waits for",
    capac: 2,
    participantCap: 1,
    before: [register("a", "a"), register("b", "b"), register("x", "a")],
    acts: [answer("a", "c"), leave("b")],
  },
  {
    name: "answers: somebody who waits wants something else",
    capac: 2,
    participantCap: 1,
    before: [register("a", "a"), register("b"), register("x", "a"), leave("b")],
    acts: [answer("x", "b"), answer("a", "b")],
  },
  // moved from a seat to the end of the line
  {
    name: "the end of the line: two are moved, one who waits leaves",
    capac: 2,
    before: everybody("abcd"),
    acts: [decide("a", "waitlist"), decide("b", "waitlist"), leave("c")],
  },
  {
    name: "the end of the line: the only one who waits leaves, somebody vanishes",
    capac: 1,
    crashes: 1,
    lost: 2,
    before: everybody("ab"),
    acts: [decide("a", "waitlist"), leave("b"), register("d")],
  },
  {
    name: "the end of the line: the person cancels, and a seat becomes free",
    capac: 1,
    before: everybody("abc"),
    acts: [decide("a", "waitlist"), leave("a"), capacity(2)],
  },
  {
    name: "the end of the line: workshops",
    capac: 2,
    participantCap: 1,
    before: [register("a", "a"), register("b", "b"), register("x", "a"), register("y", "b")],
    acts: [decide("a", "waitlist"), leave("b"), answer("x", "c")],
  },
  {
    name: "the end of the line: a price, and the event ends",
    capac: 1,
    before: everybody("abc"),
    acts: [decide("a", "waitlist"), price, complete(true)],
  },
];

export const large: readonly Situation[] = [
  {
    name: "a rush with departures and changes",
    capac: 3,
    crashes: 1,
    lost: 2,
    acts: [...everybody("abcdefgh"), leave("a"), leave("b"), leave("c"), leave("d"), capacity(4), capacity(2)],
  },
  {
    name: "workshops in a rush",
    capac: 4,
    participantCap: 1,
    crashes: 1,
    lost: 1,
    acts: [
      ...["a", "b", "c", "d"].map((who, index) => register(who, "abca"[index])),
      ...[register("e"), register("f", "b"), register("g", "a"), register("h")],
      ...[leave("a"), leave("b"), leave("c"), capacity(3), capacity(5), change(workshops(2))],
    ],
  },
  {
    name: "a whole life",
    capac: 2,
    crashes: 1,
    lost: 2,
    acts: [
      ...everybody("abcde"),
      ...[complete(true), complete(false), leave("a"), leave("b"), price, remove, create],
      ...everybody("af"),
      // A creation before the deletion is refused, so there are two.
      create,
    ],
  },
];
