/** Where the provider sends people back to (`contract.md`, section 4). Pure. */
import { type Issue, ValidationFailed } from "#kit/errors.ts";

/** Where somebody goes after paying, and after deciding not to. */
export interface Redirects {
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** The only place to which people are sent back. */
export interface WebApp {
  /** Bare origins, as browsers send them. */
  readonly allowedOrigins: readonly string[];
  /** Where people are sent who name no address. */
  readonly home: string;
}

const webProtocols = new Set(["http:", "https:"]);

/**
 * The address as it was understood: what is compared is what is sent on. Nothing but its origin counts, and an address
 * of another scheme may have the origin of what it wraps (`blob:`).
 */
function allowed(address: string, { allowedOrigins }: WebApp): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, origin, href } = new URL(address);
  return webProtocols.has(protocol) && allowedOrigins.includes(origin) ? href : undefined;
}

/** @throws ValidationFailed an address that leads out of the web application */
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
