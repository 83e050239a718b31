/**
 * The secret part of the address of a calendar feed: a person's, or the club's, which programs read without a token. It is
 * sealed, so that a wrong one costs no read and the address does not show the email. It contains the id that is stored at
 * present: a new id ends the former address.
 *
 * Visible events are for people who are signed in, unless the stage opens them (`publicEvents`). An address of the club that
 * an admin passes on, and can end, keeps that; one open to anyone would not.
 */

import { randomBytes } from "node:crypto";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { derived, seal, unseal } from "#kit/sealed.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { getItem, type Key, put, type TransactItem } from "#kit/table/table.ts";
import { auditRow } from "#outbox/audit.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { readUser } from "./store.ts";

/** Whose calendar: the email of a person, or the club's. */
export type CalendarOwner = string | typeof theClub;
/** No email. */
export const theClub = Symbol("the club");

const keyFrom = (secret: string): Buffer => derived(secret, "calendar feed");

/** Undefined when the text was not sealed with this secret. */
function opened(feed: string, secret: string): readonly string[] | undefined {
  try {
    return unseal(feed, keyFrom(secret)).split(" ");
  } catch {
    return undefined;
  }
}

/** A person has one also without an account. */
const storedKey = (owner: CalendarOwner): Key =>
  owner === theClub ? keyOf("address of the club's calendar", {}) : keyOf("address of a calendar", { email: owner });
const emailOf = (owner: CalendarOwner): { readonly email?: string } => (owner === theClub ? {} : { email: owner });

/** @param now epoch milliseconds */
export const putCalendarId = (owner: CalendarOwner, calendarId: string, now: number): TransactItem =>
  put({ ...storedKey(owner), ...emailOf(owner), calendarId, createdAt: now }, "last wins");

/**
 * Makes a new address, and ends the former one.
 * @param secret the ticket key of the stage
 */
export async function renewCalendar(owner: CalendarOwner, secret: string, context: RequestContext): Promise<string> {
  const id = randomBytes(16).toString("base64url");
  const { email } = emailOf(owner);
  const members = {
    calendar: putCalendarId(owner, id, context.now),
    ...(context.actor !== email && { audit: auditRow({ action: "calendar.renewed", ...emailOf(owner) }, context) }),
  };
  await writeOnce(members, context);
  return seal(`${id} ${email ?? ""}`, keyFrom(secret));
}

/** What has the id of the present address. An account may have that of an address without an item of its own. */
export async function readCalendar(owner: CalendarOwner): Promise<{ readonly calendarId?: string } | undefined> {
  const stored = await getItem<{ readonly calendarId: string }>(storedKey(owner), "strong");
  return stored || owner === theClub ? stored : readUser(owner);
}

/**
 * Whose feed has this address.
 * @throws NotFound there is none, or it was renewed
 */
export async function ownerOfCalendar(feed: string, secret: string): Promise<CalendarOwner> {
  const [id, email] = opened(feed, secret) ?? [];
  const owner = email || theClub;
  if (id === undefined || (await readCalendar(owner))?.calendarId !== id) throw new NotFound("Calendar");
  return owner;
}
