/** The provider's pages and the actions of their buttons. */
import { type Html, html } from "#kit/text/html.ts";
import { isEmail } from "../../service-kit/email.ts";
import type { HttpReply, HttpRequest } from "../../service-kit/http-service.ts";
import { isSameOrigin } from "../../service-kit/page.ts";
import { statusOf } from "../balance.ts";
import type { Changes } from "../changes.ts";
import type { Deliveries } from "../deliveries.ts";
import { firstStatuses, nextStatuses } from "../dispute.ts";
import type { Ledger } from "../ledger.ts";
import { type MoveName, moves, SessionClosed } from "../moves.ts";
import { nextPayoutStatuses } from "../payouts.ts";
import { PaymentProblem } from "../problem.ts";
import type { Resources } from "../routes.ts";
import { isPaid, pagePath, returnAddress, type Session } from "../session.ts";
import { permissions, type Switchboard } from "../switches.ts";
import { checkoutPage, type Remarks } from "./checkout.ts";
import { historyOf } from "./history.ts";
import { enteredAmount, page, seeOther, style } from "./layout.ts";
import { maxShown, overviewPage } from "./overview.ts";

export interface PagesOptions extends Resources {
  readonly changes: Changes;
  readonly deliveries: Deliveries;
  readonly ledger: Ledger;
  readonly switchboard: Switchboard;
  /** Values of `Host` for this service. A page under another host belongs to another site. */
  readonly hosts: () => readonly string[];
}

/** Milliseconds that a payer's browser waits for the webhook, so that the web application knows of the payment. */
const webhookWait = 10_000;

/** Requests that one press of the button refuses. */
const limitedAtOnce = 5;

const sorry = (status: number, title: string): HttpReply => page(status, title, html`<h1>${title}</h1>`);

const newest = <One>(all: readonly One[]): One[] => all.slice(-maxShown).reverse();

