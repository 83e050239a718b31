/**
 * Checks every item of a table, page by page. A page is compared with its related items. Because people use the stage
 * meanwhile, apparent problems are checked again in a consistent snapshot. Memory contains one page, the counters of each
 * event, and the queueKey of each registration.
 */

import { ScanCommand, TransactGetCommand } from "@aws-sdk/lib-dynamodb";
import pMap from "p-map";
import { isFull, type Pool, poolOf, type Seats, seatsKey } from "#domain/capacity/seats.ts";
import type { EventKey } from "#domain/events/event.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { pointsKey } from "#domain/registrations/store/leaderboard.ts";
import { readRegistrationsOf, registrationKey } from "#domain/registrations/store/store.ts";
import { allOf, queryItems } from "#kit/lists/pages.ts";
import { keyIn } from "#kit/table/item.ts";
import { classified, client, getItem, getItems, type Item, type Key, type Query, tableName } from "#kit/table/table.ts";
import { isOfKind, partitionOf, prefixOf, sortOf, storedKindOf, valuesIn } from "#outbox/stored-kinds.ts";
import { asRead, isPlace, isRegistration } from "./as-read.ts";
import { judgeEvent, lookAtEvent, lookAtLine, type Timing } from "./event-state.ts";
import { type Facts, type Finding, keyText } from "./finding.ts";
import type { Kind } from "./kinds.ts";
import { eventOfSeats } from "./others.ts";
import { patiently } from "./patiently.ts";
import { type PersonalPoints, personOf, pointsMissing, tellsPoints } from "./people.ts";
import { QueueKeys, shareQueueKey } from "./queue-keys.ts";
import { eventOfLine } from "./registrations.ts";
import { judged, ruleOf } from "./rules.ts";
import { Counts, countDifferences, type StoredUses, seatsPassWaiters } from "./seats.ts";

/** A finding that a consistent read has confirmed. */
export interface Found extends Finding {
  /** The damaged item. */
  readonly key: Key;
}

export interface WalkOptions extends Timing {
  /** Whether the stage has a chat. */
  readonly hasChat: boolean;
  /** Ends the walk after a page. */
  readonly stop?: AbortSignal | undefined;
}

export interface WalkListener {
  /** After each page, and after each event at the end. */
  progress(step: "items" | "events", done: number, of: number | undefined): void;
  found(found: Found): Promise<void> | void;
}

export interface Walked {
  readonly items: number;
  /** Items by the name of their kind. */
  readonly names: ReadonlyMap<string, number>;
  readonly findings: ReadonlyMap<Kind, number>;
  /** Events that changed all the time, so their counters are not checked. */
  readonly busy: readonly string[];
  readonly isInterrupted: boolean;
}

/** Items of one page of the scan. */
const pageSize = 250;
/** Concurrent reads of people's points. */
const peopleAtOnce = 8;

/** One page of all items. */
const scanOnce = (last: Key | undefined): Promise<{ items: Item[]; last?: Key }> =>
  patiently(async () => {
    try {
      const command = new ScanCommand({ TableName: tableName, Limit: pageSize, ExclusiveStartKey: last });
      const { Items = [], LastEvaluatedKey } = await client.send(command);
      return { items: (Items as Item[]).map(asRead), ...(LastEvaluatedKey && { last: LastEvaluatedKey as Key }) };
    } catch (error) {
      throw classified(error);
    }
  });

/** All items of the table, in pages. */
export async function* pagesOfTable(): AsyncGenerator<Item[]> {
  let last: Key | undefined;
  do {
    const page = await scanOnce(last);
    yield page.items;
    last = page.last;
  } while (last);
}

/** Reads items in one snapshot. @param keys at most 100 */
const readAtOnce = (keys: readonly Key[]): Promise<Item[]> =>
  patiently(async () => {
    try {
      const TransactItems = keys.map(({ PK, SK }) => ({ Get: { TableName: tableName, Key: { PK, SK } } }));
      const { Responses = [] } = await client.send(new TransactGetCommand({ TransactItems }));
      return Responses.flatMap(({ Item: item }) => (item ? [asRead(item as Item)] : []));
    } catch (error) {
      throw classified(error);
    }
  });

const byKey = (items: readonly Item[]) => new Map(items.map((item) => [keyText(item), item]));
const distinct = (keys: readonly Key[]): Key[] => [...new Map(keys.map((key) => [keyText(key), key])).values()];

/** Whether an item has expired, so that it may be removed at any time. */
const isOver = ({ ttl }: Item, now: number): boolean => typeof ttl === "number" && ttl * 1_000 <= now;

/** Maximum related items of one snapshot: a repair checks each, and writes some more. */
const maxRelated = 90;

/** The keys of the related items. An unreadable record has none, and a damaged one may have invalid ones. */
function relatedTo(item: Item, hasChat: boolean): readonly Key[] {
  try {
    const keys = ruleOf(item, hasChat)?.rule.related(item) ?? [];
    return keys.filter(({ PK, SK }) => Boolean(PK) && Boolean(SK)).slice(0, maxRelated);
  } catch {
    return [];
  }
}

