/** What a treasurer can do about a payment, and money that is recorded by hand. */
import { useState } from "preact/hooks";
import { settings } from "../../shared/settings.ts";
import { changeOnce } from "../calls.ts";
import { money } from "../parts.tsx";
import type { Entries } from "../schema.ts";
import { EventSelect, FormAct } from "./form-act.tsx";
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

/** Of the membership's form, what is seldom known where the money is taken. */
const seldom = [
  ...["pronouns", "diet", "heardFrom", "heardFromSpecify", "highSchool", "discordId", "international", "prevMember"],
  ...["topics", "cardCount"],
];

const taking = {
  ...{ labels: look.labels, hidden: seldom },
  hints: { ...look.hints, amount: `In ${settings.currency}, such as 12.50.`, email: "", membership: "" },
};

interface ActsProps {
  readonly payment: Payment;
  done(said: string): unknown;
}

/** The buttons of a payment: what can be done with it now. */
export function PaymentActs({ payment, done }: ActsProps) {
  const { email, paymentId } = payment;
  const { left, canSend, undecided, owes } = possibleOf(payment);
  const path = `/payments/${encodeURIComponent(paymentId)}`;
  const of = (kind: string) => ({ look, done, draft: `${kind}/${paymentId}` });
  const post = (to: string) => (body: object) => changeOnce<{ readonly message: string }>(`${path}/${to}`, body);
  return (
    <div class="buttons">
      {left > 0 && canSend && (
        <FormAct
          {...of("refund")}
          text="Refund"
          title={`Refund ${email}`}
          says={`Up to ${money(left)} goes back to the card by the provider, and the person gets a mail with your reason. This cannot be undone.`}
          {...{ sure: "Refund", schema: "NewRefund", names: ["amount", "reason", "cancel"], send: post("refunds") }}
        />
      )}
      {left > 0 && (
        <FormAct
          {...of("by-hand")}
          text="Given back by hand"
          title={`Record what was given back to ${email}`}
          says={`You have given back up to ${money(left)} in cash or by transfer. The provider sends nothing. A wrong entry can be reversed.`}
          {...{ sure: "Record", schema: "NewRefund", usual: { how: canSend ? "transfer" : "cash" } }}
          {...{ names: ["how", "amount", "reason", "at", "cancel"], send: post("refunds") }}
        />
      )}
      {undecided > 0 && (
        <FormAct
          {...of("keep")}
          text="Keep it"
          title={`Keep money of ${email}`}
          says={`Up to ${money(undecided)} that waits stays with the club, and does not go back. The reason stays with the payment. No mail goes out.`}
          {...{ sure: "Keep it", schema: "MoneyDecision", usual: { decision: "keep" }, send: post("decisions") }}
        />
      )}
      {owes > 0 && (
        <FormAct
          {...of("waive")}
          text="Waive the rest"
          title={`Waive what ${email} owes`}
          says={`Up to ${money(owes)} is not asked for any more. The reason stays with the payment.`}
          {...{ sure: "Waive it", schema: "MoneyDecision", usual: { decision: "waive" }, send: post("decisions") }}
        />
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
      {...{ look: { ...taking, hidden: look.hidden }, done, draft: `reverse/${entryId}`, usual: { entryId } }}
      schema="NewReversal"
      text="Reverse"
      title={`Reverse ${money(entry.amount)}: ${entry.text.toLowerCase()}`}
      says="The entry stays in the books, and another one takes it back. The seat or membership follows: it owes the amount again. Record below what is right instead, if something is."
      sure="Reverse it"
      names={entry.amount > 0 ? ["reason", "instead"] : ["reason"]}
      send={(body) => changeOnce(`/payments/${encodeURIComponent(payment.paymentId)}/reversals`, body)}
    />
  );
}

const membership = "A membership";

interface TakeProps {
  readonly text: string;
  /** The payment whose rest is taken. */
  readonly of?: Payment;
  done(said: string): unknown;
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
  return (
    <FormAct
      {...{ text, done, look: taking, usual, draft: `take/${of?.paymentId ?? ""}`, sure: "Record it" }}
      isMain={!of}
      title={of ? `Take the rest for ${purposeText(of)}` : "Record cash or a transfer"}
      says="It confirms the seat, or grants the membership, and the person gets the mail about it, which is the receipt. A wrong entry can be reversed."
      schema="NewPaymentByHand"
      names={isSeat || of ? ["email", "amount", "how", "at"] : ["email", "membership", "amount", "how", "at"]}
      before={({ entries, set }) =>
        of ? null : (
          <EventSelect
            {...{ id: "for", none: "Please choose", other: membership }}
            chosen={
              isSeat && entries.eventID
                ? { id: `${entries.eventID}`, year: Number(entries.year) }
                : isSeat
                  ? ""
                  : membership
            }
            choose={(event, other) => {
              setSeat(other !== membership);
              set(["eventID"], event?.id);
              set(["year"], event && String(event.year));
            }}
          />
        )
      }
      send={({ eventID, year, membership: form = {}, ...body }) =>
        changeOnce("/payments/by-hand", isSeat ? { ...body, eventID, year } : { ...body, membership: form })
      }
    />
  );
}