/** Answers a request that is not under `/v1/`. */
export function pages(options: PagesOptions) {
  const { sessions, refunds, disputes, payouts, changes, deliveries, ledger, switchboard, hosts } = options;

  const overview = (): HttpReply =>
    overviewPage({
      sessions: newest(sessions.all()),
      refunds: newest(refunds.all()),
      payouts: newest(payouts.all()),
      balance: payouts.balance(),
      deliveries: newest(ledger.all("deliveries")).flatMap((delivery) => {
        const event = ledger.get("events", delivery.eventId);
        return event ? [{ delivery, event }] : [];
      }),
      switches: switchboard.now,
    });

  function historyFor(session: Session): Html | undefined {
    if (!isPaid(session)) return undefined;
    const ofSession = refunds.ofSession(session.id);
    const disputed = disputes.ofSession(session.id);
    const sources = new Set([session.charge, ...disputed, ...ofSession].map(({ id }) => id));
    const transactions = payouts.transactions().filter(({ source }) => sources.has(source));
    return historyOf(session, { refunds: ofSession, disputes: disputed, transactions });
  }

  const show = (session: Session, remarks: Omit<Remarks, "history"> = {}): HttpReply =>
    checkoutPage(session, { ...remarks, history: historyFor(session) });

  const switches: Readonly<Record<string, (fields: URLSearchParams) => unknown>> = {
    hold: () => deliveries.hold(),
    release: () => deliveries.release(),
    wait: () => switchboard.set({ refundsWait: true }),
    direct: () => switchboard.set({ refundsWait: false }),
    poor: () => switchboard.set({ neverNegative: true }),
    rich: () => switchboard.set({ neverNegative: false }),
    limit: () => switchboard.set({ limited: limitedAtOnce }),
    withhold: (fields) => switchboard.set({ withheld: permissions.filter((one) => one === fields.get("permission")) }),
  };

  /** Carries out what the provider may refuse, and leads back to the session's page. */
  function attempt(session: Session, act: () => unknown): HttpReply {
    try {
      act();
      return seeOther(pagePath(session.id));
    } catch (problem) {
      if (!(problem instanceof PaymentProblem)) throw problem;
      return show(sessions.find(session.id), { status: 409, alert: problem.message });
    }
  }

  /** Carries out what a person has entered an amount for. */
  function attemptWith(session: Session, body: string, act: (amount: number, fields: URLSearchParams) => unknown) {
    const fields = new URLSearchParams(body);
    const amount = enteredAmount(fields.get("amount") ?? "", session.currency);
    if (!amount) return show(session, { status: 400, alert: "Please enter an amount such as 12.50." });
    return attempt(session, () => act(amount, fields));
  }

  /** The bank goes on with a dispute, to a status that the page offers. */
  function moveDispute(id: string, body: string): HttpReply {
    const { sessionId, status } = disputes.find(id);
    const next = nextStatuses[status].find((one) => one === new URLSearchParams(body).get("status"));
    return attempt(sessions.find(sessionId), () => {
      if (next === undefined) throw new PaymentProblem(400, `This dispute has a status of ${status}.`);
      disputes.move(id, next);
    });
  }

  function movePayout(id: string, status: string): HttpReply {
    const next = nextPayoutStatuses[statusOf(payouts.find(id))].find((one) => one === status);
    if (next) payouts.move(id, next);
    return seeOther("/");
  }

  async function press(id: string, action: string, body: string): Promise<HttpReply> {
    const session = sessions.find(id);
    const again = seeOther(pagePath(id));
    if (action === "cancel") return session.cancelUrl === null ? again : seeOther(session.cancelUrl);
    if (action === "refund") {
      return attemptWith(session, body, (amount) => refunds.createInDashboard(id, amount));
    }
    if (action === "dispute") {
      return attemptWith(session, body, (amount, fields) => {
        const status = firstStatuses.find((one) => one === fields.get("status"));
        return disputes.open(id, { amount, ...(status && { status }) });
      });
    }
    const email = session.customerEmail ?? (new URLSearchParams(body).get("email") ?? "").trim();
    const isForPayer = action === "pay" || action === "payLater" || action === "decline";
    if (session.state === "open" && isForPayer && !isEmail(email)) {
      return show(session, { status: 400, alert: "Please enter your email address." });
    }
    if (action === "decline") {
      return show(session, {
        status: session.state === "open" ? 402 : 409,
        ...(session.state === "open" && { alert: "Your card was declined. Nothing has been paid." }),
      });
    }
    if (!Object.hasOwn(moves, action)) return sorry(404, "There is no such page");
    try {
      const after = sessions.move(id, action as MoveName, { payerEmail: email });
      if (!isForPayer) return again;
      await deliveries.answered(webhookWait);
      return seeOther(returnAddress(after));
    } catch (problem) {
      if (!(problem instanceof SessionClosed)) throw problem;
      return show(sessions.find(id), { status: 409 });
    }
  }

  async function post(path: string, body: string): Promise<HttpReply> {
    const [, first = "", second = "", third = "", fourth] = path.split("/");
    if (first === "c" && second === "pay" && fourth !== undefined) return press(third, fourth, body);
    if (first === "refunds" && (third === "succeed" || third === "fail")) {
      return attempt(sessions.find(refunds.find(second).sessionId), () => refunds.move(second, third));
    }
    if (first === "disputes" && third === "move") return moveDispute(second, body);
    if (first === "switches" && Object.hasOwn(switches, second)) {
      await switches[second]?.(new URLSearchParams(body));
      return seeOther("/");
    }
    if (first === "events" && third === "again") {
      changes.sendAgain(second);
      return seeOther("/");
    }
    if (path === "/payouts" || path === "/payouts/later") {
      if (payouts.balance() > 0) payouts.payOut(path === "/payouts" ? "paid" : "pending");
      return seeOther("/");
    }
    if (first === "payouts") return movePayout(second, third);
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
      // A refused action shows the page at the address of that action, and a person may reload it.
      const [, id] = /^\/c\/pay\/([^/]+)(?:\/(?:decline|refund|dispute))?$/.exec(path) ?? [];
      if (method === "GET" && id !== undefined) return show(sessions.find(id));
      const [, refundId] = /^\/refunds\/([^/]+)\/(?:succeed|fail)$/.exec(path) ?? [];
      if (method === "GET" && refundId !== undefined) return seeOther(pagePath(refunds.find(refundId).sessionId));
      const [, disputeId] = /^\/disputes\/([^/]+)\/move$/.exec(path) ?? [];
      if (method === "GET" && disputeId !== undefined) return seeOther(pagePath(disputes.find(disputeId).sessionId));
      if (method !== "POST") return sorry(404, "There is no such page");
      if (body === undefined) return sorry(413, "That is too much");
      return isSameOrigin(headers) ? await post(path, body) : sorry(403, "Another page may not press buttons here");
    } catch (problem) {
      if (!(problem instanceof PaymentProblem)) throw problem;
      return sorry(problem.status, "There is no such payment");
    }
  };
}