/** Like `judged`, but an unreadable record is a finding too. */
function judgedSafely(item: Item, hasChat: boolean, facts: Facts): readonly Finding[] {
  try {
    // A record whose related items are unknown cannot be checked.
    ruleOf(item, hasChat)?.rule.related(item);
    return judged(item, hasChat, facts);
  } catch (error) {
    return [{ kind: "unreadable record", says: (error as Error).message }];
  }
}

/** A snapshot of an item and its related items. */
export interface Look {
  readonly item: Item;
  /** The keys of the related items, and the existing items. */
  readonly related: readonly Key[];
  readonly facts: Facts;
  readonly findings: readonly Finding[];
}

type LookOptions = Pick<WalkOptions, "hasChat">;

/** Maximum tries to read an item with its related items while these change. */
const maxLooks = 10;

/** @returns undefined when the item is gone or expired */
export async function look(of: Key, { hasChat }: LookOptions): Promise<Look | undefined> {
  const key = keyIn(of);
  let item: Item | undefined = await patiently(() => getItem<Item>(key, "strong"));
  item &&= asRead(item);
  for (let looks = 0; item && looks < maxLooks; looks += 1) {
    const related = distinct(relatedTo(item, hasChat));
    const found = byKey(await readAtOnce(distinct([key, ...related])));
    const known = new Set(related.map(keyText));
    item = found.get(keyText(key));
    const now = Date.now();
    if (!item || isOver(item, now)) return undefined;
    if (!relatedTo(item, hasChat).every((one) => known.has(keyText(one)))) continue;
    const facts: Facts = { find: (one) => found.get(keyText(one)), now };
    return { item, related, facts, findings: judgedSafely(item, hasChat, facts) };
  }
  return undefined;
}

/** Maximum keys of one transaction. */
const maxAtOnce = 100;

/** The points of a person and the registrations; a snapshot, unless there are too many registrations. */
export async function lookAtPoints(email: string): Promise<PersonalPoints & { readonly items: readonly Item[] }> {
  const all = await patiently(() => readRegistrationsOf(email));
  const keys = [
    pointsKey(email),
    ...all.map(({ eventID: id, year }) => registrationKey({ email, event: { id, year } })),
  ];
  const read = keys.length > maxAtOnce ? getItems<Item>(keys, "strong") : readAtOnce(keys);
  const items = (await read).map(asRead);
  return {
    points: items.find((item) => isOfKind("total points", item))?.points as number | undefined,
    registrations: items.filter(isRegistration) as unknown as RegistrationRecord[],
    items,
  };
}

/** The part of a person's partition with points and all registrations. */
const pointsAndRegistrations = (email: string): Query => ({
  KeyConditionExpression: "PK = :person AND SK BETWEEN :points AND :last",
  ExpressionAttributeValues: {
    ":person": partitionOf("account", { email }),
    ":points": sortOf("total points", {}),
    ":last": `${prefixOf("registration")}~`,
  },
  ConsistentRead: true,
});

/** What a walk stores about an event. */
interface Tally {
  seats?: Seats;
  /** By generation. */
  readonly counts: Map<string, Counts>;
  readonly codes: Map<string, StoredUses[]>;
  /** The lines in which a person is. */
  readonly lines: Set<Pool>;
}

const eventIn = (item: Item): EventKey | undefined => {
  if (isOfKind("seats", item)) return eventOfSeats(item);
  if (isRegistration(item)) return { id: String(item.eventID), year: Number(item.year) };
  if (isOfKind(codeKind, item)) return codesIn(item);
  return isPlace(item) ? eventOfLine(item) : undefined;
};

const codeKind = "code of an event";
/** The event of a code, with its generation. */
function codesIn(key: Key): EventKey & { readonly generation: string } {
  const { id = "", year, generation = "" } = valuesIn(codeKind, key);
  return { id, year: Number(year), generation };
}

class Tallies {
  readonly #events = new Map<string, Tally & { readonly event: EventKey }>();

