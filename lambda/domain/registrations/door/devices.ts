/**
 * Links and devices of an event's door (`docs/contract.md`, "The door"). A volunteer's phone exchanges the secret of a link
 * for a token of its own. The table has hashes of both only. Devices are stored with their event, so that a list or a
 * revocation reads one partition.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { noLimit } from "#domain/capacity/seats.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { eventKeyOf, readEvent } from "#domain/events/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound, Unauthenticated } from "#kit/errors.ts";
import { type Decision, execute, write, writeOnce } from "#kit/execute.ts";
import { allOf, itemsOf, queryItems } from "#kit/pages.ts";
import { type Deadline, retried } from "#kit/retry.ts";
import { drop, exists, getNamed, type Item, type Key, putNew, updateIf, writeIf } from "#kit/table.ts";
import { DoorClosed, TooManyDevices } from "../refusals.ts";
import { eveningOf } from "./evening.ts";

const devicesOfLink = 10;
const linksOfEvent = 10;
/** After the end of the event. */
const daysKept = 60;
/** Milliseconds. The time of the last sync is not written more often. */
const syncNotedEvery = 60_000;

interface DoorLink {
  readonly id: string;
  readonly secretHash: string;
  /** Of the event. */
  readonly generation: string;
  /** How many devices have joined by it. */
  readonly devices: number;
}

export interface Device {
  readonly id: string;
  readonly linkId: string;
  /** What others see: "door 2". */
  readonly name: string;
  readonly tokenHash: string;
  /** Of the event. */
  readonly generation: string;
  /** Epoch milliseconds. */
  readonly joinedAt: number;
  readonly lastSyncAt: number;
}

/** The device that sends a request, and its event. */
export interface AtDoor {
  readonly device: Device;
  readonly event: EventRecord;
}

const partitionOf = ({ id, year }: EventKey): string => `DOOR#${id}#${year}`;
const linkKey = (event: EventKey, id: string): Key => ({ PK: partitionOf(event), SK: `LINK#${id}` });
const deviceKey = (event: EventKey, id: string): Key => ({ PK: partitionOf(event), SK: `DEVICE#${id}` });

/** The id of a link and its secret. */
const linkSecret = /^([0-9A-Z]{26})\.([\w-]{32})$/;
const newSecret = (): string => randomBytes(24).toString("base64url");
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");
const isSecret = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(hash));

/** Epoch seconds: after the evening, or after now if the event has no dates. */
function ttlOf(event: EventRecord, now: number): number {
  const { closes } = eveningOf(event);
  return Math.floor((closes === noLimit ? now : Math.max(now, closes)) / 1_000) + daysKept * 86_400;
}

/** The event with its links and devices, without those of its earlier generations. @throws NotFound */
async function readDoor(key: EventKey) {
  const [event, items] = await Promise.all([readEvent(key), allOf(queryItems<Item>(itemsOf(partitionOf(key))))]);
  if (!event) throw new NotFound("Event");
  const own = items.filter(({ generation }) => generation === event.generation);
  const of = <T>(kind: string) => own.filter(({ SK }) => SK.startsWith(kind)) as unknown as T[];
  return { event, links: of<DoorLink>("LINK#"), devices: of<Device>("DEVICE#") };
}

/** The devices of an event. @throws NotFound */
export const devicesAt = async (key: EventKey): Promise<readonly Device[]> => (await readDoor(key)).devices;

/**
 * Creates a link for up to ten devices.
 * @returns its secret, which is stored nowhere
 * @throws NotFound DoorClosed TooManyDevices
 */
