import { readEvent } from "#domain/events/store.ts";
import {
  type AtDoor,
  countSearch,
  createLink,
  deviceOf,
  devicesAt,
  joinDoor,
  noteSync,
  requireUntil,
  revokeDevices,
} from "#domain/registrations/door/devices.ts";
import { doorList, emailsByMark } from "#domain/registrations/door/door-list.ts";
import { searchDoor } from "#domain/registrations/door/search.ts";
import { pageOfScans, type UploadedScan, uploadScan } from "#domain/registrations/door/upload-scans.ts";
import { ticketKey } from "#domain/registrations/links/ticket-key.ts";
import { requiredEnv } from "#kit/env.ts";
import { Contended, NotFound, Refusal, Unauthenticated, ValidationFailed } from "#kit/errors.ts";
import { decodeCursor } from "#kit/lists/cursor.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { created, ok, unlessKnown } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import { contextOfRow, type RequestContext } from "#kit/request/context.ts";
import { refusalOf } from "#kit/request/problem.ts";
import { Backoff } from "#kit/table/retry.ts";
import { minute } from "#kit/text/time.ts";
import * as routes from "./routes.ts";

const doorPage = requiredEnv("DOOR_PAGE");
/** Devices read the whole list more often. */
const recentFor = 2 * minute;
const isMark = (text: string): boolean => /^[\w-]{16}$/.test(text);

/** Stores one row. A failed row does not stop the others. */
async function resultOfRow(row: UploadedScan, at: Parameters<typeof uploadScan>[1], context: RequestContext) {
  try {
    // All rows share one deadline: no row starts after it.
    if (new Backoff(context).isOver) throw new Contended();
    return await uploadScan(row, at, contextOfRow(context));
  } catch (error) {
    const refusal = refusalOf(error as Error);
    if (!(refusal instanceof Refusal)) throw error;
    return { nonce: row.nonce, outcome: "failed", reason: refusal.message };
  }
}

function requireCodes(scans: readonly UploadedScan[]): void {
  const at = scans.findIndex(({ code, mark }) => (code === undefined) === (mark === undefined));
  if (at < 0) return;
  throw new ValidationFailed([{ path: `/scans/${at}/code`, message: "is required, or mark, but not both" }]);
}

/** @throws Unauthenticated the device is at another event's door @throws DoorClosed */
function requireOwnOpen(
  { device, event }: AtDoor,
  { eventId, year }: { readonly eventId: string; readonly year: number },
  { now }: RequestContext,
): void {
  const isOther = event.id !== eventId || event.year !== year;
  if (isOther) throw new Unauthenticated("This device is at another event's door.");
  requireUntil("closes", event, now, device.joinedAt);
}

export const handler = dispatch([
  api(routes.createDoorLink, async ({ params: { eventId: id, year }, context }) => {
    const { secret, ename } = await createLink({ id, year }, context);
    return created({ link: `${doorPage}#${id}/${year}/${secret}/${encodeURIComponent(ename)}`, secret });
  }),
  api(routes.getDoorDevices, async ({ params: { eventId: id, year } }) => {
    const devices = await devicesAt({ id, year });
    return ok({ devices: devices.map(({ id, name, joinedAt, lastSyncAt }) => ({ id, name, joinedAt, lastSyncAt })) });
  }),
  api(routes.revokeDoorDevices, async ({ params: { eventId: id, year }, query, context }) =>
    ok({ message: "Revoked.", revoked: await revokeDevices({ id, year }, query.device, context) }),
  ),
  api(routes.joinDoor, async ({ params: { eventId: id, year }, body, context }) => {
    const { token, device, event } = await joinDoor({ id, year }, body, context);
    return created({ token, device: { id: device.id, name: device.name }, event: { id, year, ename: event.ename } });
  }),
  api(
    routes.getDoorList,
    async ({ params, query, headers, bearer: door, context }) => {
      requireOwnOpen(door, params, context);
      const since = query.recent ? context.now - recentFor : 0;
      const [list] = await Promise.all([doorList(door.event, await ticketKey(), since), noteSync(door, context)]);
      return unlessKnown(headers, JSON.stringify(list));
    },
    deviceOf,
  ),
  api(
    routes.searchDoor,
    async ({ params, query: { q }, bearer: door, context }) => {
      requireOwnOpen(door, params, context);
      const key = await ticketKey();
      await countSearch(door, context);
      return ok(await searchDoor(door.event, q, key));
    },
    deviceOf,
  ),
  api(
    routes.bringScans,
    async ({ body: { sentAt, scans }, bearer: door, context }) => {
      requireUntil("acceptedUntil", door.event, context.now, door.device.joinedAt);
      requireCodes(scans);
      const key = await ticketKey();
      const results: object[] = [];
      // One after the other: they write the same counters.
      const at = { ...door, sentAt, key, emailOf: emailsByMark(door.event, key) };
      const byDevice = { ...context, actor: `device ${door.device.id}` };
      for (const row of scans) results.push(await resultOfRow(row, at, byDevice));
      await noteSync(door, context);
      return ok({ receivedAt: context.now, results });
    },
    deviceOf,
  ),
  api(routes.listScans, async ({ query: { eventID: id, year, limit, cursor } }) => {
    const after = decodeCursor(cursor, isMark);
    const event = await readEvent({ id, year });
    if (!event) throw new NotFound("Event");
    const page = await pageOfScans(event, { limit, after });
    const tickets = page.rows.map(({ mark, email, scans }) => ({ mark, email, scans }));
    return ok({ count: tickets.length, tickets }, nextHeader(page));
  }),
]);
