/** The part of the provider's REST interface that its client uses: https://docs.stripe.com/api */
import Stripe from "stripe";
import type { HttpReply, HttpRequest, Reply } from "../service-kit/http-service.ts";
import type { Occasion } from "./changes.ts";
import { expanded } from "./expand.ts";
import { canonicalForm, readForm } from "./form.ts";
import { newId } from "./keys.ts";
import type { Answer, Ledger } from "./ledger.ts";
import { Parameters } from "./parameters.ts";
import { InvalidParameter, PaymentProblem } from "./problem.ts";
import { refuseAsSwitched } from "./refusals.ts";
import { acts, objects, type Resources, reads } from "./routes.ts";
import type { Switchboard } from "./switches.ts";

export interface RestOptions {
  readonly resources: Resources;
  readonly ledger: Ledger;
  readonly switchboard: Switchboard;
  readonly now: () => number;
  /**
   * Resolves when a request with an idempotency key may go on; until then another request with the same key is refused.
   */
  readonly occupy: () => Promise<void>;
}

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

/** The entry of a path in a table of paths such as `/v1/refunds/:id`, and the path's id. */
function found<Entry>(table: Readonly<Record<string, Entry>>, path: string) {
  for (const [pattern, entry] of Object.entries(table)) {
    const match = new RegExp(`^${pattern.replace(":id", "(?<id>[^/]+)")}$`).exec(path);
    if (match) return { entry, id: match.groups?.id ?? "" };
  }
  return undefined;
}

/** An answer, and the earlier one that it repeats. */
interface Result {
  readonly status: number;
  readonly body: object;
  readonly before?: Answer;
}

/** Answers a request under `/v1/`. */
export function restInterface({ resources, ledger, switchboard, now, occupy }: RestOptions) {
  const underway = new Set<string>();
  const [readTable, actTable, objectOf] = [reads(resources), acts(resources), objects(resources)];

  /**
   * A refusal is remembered too, also a 500, except one of a parameter's form: https://docs.stripe.com/api/idempotent_requests
   * @throws PaymentProblem when the key belongs to a request under way, or to a different request
   */
  async function once(
    request: HttpRequest,
    { key, requestId }: { readonly key: string; readonly requestId: string },
    act: (occasion: Occasion) => object,
  ): Promise<Result> {
    if (key.length > 255) throw new PaymentProblem(400, "Idempotency keys can have up to 255 characters.");
    const same = `${request.path}?${canonicalForm(request.body ?? "")}`;
    const before = ledger.answer(key);
    if (before) {
      if (before.request === same) return { status: before.status, body: before.body, before };
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
      throw new PaymentProblem(400, message, { type: "idempotency_error" });
    }
    if (underway.has(key)) {
      const message = `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`;
      throw new PaymentProblem(409, message, { type: "idempotency_error", code: "idempotency_key_in_use" });
    }
    underway.add(key);
    const answerOf = (status: number, body: object): Answer => ({
      id: key,
      request: same,
      requestId,
      at: now(),
      status,
      body,
    });
    try {
      await occupy();
      const broken = switchboard.takeBreak();
      if (broken === "after") act({ requestId, idempotencyKey: key });
      if (broken) throw new PaymentProblem(500, "An unknown error occurred.", { type: "api_error" });
      const remember = (body: object): Answer => answerOf(200, body);
      return { status: 200, body: act({ requestId, idempotencyKey: key, remember }) };
    } catch (problem) {
      if (problem instanceof PaymentProblem && !(problem instanceof InvalidParameter)) {
        ledger.write({ answers: [answerOf(problem.status, problem.body())] });
      }
      throw problem;
    } finally {
      underway.delete(key);
    }
  }

  async function answer(request: HttpRequest, requestId: string): Promise<Result> {
    refuseAsSwitched(switchboard, request);
    authenticate(request);
    const { method, path, query, headers, body } = request;
    if (body === undefined) throw new PaymentProblem(413, "The request is too large.");
    const act = method === "POST" ? found(actTable, path) : undefined;
    if (act) {
      const { entry, id } = act;
      const key = headers["idempotency-key"];
      const run = (occasion: Occasion): object => entry({ id, form: readForm(body) }, occasion);
      if (typeof key === "string") return await once(request, { key, requestId }, run);
      return { status: 200, body: run({ requestId }) };
    }
    const read = method === "GET" ? found(readTable, path) : undefined;
    if (!read) throw new PaymentProblem(404, `Unrecognized request URL (${method}: ${path}).`);
    const { entry, id } = read;
    const form = readForm(query);
    const paths = new Parameters<{ readonly expand?: readonly string[] }>(form).texts("expand");
    const whole = paths.reduce((one, each) => expanded(one, each, objectOf), entry({ id, form }));
    return { status: 200, body: whole };
  }

  async function reply(request: HttpRequest): Promise<HttpReply> {
    const requestId = newId("req");
    const headers = {
      "content-type": "application/json",
      "request-id": requestId,
      "stripe-version": String(request.headers["stripe-version"] ?? Stripe.API_VERSION),
    };
    try {
      const { status, body, before } = await answer(request, requestId);
      const replay = before && { "idempotent-replayed": "true", "original-request": before.requestId };
      return { status, headers: { ...headers, ...replay }, body: JSON.stringify(body, null, 2) };
    } catch (problem) {
      if (!(problem instanceof PaymentProblem)) throw problem;
      return { status: problem.status, headers, body: JSON.stringify(problem.body(), null, 2) };
    }
  }

  return async (request: HttpRequest): Promise<Reply> => {
    const answered = await reply(request);
    return switchboard.now.losing ? "cut" : answered;
  };
}
