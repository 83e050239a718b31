/** The URLs to which the provider redirects people (`docs/contract.md`, "Payments"). Pure. */
import { type Issue, ValidationFailed } from "#kit/errors.ts";

/** The pages for people who have paid, and who have cancelled the payment. */
export interface Redirects {
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** The web application, the only target of redirects. */
export interface WebApp {
  /** Bare origins, as browsers send them. */
  readonly allowedOrigins: readonly string[];
  /** The default URL. */
  readonly home: string;
}

const webProtocols = new Set(["http:", "https:"]);

/**
 * The parsed URL, if it is allowed. The provider gets the parsed form too, so that check and use cannot differ. The scheme
 * is checked because a `blob:` URL has the origin of the URL inside it.
 */
function allowed(address: string, { allowedOrigins }: WebApp): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, origin, href } = new URL(address);
  return webProtocols.has(protocol) && allowedOrigins.includes(origin) ? href : undefined;
}

/** @throws ValidationFailed a URL is outside the web application */
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
