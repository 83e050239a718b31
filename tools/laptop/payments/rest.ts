/** The part of the provider's REST interface that its client uses: https://docs.stripe.com/api/checkout/sessions */
import Stripe from "stripe";
import type { HttpReply, HttpRequest } from "../service-kit/http-service.ts";
import { canonicalForm, readForm } from "./form.ts";
import { newId } from "./keys.ts";
import type { Answer, Ledger } from "./ledger.ts";
import { Parameters } from "./parameters.ts";
import { PaymentProblem } from "./problem.ts";
import type { Occasion, Provider } from "./provider.ts";
import type { Session } from "./session.ts";

export interface RestOptions {
  readonly provider: Provider;
  readonly ledger: Ledger;
  readonly now: () => number;
  /**
   * Resolves when a request with an idempotency key may go on; until then another request with the same key is refused.
   */
  readonly occupy: () => Promise<void>;
}

const sessionsPath = "/v1/checkout/sessions";

/** Every test key is accepted: a developer who uses the provider's own client needs no particular key. */
const testKey = /^(sk|rk)_test_\w+$/;

/** @throws PaymentProblem 401 */
function authenticate({ headers }: HttpRequest): void {
  const [scheme = "", credentials = ""] = (headers.authorization ?? "").split(" ");
  const given =
    scheme.toLowerCase() === "basic" ? Buffer.from(credentials, "base64").toString().split(":")[0] : credentials;
  if (!given) {
    throw new PaymentProblem(401, "You did not provide an API key: send it as `Authorization: Bearer <key>`.");
  }
  if (!testKey.test(given)) throw new PaymentProblem(401, `Invalid API Key provided: ${given.slice(0, 7)}***`);
}

function listSessions({ query }: HttpRequest, provider: Provider): object {
  const parameters = new Parameters(readForm(query));
  const limit = parameters.integer("limit", { least: 1, most: 100 }) ?? 10;
  const after = parameters.text("starting_after");
  const before = parameters.text("ending_before");
  const status = parameters.text("status");
  const paymentIntent = parameters.text("payment_intent");
  parameters.ignore("expand");
  parameters.end();
  const all = provider.sessions().reverse();
  const indexOf = (id: string): number => all.indexOf(provider.session(id));
  const from = after === undefined ? 0 : indexOf(after) + 1;
  const to = before === undefined ? all.length : indexOf(before);
  const found = all
    .slice(from, to)
    .map((session) => provider.object(session))
    .filter((one) => status === undefined || one.status === status)
    .filter((one) => paymentIntent === undefined || one.payment_intent === paymentIntent);
  const data = before === undefined ? found.slice(0, limit) : found.slice(-limit);
  return { object: "list", url: sessionsPath, has_more: data.length < found.length, data };
}

/** The action of a POST; undefined for an unknown path. */
function actionOf({ path, body = "" }: HttpRequest, provider: Provider) {
  if (path === sessionsPath) return (occasion: Occasion) => provider.create(readForm(body), occasion);
  const [, id] = /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  return (occasion: Occasion) => {
    const parameters = new Parameters(readForm(body));
    parameters.ignore("expand");
    parameters.end();
    return provider.move(id, "expire", occasion);
  };
}

/** Answers a request under `/v1/`. */
export function restInterface({ provider, ledger, now, occupy }: RestOptions) {
  const underway = new Set<string>();

  /** @throws PaymentProblem when the key belongs to a request under way, or to a different request */
  async function once(
    request: HttpRequest,
    { key, requestId }: { readonly key: string; readonly requestId: string },
    act: (occasion: Occasion) => Session,
  ): Promise<{ session: Session; before?: Answer }> {
    if (key.length > 255) throw new PaymentProblem(400, "Idempotency keys can have up to 255 characters.");
    const same = `${request.path}?${canonicalForm(request.body ?? "")}`;
    const before = ledger.answer(key);
    if (before) {
      if (before.request === same) return { session: before.session, before };
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
      throw new PaymentProblem(400, message, { type: "idempotency_error" });
    }
    if (underway.has(key)) {
      const message = `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`;
      throw new PaymentProblem(409, message, { type: "idempotency_error", code: "idempotency_key_in_use" });
    }
    underway.add(key);
    try {
      await occupy();
      const remember = (session: Session): Answer => ({ key, request: same, requestId, at: now(), session });
      return { session: act({ requestId, idempotencyKey: key, remember }) };
    } finally {
      underway.delete(key);
    }
  }

  async function answer(request: HttpRequest, requestId: string): Promise<{ body: object; before?: Answer }> {
    authenticate(request);
    const { method, path, headers, body } = request;
    if (body === undefined) throw new PaymentProblem(413, "The request is too large.");
    if (method === "POST") {
      const act = actionOf(request, provider);
      const key = headers["idempotency-key"];
      if (act && typeof key === "string") {
        const { session, before } = await once(request, { key, requestId }, act);
        return { body: provider.object(session), ...(before && { before }) };
      }
      if (act) return { body: provider.object(act({ requestId })) };
    }
    if (method === "GET" && path === sessionsPath) return { body: listSessions(request, provider) };
    const [, id] = /^\/v1\/checkout\/sessions\/([^/]+)$/.exec(path) ?? [];
    if (method === "GET" && id !== undefined) return { body: provider.object(provider.session(id)) };
    throw new PaymentProblem(404, `Unrecognized request URL (${method}: ${path}).`);
  }

  return async (request: HttpRequest): Promise<HttpReply> => {
    const requestId = newId("req");
    const headers = {
      "content-type": "application/json",
      "request-id": requestId,
      "stripe-version": String(request.headers["stripe-version"] ?? Stripe.API_VERSION),
    };
    try {
      const { body, before } = await answer(request, requestId);
      const replay = before && { "idempotent-replayed": "true", "original-request": before.requestId };
      return { status: 200, headers: { ...headers, ...replay }, body: JSON.stringify(body, null, 2) };
    } catch (problem) {
      if (!(problem instanceof PaymentProblem)) throw problem;
      return { status: problem.status, headers, body: JSON.stringify(problem.body(), null, 2) };
    }
  };
}
