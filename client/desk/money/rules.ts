/** What the treasurer's pages say of payments and of the journal. Pure. */
import type { components } from "../../paths.ts";

export type Payment = components["schemas"]["Payment"];
export type Position = components["schemas"]["Position"];
export type Totals = components["schemas"]["Totals"];

export const stateTexts: Readonly<Record<Payment["state"], string>> = {
  ...{ kept: "Taken", refunded: "Refunded", "part refunded": "Partly refunded", reversed: "Reversed" },
  ...{ frozen: "Frozen by a dispute", lost: "Lost in a dispute" },
};

export const refundTexts: Readonly<Record<Payment["refunds"][number]["state"], string>> = {
  reserved: "about to be sent to the provider",
  pending: "sent, the provider works on it",
  succeeded: "done",
  failed: "failed",
};

interface Purpose {
  readonly purpose: "event" | "membership";
  readonly eventID?: string;
  readonly year?: number;
}

/** What was paid for, in words. */
export const purposeText = ({ purpose, eventID = "", year }: Purpose): string =>
  purpose === "membership" ? "Membership" : `${eventID} ${year ?? ""}`.trim();

/** The code by which the person had registered, in words that do not give it away. */
export const codeText = ({ code }: Pick<Payment, "code">): string =>
  code ? `${code.kind}: ${code.note ?? code.id}` : "";

/** What can be done with a payment, in cents. The API decides in the end. */
interface Possible {
  /** Can go back; 0: nothing. */
  readonly left: number;
  /** The provider can send it back. */
  readonly canSend: boolean;
  /** Waits for the decision to keep it. */
  readonly undecided: number;
  /** Is left to pay. */
  readonly owes: number;
}

/** Refunds of a payment after which the API takes no more. */
const mostRefunds = 20;

export function possibleOf(payment: Payment): Possible {
  const { amount, wentBack, frozen, lost, open, refunds, paymentIntent, owes = 0 } = payment;
  const underWay = refunds
    .filter(({ state }) => state === "reserved" || state === "pending")
    .reduce((sum, refund) => sum + refund.amount, 0);
  // While a dispute has frozen money, its bank decides about all of it.
  const isClosed = frozen > 0 || refunds.length >= mostRefunds;
  const left = isClosed ? 0 : Math.max(amount - wentBack - lost - underWay, 0);
  const { undecided = open - underWay } = payment;
  return { left, canSend: paymentIntent !== undefined, undecided, owes };
}

/** An entry by hand, taken or given back, that can be reversed. */
interface ByHand {
  readonly entryId: string;
  /** In cents, less than 0 when it was given back. */
  readonly amount: number;
  readonly text: string;
  readonly by: string | undefined;
  readonly at: number;
  readonly reason: string | undefined;
  readonly reversed: string | undefined;
}

const howTexts = { cash: "in cash", transfer: "by transfer" } as const;

/** All that executives have recorded of a payment, oldest first. */
export function byHandOf({ entries = [], refunds }: Payment): readonly ByHand[] {
  const taken = entries.map((entry) => ({
    ...{ entryId: entry.entryId, amount: entry.amount, by: entry.by, reason: entry.reason },
    ...{ at: entry.dated ?? entry.at, reversed: entry.reversed?.reason },
    text: entry.how && entry.amount > 0 ? `Taken ${howTexts[entry.how]}` : "The rest waived",
  }));
  const given = refunds
    .filter(({ isByHand }) => isByHand)
    .map(({ refundId, how = "cash", amount, at, dated = at, by, reason, reversed }) => ({
      ...{ entryId: refundId, amount: -amount, by, reason, at: dated, reversed: reversed?.reason },
      text: `Given back ${howTexts[how]}`,
    }));
  return [...taken, ...given].sort((one, other) => one.at - other.at);
}

/** Whether a payment fits what is searched for: its email, ids, code, or what it was for. */
export function isFound(payment: Payment, text: string): boolean {
  const { email, paymentId, paymentIntent = "", refunds } = payment;
  const ids = refunds.map(({ providerId = "" }) => providerId);
  const words = [email, paymentId, paymentIntent, purposeText(payment), codeText(payment), ...ids];
  return words.some((word) => word.toLowerCase().includes(text.trim().toLowerCase()));
}

type Body = Readonly<Record<string, unknown>>;

/** A body without the consent to an amount that is not the price. */
export function unconfirmed({ confirm: _, waive: __, ...body }: Body): Body {
  return body.instead ? { ...body, instead: unconfirmed(body.instead as Body) } : body;
}

/** What the API says of another amount, without what is meant for programs. */
export const differsText = (message: string): string =>
  `${(message.split(". ")[0] ?? "").replace(/\.$/, "")}. Correct it, or tick that it is right all the same; then send again.`;

type Dispute = Position["disputes"][number];

/** @param amount in words @param due until when the bank waits for an answer, in words */
export const disputeText = ({ status }: Dispute, amount: string, due: string): string =>
  `${status.replaceAll("_", " ")}, ${amount} taken${due && `, answer by ${due}`}`;
