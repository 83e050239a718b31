/** The texts of each notice, for plain text and HTML. Pure. */

import type { MailSettings } from "#domain/mail/settings.ts";
import { manyLines, oneLine } from "#kit/text/text.ts";
import { momentText, zoneOf } from "#kit/text/time-zone.ts";
import type { MailKind } from "#outbox/notice-kinds.ts";
import type { Tone } from "./letter.ts";
import { type MailNotice, ticketOf } from "./notice.ts";

/** Where a link of a mail leads: to the event's page, or to that of the person's registration and what it asks there. */
export type Place = "event" | "registration" | "come" | "cancel" | "feedback";

interface ActionText {
  readonly label: string;
  readonly to: Place;
}

export interface NoticeTexts {
  readonly tone: Tone;
  readonly subject: string;
  /** The state of the registration, as the heading. */
  readonly status: string;
  readonly paragraphs: readonly string[];
  readonly action: ActionText;
  readonly also?: ActionText;
  /** Text below the QR code. */
  readonly ticket?: string;
}

interface Facts {
  readonly ename: string;
  readonly movedUp: boolean;
  readonly movedDown: boolean;
  readonly handedOn: boolean;
  readonly isTakenOver: boolean;
  /** The event is deleted. */
  readonly isGone: boolean;
  /** What the club says about an event that does not take place. */
  readonly calledOff: string | undefined;
  readonly isOver: boolean;
  readonly hasBegun: boolean;
  readonly isOffProgram: boolean;
  readonly isBack: boolean;
  /** The person is deleted. */
  readonly isDeleted: boolean;
  /** The person's place in line, as a sentence. */
  readonly place: string;
  readonly until?: string;
}

/** After the start, people cannot cancel. */
const spare = ({ hasBegun }: Facts): string[] =>
  hasBegun ? [] : ["Can't make it? Please cancel with the link below, so that somebody else can have your seat."];
/** The payment stays that of its payer. */
const takenOver = ({ isTakenOver }: Facts): string[] =>
  isTakenOver
    ? [
        "This seat was handed on to you. If something was paid for it, that stays the payment of who paid, and so would a refund.",
      ]
    : [];
const freed = "A seat came free, and you are next in line.";

const payment = ({ until }: Facts): string =>
  until
    ? `Please pay by ${until}. After that the seat goes to somebody else.`
    : "Please pay on the event page to make the seat yours.";

const confirmation = ({ until }: Facts): string =>
  until ? `Please confirm with the link below by ${until}.` : "Please confirm with the link below that you are coming.";

type KindOfState = Exclude<MailKind, "moved" | "reminder" | "feedback">;

