/** The provider's pages and the actions of their buttons. */
import { html } from "#kit/html.ts";
import { isEmail } from "../../service-kit/email.ts";
import type { HttpReply, HttpRequest } from "../../service-kit/http-service.ts";
import type { Deliveries } from "../deliveries.ts";
import type { Ledger } from "../ledger.ts";
import { type MoveName, moves, SessionClosed } from "../moves.ts";
import { PaymentProblem } from "../problem.ts";
import type { Provider } from "../provider.ts";
import { returnAddress } from "../session.ts";
import { checkoutPage, pagePath } from "./checkout.ts";
import { page, seeOther, style } from "./layout.ts";
import { maxShown, overviewPage } from "./overview.ts";

export interface PagesOptions {
  readonly provider: Provider;
  readonly deliveries: Deliveries;
  readonly ledger: Ledger;
  /** Values of `Host` for this service. A page under another host belongs to another site. */
  readonly hosts: () => readonly string[];
}

/** Milliseconds that a payer's browser waits for the webhook, so that the web application knows of the payment. */
const webhookWait = 10_000;

const sorry = (status: number, title: string): HttpReply => page(status, title, html`<h1>${title}</h1>`);

/** Whether the button was pressed on this service's own page, and not on another site's. */
function isOwn({ headers }: HttpRequest): boolean {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"] ?? "same-origin";
  return (origin === undefined || origin === `http://${host}`) && (site === "same-origin" || site === "none");
}

/** Answers a request that is not under `/v1/`. */
export function pages({ provider, deliveries, ledger, hosts }: PagesOptions) {
  const overview = (): HttpReply =>
    overviewPage({
      sessions: provider.sessions().slice(-maxShown).reverse(),
      deliveries: ledger
        .deliveries()
        .slice(-maxShown)
        .reverse()
        .flatMap((delivery) => {
          const event = ledger.event(delivery.eventId);
          return event ? [{ delivery, event }] : [];
        }),
      switches: deliveries.switches,
    });

  const switches: Readonly<Record<string, () => unknown>> = {
    hold: () => deliveries.hold(),
    release: () => deliveries.release(),
    reverse: () => deliveries.release({ reversed: true }),
    fail: () => deliveries.fail(true),
    succeed: () => deliveries.fail(false),
    duplicate: () => deliveries.duplicate(1),
    single: () => deliveries.duplicate(0),
  };

  async function press(id: string, action: string, body: string): Promise<HttpReply> {
    const session = provider.session(id);
    const again = seeOther(pagePath(id));
    if (action === "cancel") return session.cancelUrl === null ? again : seeOther(session.cancelUrl);
    const email = session.customerEmail ?? (new URLSearchParams(body).get("email") ?? "").trim();
    const isForPayer = action === "pay" || action === "payLater" || action === "decline";
    if (session.state === "open" && isForPayer && !isEmail(email)) {
      return checkoutPage(session, { status: 400, alert: "Please enter your email address." });
    }
    if (action === "decline") {
      return checkoutPage(session, {
        status: session.state === "open" ? 402 : 409,
        ...(session.state === "open" && { alert: "Your card was declined. Nothing has been paid." }),
      });
    }
    if (!Object.hasOwn(moves, action)) return sorry(404, "There is no such page");
    try {
      const after = provider.move(id, action as MoveName, { payerEmail: email });
      if (!isForPayer) return again;
      await deliveries.firstAnswer(id, webhookWait);
      return seeOther(returnAddress(after));
    } catch (problem) {
      if (!(problem instanceof SessionClosed)) throw problem;
      return checkoutPage(provider.session(id), { status: 409 });
    }
  }

  async function post(path: string, body: string): Promise<HttpReply> {
    const [, first = "", second = "", third = "", fourth] = path.split("/");
    if (first === "c" && second === "pay" && fourth !== undefined) return press(third, fourth, body);
    if (first === "switches" && Object.hasOwn(switches, second)) {
      await switches[second]?.();
      return seeOther("/");
    }
    if (first === "events" && third === "again") {
      provider.sendAgain(second);
      return seeOther("/");
    }
    return sorry(404, "There is no such page");
  }

  return async (request: HttpRequest): Promise<HttpReply> => {
    const { method, path, headers, body } = request;
    if (!hosts().includes(headers.host ?? "")) return sorry(403, "This is the page of another name");
    try {
      if (method === "GET" && path === "/") return overview();
      if (method === "GET" && path === "/style.css") {
        return { status: 200, headers: { "content-type": "text/css; charset=utf-8" }, body: style };
      }
      // After a declined card the browser shows the address of that action, and a person may reload it.
      const [, id] = /^\/c\/pay\/([^/]+)(?:\/decline)?$/.exec(path) ?? [];
      if (method === "GET" && id !== undefined) return checkoutPage(provider.session(id));
      if (method !== "POST") return sorry(404, "There is no such page");
      if (body === undefined) return sorry(413, "That is too much");
      return isOwn(request) ? await post(path, body) : sorry(403, "Another page may not press buttons here");
    } catch (problem) {
      if (!(problem instanceof PaymentProblem)) throw problem;
      return sorry(problem.status, "There is no such payment");
    }
  };
}
