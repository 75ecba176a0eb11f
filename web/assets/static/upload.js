// Sends a file to the storage of the service, as a program does with POST /uploads: the bytes go there directly, in one request or in
// parts.

/** A larger file is not hashed: that needs all of it in memory. */
const HASHED_BYTES = 100_000_000;

/** Where uploads are created, and the token of the form. */
let place = null;
export const acceptUploads = (path, token) => {
  place = { path, token };
};
export const acceptsUploads = () => place !== null;

/**
 * @param {File} file
 * @param {{ signal: AbortSignal, onFraction: (fraction: number) => void }} options
 * @returns the source that names the file in a request
 */
export async function upload(file, { signal, onFraction }) {
  const made = await ask(
    '',
    {
      file_name: file.name
        .replaceAll(/[/\\\p{Cc}]/gu, '_')
        .slice(-200)
        // The first character may be half of one.
        .replace(/^[\uDC00-\uDFFF]/, ''),
      size_bytes: file.size,
      sha256: file.size <= HASHED_BYTES ? await sha256(file) : '',
    },
    signal,
  );
  const send = (url, bytes, from) =>
    put(url, bytes, made.headers, signal, (sent) => onFraction((from + sent) / file.size));
  const parts = [];
  if (made.url !== null) await send(made.url, file, 0);
  let at = 0;
  for (const { number, url, size_bytes: size } of made.parts) {
    parts.push({ number, etag: await send(url, file.slice(at, at + size), at) });
    at += size;
  }
  const done = await ask(`/${made.id}/complete`, { parts: JSON.stringify(parts) }, signal);
  return `upload:${done.id}`;
}

/** Pauses before a request is sent again while the service, the storage or the network is away. */
const PAUSES_MS = [1000, 2000, 4000, 8000];

/** The end of a request that may succeed when it is sent again. */
class Away extends Error {}

/**
 * Sends a request, several times if it has to. It may have been done although its answer was lost: storing and completing a file
 * twice is the same as once, and of two uploads that were created the first expires.
 */
async function patiently(send, signal) {
  for (const ms of PAUSES_MS) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Away)) throw error;
    }
    await pause(ms, signal);
  }
  return send();
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

const ask = (path, fields, signal) => patiently(() => askOnce(path, fields, signal), signal);

async function askOnce(path, fields, signal) {
  const body = new URLSearchParams({ ...fields, form_token: place.token });
  const away = () => new Away('The service did not answer. Try again in a few seconds.');
  const response = await fetch(place.path + path, { method: 'POST', body, signal }).catch((error) => {
    throw error instanceof TypeError ? away() : error;
  });
  if (response.status >= 500) throw away();
  if (!/json/.test(response.headers.get('content-type')))
    throw new Error('Your session has ended. Run the request to sign in again: it stays as it is.');
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.errors?.[0]?.detail ?? answer.detail);
  return answer;
}

async function sha256(file) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const put = (url, bytes, headers, signal, onSent) =>
  patiently(() => putOnce(url, bytes, headers, signal, onSent), signal);

/** `fetch` does not say how much has been sent. */
function putOnce(url, bytes, headers, signal, onSent) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(request.getResponseHeader('ETag') ?? '');
      // An earlier try has arrived, but its response got lost. Completing the upload checks the file.
      else if (request.status === 412) resolve('');
      else if (request.status >= 500)
        reject(new Away(`The storage is unavailable (${request.status}). Try again.`));
      else reject(new Error(`The storage refused the file (${request.status}). Try again.`));
    });
    request.addEventListener('error', () => reject(new Away('The storage did not answer. Try again.')));
    request.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(bytes);
  });
}
