/**
 * The laptop's own pages: a start page, the reference, the pages of `client`, and the errors of functions as JSON. They are no part of the API.
 * The gateway asks them only for a path that has no route of its own in the template.
 */
import { readFile } from "node:fs/promises";
import type { LoggedError } from "../functions/log.ts";
import type { GatewayRequest } from "../http-api/request-event.ts";
import type { GatewayResponse } from "../http-api/response.ts";
import { seedNames } from "../seed/index.ts";
import { readJsonObject } from "../service-kit/http-server.ts";
import { isSameOrigin } from "../service-kit/page.ts";
import { htmlReply, jsonReply, reply, sorry, style } from "./layout.ts";
import { mailReply, mailsPage } from "./mails.ts";
import { type LaptopReference, referenceDocument, referenceFile, referencePage, referencePolicy } from "./reference.ts";
import { requestsPage } from "./requests.ts";
import { type Shown, startPage } from "./start-page.ts";
import { firstParts, type HostedPages, pageFile } from "./static-pages.ts";

/** What the pages are made of. */
export interface PagesOptions extends Shown, Pick<LaptopReference, "events"> {
  /** The latest errors that functions logged, oldest first. */
  errors(): readonly LoggedError[];
  /** Resolves when all work that requests have triggered is done. */
  settled(): Promise<void>;
  readonly hosted: HostedPages;
  /** Makes a token of an account. */
  idToken(email: string): Promise<string>;
}

/** Answers a request for a page. @returns undefined when the path is none of theirs */
export type Pages = (request: GatewayRequest, body: Buffer | undefined) => Promise<GatewayResponse | undefined>;

const pathOfPages = new RegExp(`^/(?:$|(?:docs|local|${firstParts.join("|")})(?:/|$))`);

/** Whether a path is one of these pages. No route of the API may begin like this. */
export const isPagePath = (path: string): boolean => pathOfPages.test(path);

/**
 * Whether the request names this machine as its host. Another site's name may resolve to this machine (DNS rebinding);
 * the browser would then treat our pages as that site's own.
 */
const isForThisMachine = (host: string | undefined): boolean =>
  /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host ?? "");

/** A link from another page is fine, because that page cannot read the answer. */
const isOwn = ({ message: { method, headers } }: GatewayRequest): boolean =>
  (method !== "POST" && headers["sec-fetch-mode"] === "navigate") || isSameOrigin(headers);

const script = async (name: string): Promise<GatewayResponse> =>
  reply(200, "text/javascript; charset=utf-8", await readFile(new URL(`./browser/${name}.mjs`, import.meta.url)));

/** Makes the function that answers for all pages. */
export function createPages(options: PagesOptions): Pages {
  const { accounts, events } = options;
  const [event] = events;
  const person = accounts.findLast(({ role }) => role === "user");
  const seed = event && person && { year: event.year, email: person.email, ...seedNames[person.role] };

  /** Only for seeded accounts: the page issues tokens only for the accounts that it shows. */
  async function token(body: Buffer | undefined): Promise<GatewayResponse> {
    const email = readJsonObject(body?.toString("utf8") ?? "")?.email;
    const account = accounts.find((one) => one.email === email);
    if (!account) return jsonReply(404, { message: "There is no such account." });
    return jsonReply(200, { token: await options.idToken(account.email) });
  }

  async function reference(path: string, host: string): Promise<GatewayResponse | undefined> {
    if (path === "/docs" || path === "/docs/") {
      return htmlReply(200, referencePage({ accounts, events }), referencePolicy);
    }
    const name = path.slice("/docs/".length);
    if (name === "openapi.json") {
      const server = { url: `http://${host}`, description: "This local stage" };
      return reply(200, "application/json", await referenceDocument(server, seed));
    }
    const file = await referenceFile(name);
    return file && reply(200, file.type, file.body);
  }

  async function show(path: string, host: string): Promise<GatewayResponse | undefined> {
    if (path === "/") return htmlReply(200, startPage(options));
    if (path === "/local/style.css") return reply(200, "text/css; charset=utf-8", style);
    if (path === "/local/start.js") return script("start");
    if (path === "/local/requests") return htmlReply(200, requestsPage(options.requests.list()));
    if (path === "/local/errors") return jsonReply(200, options.errors());
    if (path === "/local/settled") return options.settled().then(() => reply(204, "text/plain", ""));
    if (path === "/local/mails") return htmlReply(200, mailsPage([...options.mails()].reverse()));
    if (path.startsWith("/local/mails/")) return mailReply(options.mails(), path.slice("/local/mails/".length));
    return path.startsWith("/docs") ? reference(path, host) : pageFile(path, options.hosted);
  }

  return async (request, body) => {
    const { path, message } = request;
    const { method = "", headers } = message;
    if (!isPagePath(path)) return undefined;
    if (!isForThisMachine(headers.host)) return sorry(403, "These pages are on localhost only");
    if (!isOwn(request)) return sorry(403, "Another page may not ask for this");
    if (path === "/local/token") {
      return method === "POST" ? token(body) : reply(405, "text/plain", "POST only", { allow: "POST" });
    }
    if (method !== "GET" && method !== "HEAD") return reply(405, "text/plain", "GET only", { allow: "GET, HEAD" });
    return (await show(path, headers.host ?? "")) ?? jsonReply(404, { message: "Not Found" });
  };
}
