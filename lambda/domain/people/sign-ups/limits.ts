/**
 * How many mails with codes the user pool sends in an hour (`docs/contract.md`, "Sign-up"). A stranger may ask for them,
 * for any address. Without limits, a script uses up the mails of a day, and SES pauses the account because they bounce:
 * tickets too. Pure.
 */
import { domainOf } from "#kit/text/email.ts";

/** The limits of a stage (`signUps` in `lib/stages.ts`). */
export interface CodeMailLimits {
  readonly perHour: number;
  readonly perHourAndDomain: number;
  readonly openDomains: readonly string[];
}

/** Why a mail with a code is sent. */
export type CodeMail = "sign-up" | "code again" | "changed email" | "forgotten password" | "guest";

type CounterKind = "mailbox" | "reset" | "domain" | "all";

/** One count of an hour. */
export interface Counter {
  readonly kind: CounterKind;
  /** The mailbox or domain; empty for all. */
  readonly name: string;
  readonly limit: number;
  /** Whether a mail above the limit is refused. Otherwise it only counts for the alarm. */
  readonly refuses: boolean;
}

/**
 * What counts a mail, and whether it is for a new account. A forgotten password mails only verified addresses. It has a
 * count of its own: else a stranger who signs up with a person's email would keep the person from a new password.
 */
const mails: Readonly<
  Record<CodeMail, { readonly counters: readonly CounterKind[]; readonly isForNewcomer: boolean }>
> = {
  "sign-up": { counters: ["mailbox", "domain", "all"], isForNewcomer: true },
  "code again": { counters: ["mailbox", "domain", "all"], isForNewcomer: true },
  "changed email": { counters: ["mailbox", "domain", "all"], isForNewcomer: false },
  "forgotten password": { counters: ["reset"], isForNewcomer: false },
  // The link by which a person without an account registers.
  guest: { counters: ["mailbox", "domain", "all"], isForNewcomer: true },
};

/** A person needs one or two. */
const perHourAndMailbox = 5;

/** A rush at one university stays below ten times the limit over all. */
const rush = 10;

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

/** The counters of a mail to a canonical email. */
export function countersOf(mail: CodeMail, email: string, limits: CodeMailLimits): Counter[] {
  const domain = domainOf(email);
  const isOpen = limits.openDomains.includes(domain);
  const known: Readonly<Record<CounterKind, Counter | undefined>> = {
    mailbox: { kind: "mailbox", name: mailboxOf(email), limit: perHourAndMailbox, refuses: true },
    reset: { kind: "reset", name: mailboxOf(email), limit: perHourAndMailbox, refuses: true },
    domain: isOpen
      ? { kind: "domain", name: domain, limit: rush * limits.perHour, refuses: false }
      : { kind: "domain", name: domain, limit: limits.perHourAndDomain, refuses: true },
    all: isOpen ? undefined : { kind: "all", name: "", limit: limits.perHour, refuses: true },
  };
  return mails[mail].counters.flatMap((kind) => known[kind] ?? []);
}

/** Why a mail is not sent. `closed`: an operator has closed sign-up. */
export type Held = CounterKind | "closed";

/** Whether a mail may be sent, and whether it rings the alarm. */
export interface Judgement {
  readonly held?: Held;
  readonly isAbove: boolean;
}

/**
 * Judges a mail by what was counted before it.
 * @param counts of each counter, in their order
 */
export function judge(
  mail: CodeMail,
  counters: readonly Counter[],
  { counts, isClosed }: { readonly counts: readonly number[]; readonly isClosed: boolean },
): Judgement {
  if (isClosed && mails[mail].isForNewcomer) return { held: "closed", isAbove: false };
  const full = counters.filter(({ limit }, index) => (counts[index] ?? 0) >= limit);
  const held = full.find(({ refuses }) => refuses)?.kind;
  return { ...(held && { held }), isAbove: full.length > 0 };
}

export const hour = 3_600_000;

/** The hour that a time is counted in, by its beginning. Both in epoch milliseconds. */
export const hourOf = (now: number): number => now - (now % hour);

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
  const minutes = Math.ceil((hourOf(now) + hour - now) / 60_000);
  return `${sentences[held]}. Please try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}`;
}
