/**
 * Keeps the pages' files on the device, so that they open without a network. The documents are those without an event, and
 * are the same for all; answers of the API pass by, and no address with a secret gets here: a fragment is not sent.
 */
export type {};

declare const self: ServiceWorkerGlobalScope;
/** Set by the build: the assets, and a hash of their names. */
declare const FILES: readonly string[];
declare const VERSION: string;

const cacheName = `pages-${VERSION}`;
/** Every page opens with one of them. */
const documents = ["/club/", "/registration/"];
/** Milliseconds for which a page waits for a bad network. */
const patience = 4_000;

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(cacheName);
    await cache.addAll([...FILES, ...documents.map((page) => new Request(page, { cache: "reload" }))]);
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const drop = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("pages-") && name !== cacheName) await caches.delete(name);
    }
    await self.clients.claim();
  };
  event.waitUntil(drop());
});

const late = (): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, patience));

/** The network's document, or the kept one when there is none in time. */
async function page(request: Request, path: string): Promise<Response> {
  const fresh = fetch(request).catch(() => undefined);
  const kept = await (await caches.open(cacheName)).match(
    path.startsWith("/registration") ? "/registration/" : "/club/",
  );
  const first = await Promise.race([fresh, late()]);
  return first ?? kept ?? (await fresh) ?? Response.error();
}

/** Its name has a hash of its content. */
async function asset(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}

const pages = /^\/(?:club|event|registration|lost|my-data|sign-in)\//;

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin) return;
  if (event.request.mode === "navigate" && pages.test(pathname)) event.respondWith(page(event.request, pathname));
  else if (pathname.startsWith("/assets/")) event.respondWith(asset(event.request));
});
