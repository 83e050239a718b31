/** A session from the parameters of a request: https://docs.stripe.com/api/checkout/sessions/create. Pure. */
import type Stripe from "stripe";
import { minimumCharges } from "#domain/events/minimum-charges.ts";
import { isEmail } from "../service-kit/email.ts";
import type { Form } from "./form.ts";
import { Parameters } from "./parameters.ts";
import { type LineItem, type Session, totalOf } from "./session.ts";

/** The minimum total in a currency without a documented minimum, in its smallest unit. */
const smallestTotal = 50;
const largestAmount = 99_999_999;
/** Seconds. */
const shortestLife = 30 * 60;
const longestLife = 24 * 60 * 60;

type Params = Stripe.Checkout.SessionCreateParams;

function lineItem(
  item: Parameters<Stripe.Checkout.SessionCreateParams.LineItem>,
): LineItem & { readonly currency: string } {
  const price = item.requiredObject("price_data");
  const currency = price.requiredText("currency").toLowerCase();
  const unitAmount = price.requiredInteger("unit_amount", { least: 0, most: largestAmount });
  const product = price.requiredObject("product_data");
  const name = product.requiredText("name");
  const description = product.text("description");
  product.ignore("images", "metadata");
  product.end();
  price.end();
  const quantity = item.requiredInteger("quantity", { least: 1, most: 999_999 });
  item.end();
  return { name, ...(description !== undefined && { description }), unitAmount, quantity, currency };
}

function readLineItems(parameters: Parameters<Params>): { lineItems: LineItem[]; currency: string } {
  const read = parameters.list("line_items").map(lineItem);
  const [{ currency }] = read as [(typeof read)[0]];
  const lineItems = read.map(({ currency: _, ...item }) => item);
  const total = totalOf(lineItems);
  const least = minimumCharges[currency.toUpperCase()] ?? smallestTotal;
  if (total < least) {
    const message = `The Checkout Session's total amount due must add up to at least ${least} of the smallest unit of ${currency}.`;
    parameters.refuse("line_items", message, "amount_too_small");
  }
  return { lineItems, currency };
}

function readEnd(parameters: Parameters<Params>, created: number): number {
  const end = parameters.integer("expires_at", { least: 0, most: Number.MAX_SAFE_INTEGER });
  if (end === undefined) return created + longestLife;
  const refuse = (what: string): never =>
    parameters.refuse("expires_at", `The \`expires_at\` timestamp must be ${what} from Checkout Session creation.`);
  if (end < created + shortestLife) refuse("at least 30 minutes");
  if (end > created + longestLife) refuse("less than 24 hours");
  return end;
}

/** https://docs.stripe.com/get-started/account/statement-descriptors */
const statementSuffix = /^(?=.*[A-Za-z])[^<>\\'"*]{1,22}$/;

/** What the payment of the session will have. */
function readPayment(
  parameters: Parameters<Params>,
): Pick<Session, "intentMetadata" | "description" | "statementSuffix"> {
  const payment = parameters.object("payment_intent_data");
  if (!payment) return {};
  const description = payment.text("description", 1_000);
  const suffix = payment.text("statement_descriptor_suffix");
  if (suffix !== undefined && !statementSuffix.test(suffix)) {
    payment.refuse(
      "statement_descriptor_suffix",
      "The statement descriptor suffix must have a letter, and 22 characters at most.",
    );
  }
  const intentMetadata = payment.metadata("metadata");
  payment.end();
  return {
    intentMetadata,
    ...(description !== undefined && { description }),
    ...(suffix !== undefined && { statementSuffix: suffix }),
  };
}

/** How the payer may pay. The page takes no card, and so these have no effect. */
function readMethods(parameters: Parameters<Params>): Pick<Session, "adaptivePricing" | "allowedMethods"> {
  const pricing = parameters.object("adaptive_pricing");
  const enabled = pricing?.boolean("enabled");
  pricing?.end();
  const allowed = parameters.texts("allowed_payment_method_types");
  return {
    ...(enabled !== undefined && { adaptivePricing: enabled }),
    ...(allowed.length > 0 && { allowedMethods: allowed }),
  };
}

/**
 * @param created epoch seconds
 * @throws PaymentProblem for the first parameter that the provider would refuse, or that is not served here
 */
export function newSession(form: Form, { id, created }: Pick<Session, "id" | "created">): Session {
  const parameters = new Parameters<Params>(form);
  const mode = parameters.requiredText("mode");
  if (mode !== "payment") parameters.refuse("mode", "The local provider serves the mode payment only.");
  const { lineItems, currency } = readLineItems(parameters);
  const successUrl = parameters.address("success_url") ?? parameters.requiredText("success_url");
  const customerEmail = parameters.text("customer_email") ?? null;
  if (customerEmail !== null && !isEmail(customerEmail)) {
    parameters.refuse("customer_email", `Invalid email address: ${customerEmail}`, "email_invalid");
  }
  const session: Session = {
    id,
    state: "open",
    created,
    expiresAt: readEnd(parameters, created),
    currency,
    lineItems,
    successUrl,
    cancelUrl: parameters.address("cancel_url") ?? null,
    clientReferenceId: parameters.text("client_reference_id", 200) ?? null,
    customerEmail,
    ...readPayment(parameters),
    ...readMethods(parameters),
    metadata: parameters.metadata("metadata"),
  };
  // Parameters of appearance have no effect: there is one page.
  parameters.ignore("expand", "locale", "submit_type");
  parameters.end();
  return session;
}
