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
      file_name: file.name.replaceAll(/[/\\]/g, '_').slice(-200),
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

/** While the service is away, the same request is sent again so many times: one that was done is not done twice. */
const AWAY_TRIES = 3;
const AWAY_PAUSE_MS = 3000;

async function ask(path, fields, signal, tries = AWAY_TRIES) {
  const body = new URLSearchParams({ ...fields, form_token: place.token });
  const response = await fetch(place.path + path, { method: 'POST', body, signal });
  if (response.status >= 500 && tries > 0) {
    await new Promise((resolve) => setTimeout(resolve, AWAY_PAUSE_MS));
    return ask(path, fields, signal, tries - 1);
  }
  if (response.status >= 500) throw new Error('The service did not answer. Try again in a few seconds.');
  if (!/json/.test(response.headers.get('content-type')))
    throw new Error('You are no longer signed in. Reload the page.');
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.errors?.[0]?.detail ?? answer.detail);
  return answer;
}

async function sha256(file) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `fetch` does not say how much has been sent. */
function put(url, bytes, headers, signal, onSent) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const failed = (text) => reject(new Error(text));
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(request.getResponseHeader('ETag') ?? '');
      else failed(`The storage refused the file (${request.status}). Try again.`);
    });
    request.addEventListener('error', () => failed('The storage did not answer. Try again.'));
    request.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(bytes);
  });
}
