/** The addresses of the pages. Pure. */

export const eventsPage = "/club/";
export const placesPage = "/registration/";
export const lostPage = "/lost/";
export const dataPage = "/my-data/";

interface EventKey {
  readonly id: string;
  readonly year: number;
}

export const eventPage = ({ id, year }: EventKey): string => `/event/${encodeURIComponent(id)}/${year}`;

/** The place of who is signed in. */
export const ownPlace = ({ id, year }: EventKey): string =>
  `${placesPage}?${new URLSearchParams({ event: id, year: String(year) })}`;

/** The event, as the API has it. */
export const eventPath = ({ id, year }: EventKey): string => `/events/${encodeURIComponent(id)}/${year}`;

export const linkedPlace = (secret: string): string => `${placesPage}#${secret}`;

/** @param next the page to come back to. A secret behind its `#` does not get into an address that is sent. */
export const signInPage = (next: string): string =>
  `/sign-in/?${new URLSearchParams({ next: next.replace(/#.*/, "") })}`;

/** The page to go to after the sign-in: one of this site, whatever the address says. */
export function nextOf(next: string | undefined, origin: string): string {
  if (!next?.startsWith("/") || !URL.canParse(next, origin)) return eventsPage;
  const address = new URL(next, origin);
  // A path that begins with two slashes would be an address of another site.
  return address.origin === origin ? address.pathname.replace(/^\/+/, "/") + address.search : eventsPage;
}

/** Whether a picture may be asked for: the pages' policy forbids those of other sites. @param sites those allowed */
export const isShownPicture = (url: string, sites: readonly string[]): boolean =>
  URL.canParse(url) && sites.some((site) => URL.canParse(site) && new URL(site).origin === new URL(url).origin);
