/**
 * The secret part of the address of a person's calendar feed. It is sealed, so that a wrong one costs no read and the
 * address does not show the email. It contains the id that the account has at present: a new id ends the former address.
 */
import { randomBytes } from "node:crypto";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { derived, seal, unseal } from "#kit/sealed.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { auditRow } from "#outbox/audit.ts";
import { putCalendarId, readUser } from "./store.ts";

const keyFrom = (secret: string): Buffer => derived(secret, "calendar feed");

/** Undefined when the text was not sealed with this secret. */
function opened(feed: string, secret: string): readonly string[] | undefined {
  try {
    return unseal(feed, keyFrom(secret)).split(" ");
  } catch {
    return undefined;
  }
}

/**
 * Makes a new address, and ends the former one.
 * @param secret the ticket key of the stage
 * @throws NotFound the person has no account
 */
export async function renewCalendar(email: string, secret: string, context: RequestContext): Promise<string> {
  const id = randomBytes(16).toString("base64url");
  const members = {
    user: putCalendarId(email, id),
    ...(context.actor !== email && { audit: auditRow({ action: "calendar.renewed", email }, context) }),
  };
  if (await writeOnce(members, context)) throw new NotFound("User");
  return seal(`${id} ${email}`, keyFrom(secret));
}

/**
 * The person whose feed has this address.
 * @throws NotFound there is none, or it was renewed
 */
export async function ownerOfCalendar(feed: string, secret: string): Promise<string> {
  const [id, email] = opened(feed, secret) ?? [];
  if (email === undefined || (await readUser(email))?.calendarId !== id) throw new NotFound("Calendar");
  return email;
}
