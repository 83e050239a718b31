/** Where a registration stands, in words. Pure. */
import type { Action, LinkedRegistration, Registration } from "./types.ts";

interface Standing {
  readonly title: string;
  /** What it means, and what the person can do. */
  readonly text: string;
  /** The button that cancels. */
  readonly cancel: string;
  /** What cancelling means. */
  readonly loss: string;
}

/** A registration, and until when its seat is held, in words. */
type Held = Pick<LinkedRegistration, "heldUntil"> & { readonly registration: Registration };

const seat = {
  cancel: "I can't come",
  loss: "Your seat goes to the next person in line. You cannot take it back.",
};
const hold = ({ heldUntil }: Held): string =>
  `We are holding a seat for you${heldUntil === undefined ? "" : ` until ${heldUntil}`}. ` +
  "Please pay with the button of our mail.";

function placeText({ waitlistPosition, waitlistAhead }: Registration): string {
  if (waitlistPosition !== undefined) return `You are number ${waitlistPosition} in line.`;
  return waitlistAhead === undefined ? "You are in line." : `More than ${waitlistAhead} people are ahead of you.`;
}

const confirmed = "See you there! Your ticket is the code in our mail: show it at the door.";

const standings: Readonly<Record<Registration["registrationStatus"] | "applicant", (held: Held) => Standing>> = {
  registered: () => ({ ...seat, title: "You're registered", text: `Your seat is confirmed. ${confirmed}` }),
  acceptedComplete: () => ({ ...seat, title: "Your seat is confirmed", text: confirmed }),
  accepted: ({ heldUntil }) => ({
    ...seat,
    title: "You're accepted. Please confirm",
    text: `There is a seat for you. Please confirm it${heldUntil === undefined ? "" : ` by ${heldUntil}`}.`,
  }),
  incomplete: (held) => ({ ...seat, title: "Please pay for your seat", text: hold(held) }),
  acceptedPending: (held) => ({
    ...seat,
    title: "You're accepted. Please pay for your seat",
    text: hold(held),
  }),
  waitlist: ({ registration }) => ({
    title: "You're on the waitlist",
    text: `You do not have a seat yet. ${placeText(registration)} We write to you as soon as something changes.`,
    cancel: "Leave the waitlist",
    loss: "You lose your place in line.",
  }),
  applicant: () => ({
    title: "We have your application",
    text: "You do not have a seat yet. We write to you when your application is decided.",
    cancel: "Withdraw my application",
    loss: "Your application is not considered any more.",
  }),
  checkedIn: () => ({ ...seat, title: "You're checked in", text: "Enjoy the event!" }),
  rejected: () => ({
    ...seat,
    title: "No seat this time",
    text: "We are sorry that we cannot offer you a seat this time, and we hope to see you at another event.",
  }),
  cancelled: () => ({
    ...seat,
    title: "Your registration is cancelled",
    text: "You are no longer registered for this event. If you want to come after all, please register again.",
  }),
};

/** Words for a registration after its event. */
const past = ({ registrationStatus }: Registration): Standing => ({
  ...seat,
  title: "This event is over",
  text: registrationStatus === "checkedIn" ? "Thank you for coming." : "There is nothing left to do.",
});

/** Words for a registration. */
export function standingOf(held: Held & { readonly isOver?: boolean }): Standing {
  const { registration } = held;
  if (held.isOver) return past(registration);
  const { registrationStatus, applicationStatus, coming } = registration;
  const isApplicant = registrationStatus === "registered" && applicationStatus === "reviewing";
  const standing = standings[isApplicant ? "applicant" : registrationStatus](held);
  return coming === undefined || registrationStatus === "cancelled"
    ? standing
    : { ...standing, text: `${standing.text} You told us that you are coming.` };
}

interface Move {
  readonly body: object;
  readonly button: string;
  /** What a mail's button asks before anything is sent. */
  readonly question: string;
  readonly done: string;
}

/** The changes of a registration's status. */
export const moves: Readonly<Record<Exclude<Action, "edit" | "pay" | "again">, Move>> = {
  accept: {
    body: { registrationStatus: "acceptedComplete" },
    button: "Confirm my seat",
    question: "Do you take the seat?",
    done: "Thank you. Your seat is confirmed.",
  },
  come: {
    body: { coming: true },
    button: "I'm coming",
    question: "Are you coming?",
    done: "Thank you. The organizers know that you are coming.",
  },
  cancel: {
    body: { registrationStatus: "cancelled" },
    button: "Yes, cancel",
    question: "Cancel your registration?",
    done: "Done. Thank you for telling us.",
  },
};
