/**
 * The repairs of places in line and of holds: the members of one transaction, made by the stores of the service. The
 * members are guarded by all that the decision has looked at.
 */

import { changeSeats } from "#domain/capacity/demands.ts";
import { placeItem } from "#domain/capacity/line.ts";
import { type Seats, seatsKey } from "#domain/capacity/seats.ts";
import { holdDurations } from "#domain/registrations/holds/durations.ts";
import { holdUntil } from "#domain/registrations/holds/holds.ts";
import { dropHold, putHold } from "#domain/registrations/holds/store.ts";
import { factOf, placeOf, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { rewritten } from "#domain/registrations/record/transition.ts";
import { membersOf } from "#domain/registrations/store/change.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { drop, put, type Transaction } from "#kit/table/table.ts";
import type { RepairedKind } from "./invariants/kinds.ts";
import { eventOf, holdOf } from "./invariants/registrations.ts";
import type { Look } from "./invariants/walk.ts";

/** Pure. @returns undefined when this one needs a person */
type Plan = (look: Look, context: RequestContext) => Transaction | undefined;

const registrationIn = ({ item }: Look) => item as unknown as RegistrationRecord;
const seatsOf = ({ facts }: Look, registration: RegistrationRecord) =>
  facts.find(seatsKey(eventOf(registration))) as unknown as Seats | undefined;

/** A registration that is written again with other fields. Its hold follows. */
function rewrite(before: RegistrationRecord, after: RegistrationRecord, context: RequestContext) {
  const written = { ...after, ...rewritten(context, before) };
  const message = { type: "registration.updated", data: factOf(written) } as const;
  return membersOf({ before, after: written, message, audit: "fields" }, context);
}

export const plans = {
  /** The person gets the place back, at the time of the registration, and newcomers join the line. */
  "not in line": (look) => {
    const registration = registrationIn(look);
    const event = eventOf(registration);
    if (!seatsOf(look, registration)) return undefined;
    return {
      place: put(placeItem(event, placeOf(registration)), "beside a condition"),
      gate: changeSeats(event, "wait", { decided: registration }),
    };
  },
  /** The place says again what the registration says. */
  "other place": (look) => {
    const registration = registrationIn(look);
    return { place: put(placeItem(eventOf(registration), placeOf(registration)), "beside a condition") };
  },
  "place of no person": ({ item }) => ({ place: drop(item, "beside a condition") }),
  /** The seat gets its hold back; without an end, one that lasts as long as after a promotion. */
  "no hold": (look, context) => {
    const before = registrationIn(look);
    const hold = holdOf(before);
    if (hold) return { hold: putHold(hold) };
    const seats = seatsOf(look, before);
    const holdExpiresAt = holdUntil(context.now, holdDurations.promotion, seats?.startsAt ?? context.now);
    return rewrite(before, { ...before, holdExpiresAt }, context);
  },
  /** The end of the hold is taken off the registration. */
  "hold on a paid seat": (look, context) => {
    const before = registrationIn(look);
    const {
      holdExpiresAt: _end,
      heldWithoutCheckout: _without,
      moneyUnderWay: _way,
      checkoutLink: _link,
      ...after
    } = before;
    return rewrite(before, after, context);
  },
  "hold of no person": ({ item }) => ({ hold: dropHold(item) }),
} as const satisfies Readonly<Partial<Record<RepairedKind, Plan>>>;