const textsByKind: Record<KindOfState, (facts: Facts) => Omit<NoticeTexts, "ticket">> = {
  registered: (facts) => ({
    tone: "confirmed",
    subject: facts.movedUp ? `A seat for you: ${facts.ename}` : `You're registered: ${facts.ename}`,
    status: "You're registered",
    paragraphs: [
      facts.movedUp
        ? "A seat came free and it is yours: you moved up from the waitlist. See you there!"
        : "Your seat is confirmed. See you there!",
      ...takenOver(facts),
      ...spare(facts),
    ],
    action: { label: "View your registration", to: "registration" },
  }),
  acceptedComplete: (facts) => ({
    tone: "confirmed",
    subject: `Your seat is confirmed: ${facts.ename}`,
    status: "Your seat is confirmed",
    paragraphs: ["Thank you, everything is complete. See you there!", ...takenOver(facts), ...spare(facts)],
    action: { label: "View your registration", to: "registration" },
  }),
  waitlist: ({ ename, place, movedDown }) => ({
    tone: "pending",
    subject: `You're on the waitlist: ${ename}`,
    status: "You're on the waitlist",
    paragraphs: [
      `${movedDown ? "The organizers gave your seat to the next person in line." : "You do not have a seat yet."} ${place}`,
      "There is nothing to do: we write to you as soon as something changes. " +
        "If you no longer want to come, please leave the waitlist with the link below.",
    ],
    action: { label: "View your place in line", to: "registration" },
  }),
  incomplete: (facts) => ({
    tone: "pending",
    subject: `Payment needed: ${facts.ename}`,
    status: "Please pay for your seat",
    paragraphs: [
      facts.movedUp ? `${freed} We are holding it for you.` : "We are holding a seat for you.",
      payment(facts),
    ],
    action: { label: "Pay now", to: "event" },
    also: { label: "Changed your mind? Cancel here", to: "cancel" },
  }),
  acceptedPending: (facts) => ({
    tone: "pending",
    subject: `You're accepted, payment needed: ${facts.ename}`,
    status: "You're accepted. Please pay for your seat",
    paragraphs: ["Congratulations! We are holding a seat for you.", payment(facts)],
    action: { label: "Pay now", to: "event" },
    also: { label: "Changed your mind? Cancel here", to: "cancel" },
  }),
  applicant: ({ ename }) => ({
    tone: "pending",
    subject: `We have your application: ${ename}`,
    status: "We have your application",
    paragraphs: [
      "Thank you for applying. You do not have a seat yet: we read every application and write to you when it is decided.",
      "If you no longer want to come, please cancel with the link below.",
    ],
    action: { label: "View your application", to: "registration" },
  }),
  accepted: (facts) => ({
    tone: "pending",
    subject: `You're accepted, please confirm: ${facts.ename}`,
    status: "You're accepted. Please confirm",
    paragraphs: [
      facts.isTakenOver ? "There is a seat for you." : "Congratulations! There is a seat for you.",
      ...takenOver(facts),
      confirmation(facts),
      "If you can't make it, please cancel there, so that somebody else can have your seat.",
    ],
    action: { label: "Confirm your seat", to: "registration" },
  }),
  rejected: ({ ename }) => ({
    tone: "closed",
    subject: `About your registration: ${ename}`,
    status: "No seat this time",
    paragraphs: [
      "Thank you for your interest. We are sorry that we cannot offer you a seat this time, and we hope to see you at another event.",
    ],
    action: { label: "View the event", to: "event" },
  }),
  cancelled: ({ ename, isGone, isDeleted }) => ({
    tone: "closed",
    subject: `Your registration is cancelled: ${ename}`,
    status: "Your registration is cancelled",
    paragraphs: [
      isGone
        ? "The event has been removed, so your registration has ended. We are sorry, and we hope to see you at another event."
        : isDeleted
          ? "It ended with your data at the club, which is deleted."
          : "You are no longer registered for this event. If this is a mistake, you can register again on the event page.",
    ],
    action: { label: "View the event", to: "event" },
  }),
};

const handedOnTexts = ({ ename }: Facts): Omit<NoticeTexts, "ticket"> => ({
  tone: "closed",
  subject: `Your seat is handed on: ${ename}`,
  status: "Your seat is handed on",
  paragraphs: [
    "The person whom you named has your seat now. Your ticket and your links do not work any more.",
    "If you have paid for the seat, that stays your payment: it is not refunded now, and if the seat is cancelled by the rules, the refund goes to you.",
  ],
  action: { label: "View the event", to: "event" },
});

const calledOffTexts = ({ ename, calledOff = "" }: Facts): Omit<NoticeTexts, "ticket"> => ({
  tone: "closed",
  subject: `Called off: ${ename}`,
  status: "The event is called off",
  paragraphs: [
    calledOff,
    "Your registration is cancelled, there is nothing left to do. What you have paid for it is refunded.",
  ],
  action: { label: "View the event", to: "event" },
});

const atTheDoor: Record<Tone, string | undefined> = {
  confirmed:
    "Show this code at the door. It proves who you are; whether you can come in is decided by where your registration stands at that moment.",
  pending:
    "This code proves who you are. It does not let you in by itself: what counts at the door is where your registration stands at that moment, and right now you do not have a confirmed seat.",
  closed: undefined,
};

/** Texts for a rescheduled event. The status has not changed, so they repeat what the person still has to do. */
function movedTexts(standing: Omit<NoticeTexts, "ticket">, facts: Facts): Omit<NoticeTexts, "ticket"> {
  const { ename, isBack, isOffProgram } = facts;
  if (isOffProgram) {
    return {
      tone: "pending",
      subject: `Off the program: ${ename}`,
      status: "The event is off the program",
      paragraphs: [
        "The organizers have taken the event off the program, so its entry in your calendar is cancelled.",
        "Your registration stays as it is. If you no longer want to come, please cancel it with the link below.",
      ],
      action: { label: "View your registration", to: "registration" },
    };
  }
  return {
    ...standing,
    subject: `${isBack ? "Back on the program" : "New date or place"}: ${ename}`,
    status: isBack ? "The event is back on the program" : "The date or place has changed",
    paragraphs: [
      standing.tone === "confirmed"
        ? "Please look at when and where the event takes place now. Your seat is still yours, and the ticket that you have stays valid."
        : "Please look at when and where the event takes place now.",
      ...standing.paragraphs.slice(1),
    ],
  };
}

