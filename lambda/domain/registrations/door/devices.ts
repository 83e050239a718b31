/**
 * Links and devices of an event's door (`docs/contract.md`, "The door"). A volunteer's phone exchanges the secret of a link
 * for a token of its own. The table has hashes of both only. Devices are stored with their event, so that a list or a
 * revocation reads one partition.
 */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { noLimit } from "#domain/capacity/seats.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { eventKeyOf, readEvent } from "#domain/events/store.ts";
import { type Again, onceMore } from "#domain/people/once-more.ts";
import { NotFound, Unauthenticated } from "#kit/errors.ts";
import { allOf, itemsOf, queryItems } from "#kit/lists/pages.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, write, writeOnce } from "#kit/table/execute.ts";
import { ttlAfter } from "#kit/table/item.ts";
import { type Deadline, retried } from "#kit/table/retry.ts";
import {
  drop,
  exists,
  getNamed,
  type Item,
  type Key,
  put,
  putNew,
  type TransactItem,
  updateIf,
  writeIf,
} from "#kit/table/table.ts";
import { auditRow } from "#outbox/audit.ts";
import { keyOf, partitionOf, prefixOf } from "#outbox/stored-kinds.ts";
import { DoorClosed, TooManyDevices } from "../refusals.ts";
import { eveningOf } from "./evening.ts";

const devicesOfLink = 10;
const daysKept = 400;
/** Milliseconds. The time of the last sync is not written more often. */
const syncNotedEvery = 60_000;

/** The open link of an event. */
interface DoorLink {
  readonly secretHash: string;
  /** Of the event. */
  readonly generation: string;
  /** How many devices have joined by it. */
  readonly devices: number;
  /** Epoch milliseconds. Absent in older links. */
  readonly createdAt?: number;
}

export interface Device {
  readonly id: string;
  /** What others see: "door 2". */
  readonly name: string;
  readonly tokenHash: string;
  /** Of the event. */
  readonly generation: string;
  /** Epoch milliseconds. */
  readonly joinedAt: number;
  readonly lastSyncAt: number;
  /** How many marks of no ticket it has stored. */
  readonly unknownMarks?: number;
  readonly searches?: Again;
}

/** The device that sends a request, and its event. */
export interface AtDoor {
  readonly device: Device;
  readonly event: EventRecord;
}

const linkKey = (event: EventKey): Key => keyOf("door link", event);
const deviceKey = (event: EventKey, device: string): Key => keyOf("device at the door", { ...event, device });

const newSecret = (): string => randomBytes(24).toString("base64url");
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");
const isSecret = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(hash));

/** Epoch seconds: after the evening, or after now if the event has no dates. */
function ttlOf(event: EventRecord, now: number): number {
  const { closes } = eveningOf(event);
  return ttlAfter(closes === noLimit ? now : Math.max(now, closes), daysKept);
}

/**
 * @param until the end of reading, or of uploading scans
 * @param since see `eveningOf`
 * @throws DoorClosed it is over
 */
export function requireUntil(
  until: "closes" | "acceptedUntil",
  event: EventRecord,
  now: number,
  since: number | undefined,
): void {
  if (now > eveningOf(event, since)[until]) throw new DoorClosed();
}

/** What the audit has of links and devices, whose secrets are nowhere. */
const auditOf = (action: string, { id: eventID, year }: EventKey, context: RequestContext, device?: string) =>
  auditRow({ action, eventID, year, ...(device !== undefined && { id: device }) }, context);

/** The devices of an event, without those of its earlier generations. @throws NotFound */
export async function devicesAt(key: EventKey): Promise<readonly Device[]> {
  const [event, items] = await Promise.all([
    readEvent(key),
    allOf(queryItems<Item>(itemsOf(partitionOf("device at the door", key)))),
  ]);
  if (!event) throw new NotFound("Event");
  const isDevice = ({ SK, generation }: Item) =>
    SK.startsWith(prefixOf("device at the door")) && generation === event.generation;
  return items.filter(isDevice) as unknown as Device[];
}

/**
 * Creates a link for up to ten devices. It replaces the event's earlier one, whose devices remain.
 * @returns its secret, which is stored nowhere
 * @throws NotFound DoorClosed
 */
export async function createLink(key: EventKey, context: RequestContext): Promise<{ secret: string; ename: string }> {
  const event = await retried(() => readEvent(key), context);
  if (!event) throw new NotFound("Event");
  requireUntil("closes", event, context.now, undefined);
  const secret = newSecret();
  const link: DoorLink = {
    secretHash: hashOf(secret),
    generation: event.generation,
    devices: 0,
    createdAt: context.now,
  };
  const members = {
    link: put({ ...linkKey(key), ...link, ttl: ttlOf(event, context.now) }, "last wins"),
    audit: auditOf("doorLink.created", key, context),
  };
  await writeOnce(members, context);
  return { secret, ename: event.ename };
}

/**
 * Exchanges the secret of a link for a device's token.
 * @throws NotFound the link is unknown or revoked
 * @throws DoorClosed TooManyDevices
 */
