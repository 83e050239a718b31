/**
 * How many mails with codes and guests' links are sent in an hour (`docs/contract.md`, "Sign-up"). A stranger may ask for
 * them, for any address. Without limits, a script uses up the mails of a day, and SES pauses the account because they bounce:
 * tickets too. Pure.
 */

import type { Key } from "#kit/table/item.ts";
import { domainOf } from "#kit/text/email.ts";
import { hourOf, hourText, hour as oneHour } from "#kit/text/time.ts";
import { keyOf, type StoredKind } from "#outbox/stored-kinds.ts";

/** The limits of a stage (`signUps` in `lib/stages.ts`). */
export interface CodeMailLimits {
  readonly perHour: number;
  readonly perHourAndDomain: number;
  readonly openDomains: readonly string[];
}

/**
 * Why a mail with a code is sent. A guest's has the link by which a person without an account registers, that of an offered seat
 * the link by which its new person does; `lost links` those
 * to the registrations of an address.
 */
export type CodeMail =
  | "sign-up"
  | "code again"
  | "changed email"
  | "forgotten password"
  | "guest"
  | "offered seat"
  | "lost links";

type CounterKind = "mailbox" | "reset" | "domain" | "all";

/** One count of an hour. A mail above its limit is refused. */
export interface Counter {
  readonly kind: CounterKind;
  readonly key: Key;
  readonly limit: number;
}

interface MailRule {
  readonly counters: readonly CounterKind[];
  readonly isForNewcomer: boolean;
  /** The kind of the counts of mailboxes, and what the names of the others begin with. */
  readonly ofMailbox: (typeof mailboxCounts)[number];
  readonly prefix?: string;
}

const mailboxCounts = [
  "count of a mailbox's codes",
  "count of a mailbox's new passwords",
  "count of a mailbox's guest links",
] as const satisfies readonly StoredKind[];
const [ofCodes, ofPasswords, ofGuestLinks] = mailboxCounts;

const ofGuests: MailRule = {
  ...{ counters: ["mailbox", "domain", "all"], isForNewcomer: true },
  ...{ ofMailbox: ofGuestLinks, prefix: "GUEST-" },
};

/**
 * What counts a mail, and whether it is for a new account. A forgotten password mails only verified addresses. It has a
 * count of its own: else a stranger who signs up with a person's email would keep the person from a new password. So have
 * guests' mails: else a form that strangers may send would keep people from their accounts. Lost links are asked for in the
 * same way, and count with them.
 */
const mails: Readonly<Record<CodeMail, MailRule>> = {
  "sign-up": { counters: ["mailbox", "domain", "all"], isForNewcomer: true, ofMailbox: ofCodes },
  "code again": { counters: ["mailbox", "domain", "all"], isForNewcomer: true, ofMailbox: ofCodes },
  "changed email": { counters: ["mailbox", "domain", "all"], isForNewcomer: false, ofMailbox: ofCodes },
  "forgotten password": { counters: ["reset"], isForNewcomer: false, ofMailbox: ofPasswords },
  guest: ofGuests,
  "offered seat": ofGuests,
  "lost links": ofGuests,
};

/** A person needs one or two. */
const perHourAndMailbox = 5;

/** An open domain has so many times the limit over all. */
const openShare = 5;

/**
 * The mailbox behind a canonical email. What follows a plus is the reader's own label at most providers (RFC 5233), and
 * Gmail ignores dots, but not at other domains that it serves (https://support.google.com/mail/answer/7436150). Other
 * ways to write one mailbox are left to the limit of its domain. SES's simulator has no mailboxes, and the label tells one
 * tester from another (https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html).
 */
export function mailboxOf(email: string): string {
  const domain = domainOf(email).replace(/^googlemail\.com$/, "gmail.com");
  if (domain === "simulator.amazonses.com") return email;
  const local = email.slice(0, email.indexOf("@")).replace(/(?<=.)\+.*$/, "");
  return `${domain === "gmail.com" ? local.replaceAll(".", "") : local}@${domain}`;
}

/** The counters of a mail to a canonical email in the hour of a time. @param now epoch milliseconds */
export function countersOf(mail: CodeMail, email: string, limits: CodeMailLimits, now: number): Counter[] {
  const domain = domainOf(email);
  const hour = hourText(now);
  const isOpen = limits.openDomains.includes(domain);
  const { counters, ofMailbox, prefix = "" } = mails[mail];
  const mailbox = { key: keyOf(ofMailbox, { hour, mailbox: mailboxOf(email) }), limit: perHourAndMailbox };
  const countOf = (kind: string) => keyOf("count of mails with codes", { hour, kind: prefix + kind });
  const known: Readonly<Record<CounterKind, Omit<Counter, "kind"> | undefined>> = {
    mailbox,
    reset: mailbox,
    domain: { key: countOf(`DOMAIN#${domain}`), limit: isOpen ? openShare * limits.perHour : limits.perHourAndDomain },
    all: isOpen ? undefined : { key: countOf("ALL"), limit: limits.perHour },
  };
  return counters.flatMap((kind) => {
    const counter = known[kind];
    return counter ? { kind, ...counter } : [];
  });
}

/** The keys of the counts of a person's mailbox that may exist. @param now epoch milliseconds */
export const mailboxCountKeys = (email: string, now: number): Key[] =>
  [now - oneHour, now].flatMap((time) =>
    mailboxCounts.map((kind) => keyOf(kind, { hour: hourText(time), mailbox: mailboxOf(email) })),
  );

/** Why a mail is not sent. `closed`: an operator has closed sign-up. */
export type Held = CounterKind | "closed";

/**
 * Judges a mail by what was counted before it.
 * @param counts of each counter, in their order
 * @returns undefined when it may be sent
 */
export function judge(
  mail: CodeMail,
  counters: readonly Counter[],
  { counts, isClosed }: { readonly counts: readonly number[]; readonly isClosed: boolean },
): Held | undefined {
  if (isClosed && mails[mail].isForNewcomer) return "closed";
  return counters.find(({ limit }, index) => (counts[index] ?? 0) >= limit)?.kind;
}

const sentences: Readonly<Record<Held, string>> = {
  closed: "No new accounts can be made at the moment",
  mailbox: "Too many codes were mailed to this address. Use the newest one",
  reset: "Too many codes were mailed to this address. Use the newest one",
  domain: "Too many people with addresses like yours sign up at the moment",
  all: "Too many people sign up at the moment",
};

/** The sentences for the person. They have no full stop, because Cognito adds one. */
export function heldText(held: Held, now: number): string {
  if (held === "closed") return `${sentences.closed}. Please try again later`;
  const minutes = Math.ceil((hourOf(now) + oneHour - now) / 60_000);
  return `${sentences[held]}. Please try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}`;
}