export function createLink(key: EventKey, context: RequestContext): Promise<string> {
  const [id, secret] = [context.newId(), newSecret()];
  return execute(
    {
      read: () => readDoor(key),
      decide: ({ event, links }): Decision<string> => {
        if (context.now > eveningOf(event).closes) throw new DoorClosed();
        if (links.length >= linksOfEvent) {
          throw new TooManyDevices(`This event has ${linksOfEvent} links. Revoke them first.`);
        }
        const link: DoorLink = { id, secretHash: hashOf(secret), generation: event.generation, devices: 0 };
        const item = putNew({ ...linkKey(key, id), ...link, ttl: ttlOf(event, context.now) });
        return write({ item }, `${id}.${secret}`);
      },
    },
    context,
  );
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
  const [, linkId = "", own = ""] = linkSecret.exec(secret) ?? [];
  const [id, tokenSecret] = [context.newId(), newSecret()];
  const keys = { event: eventKeyOf(key), link: linkKey(key, linkId) };
  return execute(
    {
      read: () => getNamed<{ event: EventRecord; link: DoorLink }>(keys, "strong"),
      decide: ({ event, link }): Decision<AtDoor & { readonly token: string }> => {
        const isKnown = event && link && isSecret(own, link.secretHash) && link.generation === event.generation;
        if (!isKnown) throw new NotFound("Link");
        if (context.now > eveningOf(event).closes) throw new DoorClosed();
        if (link.devices >= devicesOfLink) {
          throw new TooManyDevices(`This link has ${devicesOfLink} devices. Ask for a new one.`);
        }
        const { generation } = event;
        const [joinedAt, lastSyncAt] = [context.now, context.now];
        const device: Device = { id, linkId, name, tokenHash: hashOf(tokenSecret), generation, joinedAt, lastSyncAt };
        const members = {
          link: updateIf(linkKey(key, linkId), {
            UpdateExpression: "SET devices = devices + :one",
            ConditionExpression: "devices = :read",
            ExpressionAttributeValues: { ":one": 1, ":read": link.devices },
          }),
          device: putNew({ ...deviceKey(key, id), ...device, ttl: ttlOf(event, context.now) }),
        };
        return write(members, { device, event, token: `${key.id}.${key.year}.${id}.${tokenSecret}` });
      },
    },
    context,
  );
}

const authorization = /^Door ([\w-]{1,64})\.(\d{4})\.([0-9A-Z]{26})\.([\w-]{32})$/;

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
  if (!isKnown) throw new Unauthenticated("This device may not use this event's door (any more).");
  return { device, event };
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
 * Revokes devices. The link of a revoked device is revoked too, because a lost phone may still show it; the other devices
 * of the link remain.
 * @param deviceId absent: all devices and links
 * @returns how many devices were revoked
 * @throws NotFound there is no such event or device
 */
export async function revokeDevices(
  key: EventKey,
  deviceId: string | undefined,
  context: RequestContext,
): Promise<number> {
  const { links, devices } = await retried(() => readDoor(key), context);
  const isMeant = ({ id }: Device) => deviceId === undefined || id === deviceId;
  const revoked = devices.filter(isMeant);
  if (deviceId !== undefined && revoked.length === 0) throw new NotFound("Device");
  const isEnded = ({ id }: DoorLink) => deviceId === undefined || revoked.some(({ linkId }) => linkId === id);
  const ended = links.filter(isEnded).map(({ id }) => linkKey(key, id));
  await deleteAll(ended, context);
  // A device that has joined meanwhile is revoked too: none can join by these links any more.
  const found = (await retried(() => readDoor(key), context)).devices.filter(isMeant);
  const keys = found.map(({ id }) => deviceKey(key, id));
  await deleteAll(keys, context);
  return keys.length;
}

async function deleteAll(keys: readonly Key[], context: RequestContext): Promise<void> {
  for (const key of keys) await writeOnce({ item: drop(key) }, context);
}

/**
 * @param until the end of reading, or of bringing scans
 * @throws DoorClosed it is over
 */
export function requireUntil(until: "closes" | "acceptedUntil", { event }: AtDoor, { now }: RequestContext): void {
  if (now > eveningOf(event)[until]) throw new DoorClosed();
}