/** Texts for the mail before the event. To those with something left to do they say it again. */
function reminderTexts(standing: Omit<NoticeTexts, "ticket">, { ename }: Facts): Omit<NoticeTexts, "ticket"> {
  const reminder = { ...standing, subject: `Reminder: ${ename}` };
  if (standing.tone !== "confirmed") return reminder;
  return {
    ...reminder,
    status: "See you soon",
    paragraphs: [
      "You have a seat. Please tell us whether you come: it takes one click, and nobody waits in line for an empty seat.",
    ],
    action: { label: "I come", to: "come" },
    also: { label: "I can't come", to: "cancel" },
  };
}

const feedbackTexts = ({ ename }: Facts): Omit<NoticeTexts, "ticket"> => ({
  tone: "confirmed",
  subject: `How was it? ${ename}`,
  status: "How was it?",
  paragraphs: ["Thank you for coming. Please tell us how it was: it takes a minute, and makes the next event better."],
  action: { label: "Give feedback", to: "feedback" },
});

/** Texts after the event, when there is nothing to come to, to pay or to cancel. */
const overTexts = ({ tone }: Omit<NoticeTexts, "ticket">, { ename }: Facts): Omit<NoticeTexts, "ticket"> => ({
  tone: "closed",
  subject: `About your registration: ${ename}`,
  status: "This event is over",
  paragraphs: [
    {
      confirmed: "You had a seat, and there is nothing left to do.",
      pending: "You had no confirmed seat. There is nothing left to do.",
      closed: "You are no longer registered for it. There is nothing left to do.",
    }[tone],
  ],
  action: { label: "View the event", to: "event" },
});

function textsOf(kind: MailKind, standing: KindOfState, facts: Facts): Omit<NoticeTexts, "ticket"> {
  if (kind === "feedback") return feedbackTexts(facts);
  if (kind === "cancelled" && facts.calledOff !== undefined && !facts.isGone) return calledOffTexts(facts);
  if (kind === "cancelled" && facts.handedOn && !facts.isGone) return handedOnTexts(facts);
  if (facts.isOver && kind !== "rejected" && !facts.isGone && !facts.isDeleted) {
    return overTexts(textsByKind[kind === "moved" || kind === "reminder" ? standing : kind](facts), facts);
  }
  if (kind === "moved") return movedTexts(textsByKind[standing](facts), facts);
  return kind === "reminder" ? reminderTexts(textsByKind[standing](facts), facts) : textsByKind[kind](facts);
}

function placeText({ waitlistPosition, waitlistAhead }: MailNotice): string {
  if (waitlistPosition !== undefined) return `You are number ${waitlistPosition} in line.`;
  return waitlistAhead === undefined ? "You are in line." : `More than ${waitlistAhead} people are ahead of you.`;
}

export function noticeTextsOf(notice: MailNotice, { timeZone }: MailSettings): NoticeTexts {
  const { kind, standing = "registered", holdExpiresAt } = notice;
  const behind = notice.isBehindOthers
    ? ["Because you missed three events within a year, everyone else goes first."]
    : [];
  const place = [placeText(notice), ...behind].join(" ");
  const facts: Facts = {
    ename: oneLine(notice.event.ename),
    movedUp: notice.movedUp ?? false,
    movedDown: notice.movedDown ?? false,
    handedOn: notice.handedOn ?? false,
    isTakenOver: notice.isTakenOver ?? false,
    isGone: notice.event.isGone ?? false,
    calledOff: notice.event.calledOff === undefined ? undefined : manyLines(notice.event.calledOff),
    isOver: notice.isOver ?? false,
    hasBegun: notice.hasBegun ?? false,
    isOffProgram: notice.event.isOffProgram ?? false,
    isBack: notice.isBack ?? false,
    isDeleted: notice.isDeleted ?? false,
    place,
    ...(holdExpiresAt !== undefined && { until: momentText(holdExpiresAt, zoneOf(notice.event, timeZone)) }),
  };
  const texts = textsOf(kind, standing, facts);
  // Who is accepted may come in, and is asked to confirm first.
  const isAccepted = (kind === "moved" || kind === "reminder" ? standing : kind) === "accepted" && !facts.isOver;
  const ticket = ticketOf(notice) && atTheDoor[isAccepted ? "confirmed" : texts.tone];
  return ticket ? { ...texts, ticket } : texts;
}
