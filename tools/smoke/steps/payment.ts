/**
 * Checkouts that are not paid: the run signs the provider's events about them. One expires, and its seat goes to the next
 * person in line. The other one settles a membership, which is no seat: a paid seat that ends asks for a refund.
 */

import { answered, expected } from "../step-kit/api.ts";
import type { Person } from "../step-kit/place.ts";
import { sendEvent } from "../step-kit/signed-event.ts";
import { asAdmin, expectMade, type Run, type Step } from "../step-kit/step.ts";
import { Failed } from "../step-kit/waiting.ts";
import { account } from "./account.ts";
import { eventBody, register, registrationPath, registrations, year } from "./registrations.ts";

/** In dollars, more than any provider's minimum. */
const price = 10;

type Purpose =
  | { readonly paymentType: "Event"; readonly eventID: string; readonly year: number }
  | {
      readonly paymentType: "Member";
      readonly firstName: string;
      readonly lastName: string;
    };

/**
 * A person opens a checkout. The page of a session has its id: https://docs.stripe.com/api/checkout/sessions/object
 * @returns the id of the provider's session
 */
async function checkout({ api }: Run, { token }: Person, body: Purpose): Promise<string> {
  const page = answered(200, "POST /payments", await api.as(token).POST("/payments", { body }));
  const [id] = /cs_(?:test|live)_\w+/.exec(page) ?? [];
  if (id === undefined) throw new Failed("the address of the payment page has no id of a session.");
  return id;
}

/** A checkout expires. The person loses the seat, and the next one gets it. */
async function expire(run: Run, secret: string, [first, next]: readonly [Person, Person]): Promise<void> {
  const id = `${run.id}-priced`;
  expectMade(run, `the event ${id}`, `/events/${id}/${year}?force=true`);
  const body = { ...eventBody(run), id, capac: 1, pricing: { member: price, nonMember: price } };
  answered(201, "POST /events", await asAdmin(run).POST("/events", { body }));
  for (const { email } of [first, next]) {
    expectMade(run, `the registration of ${email}`, registrationPath(email, id));
    answered(201, "POST /registrations", await register(run, email, id));
  }
  const session = await checkout(run, first, { paymentType: "Event", eventID: id, year });
  const event = await sendEvent(run, secret, "checkout.session.expired", { id: session, status: "expired" });
  expected(200, "the signed event of an expired checkout", event);
  const rows = await Promise.all([first, next].map(({ email }) => registrations(run, email, id)));
  const statuses = rows.map(([row]) => row?.registrationStatus);
  if (statuses.join() === "cancelled,incomplete") return;
  throw new Failed(`after an expired checkout the person is ${statuses[0]}, and the next in line ${statuses[1]}.`);
}

/** A membership is paid, as far as the service can know. */
async function settle(run: Run, secret: string, person: Person): Promise<void> {
  const { amount, currency } = run.membership;
  const form = { paymentType: "Member", firstName: "Smoke", lastName: run.id } as const;
  const session = await checkout(run, person, form);
  const paid = { status: "complete", payment_status: "paid", amount_total: amount, currency: currency.toLowerCase() };
  const event = await sendEvent(run, secret, "checkout.session.completed", { id: session, ...paid });
  expected(200, "the signed event of a paid membership", event);
  const user = answered(200, "GET /users/self", await run.api.as(person.token).GET("/users/self"));
  if (!user.isMember) throw new Failed("a membership was paid, and the person is no member.");
}

export const payment: Step = {
  name: "payment",
  needs: [account],
  async take(run) {
    const known = await run.place.webhookSecret(run.stop);
    if ("why" in known) return { skipped: `${known.why}, so no payment was signed.` };
    const [first, next] = run.found.people;
    if (!first || !next) throw new Failed("too few people are signed in.");
    await expire(run, known.secret, [first, next]);
    // A settlement stays in the list of payments, which production's treasurer reads.
    if (run.hidden) return "the seat of an expired checkout went to the next person; a hidden run settles no payment.";
    await settle(run, known.secret, next);
    return "the seat of an expired checkout went to the next person, and a signed payment made a member.";
  },
};
