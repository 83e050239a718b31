/** The API's answer about a registration (`docs/contract.md`, "Registrations"). */

import type { Registration } from "#api/records/schemas.ts";
import type { PlaceInLine } from "#domain/capacity/place-in-line.ts";
import type { CodeUse } from "#domain/codes/code.ts";
import {
  applicationStatusOf,
  holdsSeat,
  isUnpaid,
  type RegistrationStatus,
} from "#domain/registrations/record/registration.ts";
import type { ListedRegistration } from "#domain/registrations/record/stored-form.ts";

/** Fields of an answer that are not stored in the record. */
export interface AnswerExtras {
  /** In answers about one person and one event. */
  readonly place?: PlaceInLine | undefined;
  readonly ticketCode?: string | undefined;
  /** Of those who come along, in their order. */
  readonly plusOneCodes?: readonly string[] | undefined;
  /** For admins. */
  readonly code?: CodeUse | undefined;
  /** For admins, in answers about one person. */
  readonly lastChange?: { readonly at: number; readonly by: string } | undefined;
  readonly transfers?: Registration["transfers"];
}

/** The fields of a registration that an answer depends on. */
type Answered = Omit<ListedRegistration, "PK" | "SK" | "queueKey" | "generation" | "ticketId" | "applicant" | "code">;

/** A seat that costs nothing has no deposit, and one that has ended shows only what went back. */
const showsDeposit = (record: Answered): boolean =>
  record.deposit === "agreed" ? isUnpaid(record) : record.deposit !== "held" || holdsSeat(record);

export function registrationAnswer(
  record: Answered,
  { place, ticketCode, plusOneCodes, code, lastChange, transfers }: AnswerExtras = {},
): Registration {
  return {
    id: record.email,
    email: record.email,
    eventID: record.eventID,
    year: record.year,
    "eventID;year": `${record.eventID};${record.year}`,
    registrationStatus: record.status as RegistrationStatus,
    applicationStatus: applicationStatusOf(record),
    fname: record.fname,
    ...(record.studentId !== undefined && { studentId: record.studentId }),
    basicInformation: record.basicInformation,
    dynamicResponses: record.dynamicResponses as Registration["dynamicResponses"],
    isPartner: record.isPartner,
    points: record.points,
    ...(ticketCode !== undefined && { ticketCode }),
    ...(record.plusOnes && {
      plusOnes: record.plusOnes.map(({ fname, checkedInAt }, at) => ({
        fname,
        ...(plusOneCodes && { ticketCode: plusOneCodes[at] }),
        ...(checkedInAt !== undefined && { checkedInAt }),
      })),
    }),
    ...place,
    ...(record.behindOthers && record.status === "waitlist" && { behindOthers: true }),
    ...(record.holdExpiresAt !== undefined && { holdExpiresAt: record.holdExpiresAt }),
    ...(record.checkoutLink !== undefined && { checkoutLink: record.checkoutLink }),
    ...(record.refunded && { refunded: true }),
    ...(record.deposit && showsDeposit(record) && { deposit: record.deposit }),
    ...(record.owes && holdsSeat(record) && { owes: record.owes }),
    ...(record.coming !== undefined && { coming: record.coming }),
    ...(record.offer && { offered: true }),
    ...(record.left === "self/transfer" && { handedOn: true }),
    ...(record.handed && { takenOver: true }),
    ...(record.checkedInAt !== undefined && { checkedInAt: record.checkedInAt }),
    ...(code && { code }),
    ...(transfers && { transfers }),
    ...(lastChange && { lastChange }),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}