export function joinDoor(
  key: EventKey,
  { secret, name }: { readonly secret: string; readonly name: string },
  context: RequestContext,
): Promise<AtDoor & { readonly token: string }> {
  const [id, tokenSecret] = [context.newId(), newSecret()];
  const keys = { event: eventKeyOf(key), link: linkKey(key) };
  return execute(
    {
      read: () => getNamed<{ event: EventRecord; link: DoorLink }>(keys, "strong"),
      decide: ({ event, link }): Decision<AtDoor & { readonly token: string }> => {
        const isKnown = event && link && isSecret(secret, link.secretHash) && link.generation === event.generation;
        if (!isKnown) throw new NotFound("Link");
        requireUntil("closes", event, context.now, link.createdAt);
        if (link.devices >= devicesOfLink) {
          throw new TooManyDevices(`This link has ${devicesOfLink} devices. Ask for a new one.`);
        }
        const { generation } = event;
        const [joinedAt, lastSyncAt] = [context.now, context.now];
        const device: Device = { id, name, tokenHash: hashOf(tokenSecret), generation, joinedAt, lastSyncAt };
        const members = {
          link: updateIf(linkKey(key), {
            UpdateExpression: "SET devices = devices + :one",
            ConditionExpression: "devices = :read AND secretHash = :hash",
            ExpressionAttributeValues: { ":one": 1, ":read": link.devices, ":hash": link.secretHash },
          }),
          device: putNew({ ...deviceKey(key, id), ...device, ttl: ttlOf(event, context.now) }),
          audit: auditOf("device.joined", key, { ...context, actor: "link" }, id),
        };
        return write(members, { device, event, token: `${key.id}.${key.year}.${id}.${tokenSecret}` });
      },
    },
    context,
  );
}

const authorization = /^Door ([\w-]{1,64})\.(\d{4})\.([0-9A-Z]{26})\.([\w-]{32})$/i;

const unknownDevice = () => new Unauthenticated("This device may not use this event's door (any more).");

/**
 * The device of an `Authorization` header.
 * @throws Unauthenticated there is none, or it was revoked
 */
export async function deviceOf(header: string | undefined, deadline: Deadline): Promise<AtDoor> {
  const [, id = "", year = "", deviceId = "", secret = ""] = authorization.exec(header?.trim() ?? "") ?? [];
  const key = { id, year: Number(year) };
  const keys = { event: eventKeyOf(key), device: deviceKey(key, deviceId) };
  const { event, device } =
    secret === ""
      ? {}
      : await retried(() => getNamed<{ event: EventRecord; device: Device }>(keys, "strong"), deadline);
  const isKnown = event && device && isSecret(secret, device.tokenHash) && device.generation === event.generation;
  if (!isKnown) throw unknownDevice();
  return { device, event };
}

/** Marks of no ticket that one device may store: a volunteer scans some wrong codes, and some cards. */
export const mostUnknownMarks = 100;

/** Counts a mark of no ticket. Refused when the device has stored as many as it may, or was revoked. */
export const countUnknownMark = ({ device, event }: AtDoor): TransactItem =>
  updateIf(deviceKey(event, device.id), {
    UpdateExpression: "SET unknownMarks = if_not_exists(unknownMarks, :none) + :one",
    ConditionExpression: "attribute_exists(PK) AND (attribute_not_exists(unknownMarks) OR unknownMarks < :most)",
    ExpressionAttributeValues: { ":none": 0, ":one": 1, ":most": mostUnknownMarks },
  });

/**
 * Counts a search of the device, also beside others at once at most up to the limit.
 * @throws TooOften
 * @throws Unauthenticated it was revoked meanwhile
 */
export function countSearch({ device: { id }, event }: AtDoor, context: RequestContext): Promise<void> {
  const key = deviceKey(event, id);
  return execute(
    {
      read: () => getNamed<{ device: Device }>({ device: key }, "strong"),
      decide({ device }): Decision<void> {
        if (!device) throw unknownDevice();
        const before = device.searches;
        const count = updateIf(key, {
          UpdateExpression: "SET searches = :next",
          ConditionExpression: before
            ? "searches = :before"
            : "attribute_exists(PK) AND attribute_not_exists(searches)",
          ExpressionAttributeValues: {
            ":next": onceMore("searchAtDoor", before, context.now),
            ...(before && { ":before": before }),
          },
        });
        return write({ count }, undefined);
      },
    },
    context,
  );
}

/** Stores when the device was last heard of, to the minute. */
export async function noteSync({ device, event }: AtDoor, { now, ...deadline }: RequestContext): Promise<void> {
  if (now - device.lastSyncAt < syncNotedEvery) return;
  const update = {
    Key: deviceKey(event, device.id),
    UpdateExpression: "SET lastSyncAt = :now",
    ...exists,
    ExpressionAttributeValues: { ":now": now },
  };
  await retried(() => writeIf(update), deadline);
}

/**
 * Revokes devices. The link is revoked too, because a lost phone may still show it; other devices remain.
 * @param deviceId absent: all devices
 * @returns how many devices were revoked
 * @throws NotFound there is no such event or device
 */
export async function revokeDevices(
  key: EventKey,
  deviceId: string | undefined,
  context: RequestContext,
): Promise<number> {
  const read = async () =>
    (await retried(() => devicesAt(key), context)).filter(({ id }) => deviceId === undefined || id === deviceId);
  if ((await read()).length === 0 && deviceId !== undefined) throw new NotFound("Device");
  await writeOnce({ link: drop(linkKey(key), "last wins"), audit: auditOf("doorLink.revoked", key, context) }, context);
  // Read again: a device that has joined meanwhile is revoked too, and none can join any more.
  const revoked = await read();
  for (const { id } of revoked) {
    const audit = auditOf("device.revoked", key, context, id);
    await writeOnce({ device: drop(deviceKey(key, id), "last wins"), audit }, context);
  }
  return revoked.length;
}
