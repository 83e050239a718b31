/** The addresses to which the provider sends people back (`docs/contract.md`, "Payments"). Pure. */
import { type Issue, ValidationFailed } from "#kit/errors.ts";

/** The page for a person who has paid, and the page for a person who has decided not to pay. */
export interface Redirects {
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** The web application. People are sent back only to its addresses. */
export interface WebApp {
  /** Bare origins, as browsers send them. */
  readonly allowedOrigins: readonly string[];
  /** The address for a request that names none. */
  readonly home: string;
}

const webProtocols = new Set(["http:", "https:"]);

/**
 * The address in its parsed form, if it is allowed. The parsed form is also what the provider gets, so the check and
 * the use cannot differ. The scheme is checked too, because a `blob:` address has the origin of the address inside it.
 */
function allowed(address: string, { allowedOrigins }: WebApp): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, origin, href } = new URL(address);
  return webProtocols.has(protocol) && allowedOrigins.includes(origin) ? href : undefined;
}

/** @throws ValidationFailed when an address is outside of the web application */
export function redirectsOf(
  { success_url, cancel_url }: { readonly success_url?: string; readonly cancel_url?: string },
  app: WebApp,
): Redirects {
  const successUrl = success_url === undefined ? app.home : allowed(success_url, app);
  const cancelUrl = cancel_url === undefined ? app.home : allowed(cancel_url, app);
  const issues: Issue[] = [];
  const message = "must be an address of the web application";
  if (successUrl === undefined) issues.push({ path: "/success_url", message });
  if (cancelUrl === undefined) issues.push({ path: "/cancel_url", message });
  if (successUrl === undefined || cancelUrl === undefined) throw new ValidationFailed(issues);
  return { successUrl, cancelUrl };
}
