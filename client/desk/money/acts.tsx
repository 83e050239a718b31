/** What a treasurer can do about a payment, and money that is recorded by hand. */
import { useState } from "preact/hooks";
import { settings } from "../../shared/settings.ts";
import { changeOnce } from "../calls.ts";
import { type Answer, FormAct, type FormActProps } from "../form-act.tsx";
import { type DoneProps, EventSelect, money } from "../parts.tsx";
import type { Entries } from "../schema.ts";
import { byHandOf, type Payment, possibleOf, purposeText } from "./rules.ts";

const look = {
  labels: {
    ...{ at: "When that was", how: "How", cash: "In cash", transfer: "By transfer", instead: "What is right instead" },
    ...{ confirm: "The amount is right all the same", waive: "Why the rest is not asked for" },
    ...{ cancel: "End the seat or membership, too", decision: "Decision" },
  },
  hints: {
    ...{ how: "", confirm: "It is recorded although it is not the price.", waive: "Empty: the rest stays owed." },
    ...{ at: "If it was before today.", instead: "Empty: nothing was taken." },
    ...{ cancel: "The person is told by mail.", amount: `In ${settings.currency}, such as 12.50. Empty: all of it.` },
  },
  hidden: ["entryId", "decision"],
};

/** Of the membership's form, what is seldom known where the money is taken, is hidden. */
const taking = {
  labels: look.labels,
  hints: { ...look.hints, amount: `In ${settings.currency}, such as 12.50.`, email: "", membership: "" },
  hidden: [
    ...["pronouns", "diet", "heardFrom", "heardFromSpecify", "highSchool", "discordId", "international", "prevMember"],
    ...["topics", "cardCount"],
  ],
};

interface ActsProps extends DoneProps {
  readonly payment: Payment;
}

const poster = (paymentId: string, to: string) => (body: object) =>
  changeOnce<Answer>(`/payments/${encodeURIComponent(paymentId)}/${to}`, body);

/** The buttons of a payment: what can be done with it now. */
export function PaymentActs({ payment, done }: ActsProps) {
  const { email, paymentId } = payment;
  const { left, canSend, undecided, owes } = possibleOf(payment);
  const refund = { schema: "NewRefund", send: poster(paymentId, "refunds") } as const;
  const decide = { schema: "MoneyDecision", send: poster(paymentId, "decisions") } as const;
  const acts: readonly (false | Omit<FormActProps, "draft" | "done">)[] = [
    left > 0 &&
      canSend && {
        ...{ ...refund, text: "Refund", title: `Refund ${email}`, names: ["amount", "reason", "cancel"] },
        says: `Up to ${money(left)} goes back to the card by the provider, and the person gets a mail with your reason. This cannot be undone.`,
      },
    left > 0 && {
      ...{ ...refund, text: "Given back by hand", title: `Record what was given back to ${email}`, sure: "Record" },
      ...{ usual: { how: canSend ? "transfer" : "cash" }, names: ["how", "amount", "reason", "at", "cancel"] },
      says: `You have given back up to ${money(left)} in cash or by transfer. The provider sends nothing. A wrong entry can be reversed.`,
    },
    undecided > 0 && {
      ...{ ...decide, text: "Keep it", title: `Keep money of ${email}`, usual: { decision: "keep" } },
      says: `Up to ${money(undecided)} that waits stays with the club, and does not go back. The reason stays with the payment. No mail goes out.`,
    },
    owes > 0 && {
      ...{ ...decide, text: "Waive the rest", title: `Waive what ${email} owes`, usual: { decision: "waive" } },
      ...{
        says: `Up to ${money(owes)} is not asked for any more. The reason stays with the payment.`,
        sure: "Waive it",
      },
    },
  ];
  return (
    <div class="buttons">
      {acts.map(
        (act) => act && <FormAct key={act.text} {...{ ...act, look, done }} draft={`${act.text}/${paymentId}`} />,
      )}
      {owes > 0 && <TakeByHand text="Take the rest" of={payment} done={done} />}
    </div>
  );
}

/** A button that reverses an entry by hand, and records what is right instead. */
export function Reverse({ payment, entryId, done }: ActsProps & { readonly entryId: string }) {
  const entry = byHandOf(payment).find((one) => one.entryId === entryId);
  if (!entry || entry.reversed !== undefined) return null;
  return (
    <FormAct
      {...{ text: "Reverse", title: `Reverse ${money(entry.amount)}: ${entry.text.toLowerCase()}`, sure: "Reverse it" }}
      says="The entry stays in the books, and another one takes it back. The seat or membership follows: it owes the amount again. Record below what is right instead, if something is."
      {...{ schema: "NewReversal", draft: `reverse/${entryId}`, usual: { entryId }, done }}
      {...{ look: { ...taking, hidden: look.hidden }, names: entry.amount > 0 ? ["reason", "instead"] : ["reason"] }}
      send={poster(payment.paymentId, "reversals")}
    />
  );
}

const membership = "A membership";

interface TakeProps extends DoneProps {
  readonly text: string;
  /** The payment whose rest is taken. */
  readonly of?: Payment;
}

/** Records cash or a transfer, for a seat or a membership. */
export function TakeByHand({ text, of, done }: TakeProps) {
  const [isSeat, setSeat] = useState(of?.purpose !== "membership");
  const usual: Entries = of
    ? {
        ...{ email: of.email, amount: ((of.owes ?? 0) / 100).toFixed(2) },
        ...(of.eventID && { eventID: of.eventID, year: String(of.year) }),
      }
    : {};
  const chosen = ({ eventID, year }: Entries) =>
    isSeat ? eventID && { id: String(eventID), year: Number(year) } : membership;
  return (
    <FormAct
      {...{ text, title: of ? `Take the rest for ${purposeText(of)}` : "Record cash or a transfer", sure: "Record it" }}
      says="It confirms the seat, or grants the membership, and the person gets the mail about it, which is the receipt. A wrong entry can be reversed."
      {...{ schema: "NewPaymentByHand", draft: `take/${of?.paymentId ?? ""}`, isMain: !of, look: taking, usual, done }}
      names={["email", ...(isSeat || of ? [] : ["membership"]), "amount", "how", "at"]}
      before={({ entries, set }) =>
        !of && (
          <EventSelect
            {...{ id: "for", label: "For", none: "Please choose", other: membership, chosen: chosen(entries) || "" }}
            choose={(event, other) => {
              setSeat(other !== membership);
              set(["eventID"], event?.id);
              set(["year"], event && String(event.year));
            }}
          />
        )
      }
      send={({ eventID, year, membership: form = {}, ...body }) =>
        changeOnce("/payments/by-hand", { ...body, ...(isSeat ? { eventID, year } : { membership: form }) })
      }
    />
  );
}
