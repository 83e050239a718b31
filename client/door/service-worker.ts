/** Keeps the page's files on the phone, so that it works without a network. Calls of the API pass by. */
export type {};

declare const self: ServiceWorkerGlobalScope;
/** Set by the build: all files of the page, and a hash of their contents. */
declare const FILES: readonly string[];
declare const VERSION: string;

const cacheName = `door-${VERSION}`;
const address = (file: string): string => new URL(file, self.registration.scope).href;
const start = address("index.html");
const settings = address("settings.json");
const kept = new Set(FILES.map(address));

const download = (file: string): Request => new Request(file, { cache: "reload" });

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll([...kept].map(download))));
});

self.addEventListener("activate", (event) => {
  const drop = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("door-") && name !== cacheName) await caches.delete(name);
    }
    await self.clients.claim();
  };
  event.waitUntil(drop());
});

self.addEventListener("message", ({ data }) => {
  if (data === "take over") void self.skipWaiting();
});

/** The club edits the settings without a new version: the next load has them. */
async function refresh(cache: Cache): Promise<void> {
  const response = await fetch(download(settings));
  if (response.ok) await cache.put(settings, response);
}

async function answer(file: string, event: FetchEvent): Promise<Response> {
  const { waiting } = self.registration;
  if (event.request.mode === "navigate" && waiting && (await self.clients.matchAll()).length < 2) {
    // This load takes the new version over: the page loads once more, by it.
    waiting.postMessage("take over");
    return new Response("", { headers: { refresh: "0" } });
  }
  const cache = await caches.open(cacheName);
  if (file === settings) event.waitUntil(refresh(cache).catch(() => undefined));
  return (await cache.match(file)) ?? fetch(event.request);
}

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const file = event.request.mode === "navigate" ? start : origin + pathname;
  if (event.request.method === "GET" && kept.has(file)) event.respondWith(answer(file, event));
});