  add(item: Item): void {
    const event = eventIn(item);
    if (!event) return;
    const key = keyText(seatsKey(event));
    const tally: Tally & { readonly event: EventKey } = this.#events.get(key) ?? {
      event,
      counts: new Map(),
      codes: new Map(),
      lines: new Set(),
    };
    this.#events.set(key, tally);
    if (isPlace(item)) tally.lines.add(item.pool as Pool);
    else if (isOfKind("seats", item)) tally.seats = item as unknown as Seats;
    else if (isOfKind(codeKind, item)) {
      const { generation } = codesIn(item);
      tally.codes.set(generation, [...(tally.codes.get(generation) ?? []), item as unknown as StoredUses]);
    } else {
      const registration = item as unknown as RegistrationRecord;
      const counts = tally.counts.get(registration.generation) ?? new Counts();
      tally.counts.set(registration.generation, counts);
      counts.add(registration);
    }
  }

  /** The events to check: data from different times does not match, or people wait. */
  suspects(): { readonly event: EventKey; readonly differs: boolean }[] {
    return [...this.#events.values()].flatMap(({ event, seats, counts, codes, lines }) => {
      if (!seats || seats.state === "DELETED") return [];
      const counted = counts.get(seats.generation) ?? new Counts();
      const waited = [...lines, ...counted.lines].map((pool) => poolOf(seats, pool));
      const differs = countDifferences(counted, seats, codes.get(seats.generation)).length > 0;
      const mayBeWrong = waited.some((pool) => seatsPassWaiters(pool) || !isFull(pool));
      return differs || mayBeWrong ? [{ event, differs }] : [];
    });
  }
}

/** Counts an item; an invalid record must not abort the walk. */
function tally(tallies: Tallies, item: Item): void {
  try {
    tallies.add(item);
  } catch {
    // Reported by the item's rule.
  }
}

/**
 * Walks over the whole table.
 * @throws Contended UnknownOutcome the table was throttled, or did not respond, for two minutes
 */
export async function walk(options: WalkOptions, listener: WalkListener, total?: number): Promise<Walked> {
  const { hasChat, stop } = options;
  const names = new Map<string, number>();
  const findings = new Map<Kind, number>();
  const tallies = new Tallies();
  const queueKeys = new QueueKeys();
  const busy: string[] = [];
  let items = 0;
  /** The last person whose points were checked. */
  let last: string | undefined;
  const tell = async (key: Key, found: readonly Finding[]) => {
    for (const finding of found) {
      findings.set(finding.kind, (findings.get(finding.kind) ?? 0) + 1);
      await listener.found({ ...finding, key: keyIn(key) });
    }
  };
  const done = () => ({ items, names, findings, busy, isInterrupted: stop?.aborted ?? false });

  for await (const page of pagesOfTable()) {
    const now = Date.now();
    const present = page.filter((item) => !isOver(item, now));
    const related = distinct(present.flatMap((item) => relatedTo(item, hasChat)));
    const found = byKey((await patiently(() => getItems<Item>(related, "strong"))).map(asRead));
    const facts: Facts = { find: (key) => found.get(keyText(key)), now };
    for (const item of present) {
      const name = storedKindOf(item) ?? "unknown";
      names.set(name, (names.get(name) ?? 0) + 1);
      tally(tallies, item);
      const other = queueKeys.add(item);
      if (other) await tell(item, await judgeQueueKeys(item, other));
      if (judgedSafely(item, hasChat, facts).length === 0) continue;
      await tell(item, (await look(item, options))?.findings ?? []);
    }
    const people = new Set(present.filter(tellsPoints).map(personOf));
    // The items of a person are adjacent, but may be on two pages.
    if (last !== undefined) people.delete(last);
    last = [...people].at(-1) ?? last;
    const ofPeople = await pMap(people, async (email) => [email, await judgePoints(email)] as const, {
      concurrency: peopleAtOnce,
    });
    for (const [email, wrong] of ofPeople) await tell(pointsKey(email), wrong);
    items += page.length;
    listener.progress("items", items, total);
    if (stop?.aborted) return done();
  }
  const suspects = tallies.suspects();
  for (const [index, { event, differs }] of suspects.entries()) {
    const looked = differs ? await lookAtEvent(event, options) : await lookAtLine(event);
    if (looked === "busy") busy.push(`${event.id};${event.year}`);
    else if (looked !== "none") await tell(seatsKey(event), await judgeEvent(event, looked, Date.now()));
    listener.progress("events", index + 1, suspects.length);
    if (stop?.aborted) return done();
  }
  return done();
}

/** Checks two registrations with apparently the same queueKey again, in a snapshot. */
async function judgeQueueKeys(item: Item, other: Key): Promise<Finding[]> {
  const [one, two] = await readAtOnce([keyIn(item), other]);
  if (!one || !two || !shareQueueKey(one, two)) return [];
  return [{ kind: "same place", says: `as ${String(two.email)}, since ${String(two.queueKey)}` }];
}

/** Reads a person's points again, in a snapshot, if the first read shows a difference. */
async function judgePoints(email: string): Promise<Finding[]> {
  const found = await patiently(() => allOf(queryItems<Item>(pointsAndRegistrations(email))));
  const items = found.map(asRead);
  const registrations = items.filter(isRegistration) as unknown as RegistrationRecord[];
  const points = items.find((item) => isOfKind("total points", item))?.points as number | undefined;
  if (pointsMissing({ points, registrations }) === 0) return [];
  const missing = pointsMissing(await lookAtPoints(email));
  if (missing === 0) return [];
  return [{ kind: "other points", says: `${email} has ${Math.abs(missing)} too ${missing > 0 ? "few" : "many"}` }];
}
