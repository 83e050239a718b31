/** The settings that the club may edit beside the page. */
import { element } from "./elements.ts";

/**
 * Reads `settings.json`, and narrows the page's policy to the API that it names.
 * @returns the base address of the API, without a slash at its end; `settings.json` may name it below the page's own origin
 */
export async function readApi(): Promise<string> {
  const { api: given } = (await (await fetch("settings.json")).json()) as { readonly api: string };
  const api = new URL(given, location.origin).href.replace(/\/$/, "");
  const content = `connect-src 'self' ${new URL(api).origin}`;
  document.head.append(element("meta", { httpEquiv: "content-security-policy", content }));
  return api;
}

/** Asks the server, never the browser's cache. */
export const fetchFresh: typeof fetch = (url, init) => fetch(url, { ...init, cache: "no-store" });
