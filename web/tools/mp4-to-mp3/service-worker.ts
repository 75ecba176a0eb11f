/**
 * Keeps this tool on the device, and nothing else. The Worker puts the two constants before this script: the paths of the files,
 * and a version that changes with any of them. It fetches these files when it is installed; its Content-Security-Policy allows no
 * other request.
 */
declare const FILES: readonly string[];
declare const VERSION: string;

interface Lifetime extends Event {
  waitUntil(promise: Promise<unknown>): void;
}

interface Fetched extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

const PREFIX = 'mp4-to-mp3 ';
const NAME = PREFIX + VERSION;

async function install(): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((path) => new Request(path, { cache: 'reload', credentials: 'omit' })));
}

/** An open page still uses the version that it was opened with, so a new version waits until all are closed. */
async function activate(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await (self as unknown as { clients: { claim(): Promise<void> } }).clients.claim();
}

async function cached(path: string): Promise<Response> {
  const cache = await caches.open(NAME);
  return (await cache.match(path)) ?? fetch(path);
}

self.addEventListener('install', (event) => (event as Lifetime).waitUntil(install()));
self.addEventListener('activate', (event) => (event as Lifetime).waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request, respondWith } = event as Fetched;
  const { origin, pathname } = new URL(request.url);
  if (request.method === 'GET' && origin === location.origin && FILES.includes(pathname))
    respondWith.call(event, cached(pathname));
});
