/** The entry of a registration in the person's calendar, the same in mails and feeds. Pure. */
import type { EventRecord } from "#domain/events/event.ts";
import { channelsOf } from "#outbox/notice-kinds.ts";
import type { RegistrationRecord } from "./registration.ts";
import { noticeOfState, stateOf } from "./statuses.ts";

/** What identifies an entry and its latest revision (RFC 5545, 3.8.4.7 and 3.8.7.4). */
export interface CalendarId {
  /** The same for all entries of a registration. */
  readonly uid: string;
  /** Increases with each change of the registration and of the event's time and place. */
  readonly sequence: number;
}

/** @param domain makes the uid globally unique */
export const calendarIdOf = (
  { calendarUid, version }: Pick<RegistrationRecord, "calendarUid" | "version">,
  { scheduleVersion }: Pick<EventRecord, "scheduleVersion">,
  domain: string,
): CalendarId => ({ uid: `${calendarUid}@${domain}`, sequence: version + scheduleVersion });

/** The status of the entry, as the mail of the registration's state gives it. Undefined when there is no entry. */
export function entryStatusOf(
  registration: Pick<RegistrationRecord, "status" | "applicant">,
): "CONFIRMED" | "TENTATIVE" | undefined {
  if (stateOf(registration) === "checkedIn") return "CONFIRMED";
  const notice = noticeOfState(registration);
  const channels = notice && channelsOf[notice];
  const status = channels && "invite" in channels ? channels.invite : undefined;
  return status === "CONFIRMED" || status === "TENTATIVE" ? status : undefined;
}
