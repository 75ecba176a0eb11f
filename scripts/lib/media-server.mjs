import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Advice } from './steps.mjs';

/** @type {Record<string, string>} */
const mediaTypes = {
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.mkv': 'video/x-matroska',
  '.ts': 'video/mp2t',
  '.avi': 'video/x-msvideo',
  '.flv': 'video/x-flv',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.wav': 'audio/wav',
  '.flac': 'audio/flac',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
};

/**
 * Serves the files of a folder on a loopback port, with ranges.
 * @param {string} folder
 * @param {number} port
 * @returns {Promise<{origin: string, close: () => Promise<void>}>}
 */
export async function serveMedia(folder, port) {
  const top = await directory(folder);
  const server = createServer((request, response) => {
    answer(top, request, response).catch((error) => {
      // A client that disconnects early is not an error.
      if (response.headersSent || response.destroyed) return response.destroy();
      console.error(`  ✗ media: ${request.url}: ${error}`);
      end(response, 500);
    });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const address = server.address();
  const actual = typeof address === 'object' && address ? address.port : port;
  return {
    origin: `http://127.0.0.1:${actual}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @param {string} folder */
async function directory(folder) {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new Advice(`--media ${folder}: not a folder.`);
  return realpath(folder);
}

/**
 * @param {string} top
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(top, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return end(response, 405, { allow: 'GET, HEAD' });
  }
  const file = await fileFor(top, request.url ?? '/');
  if (!file) return end(response, 404);
  const { size, mtimeMs } = file;
  const headers = {
    'content-type': mediaTypes[extname(file.path).toLowerCase()] ?? 'application/octet-stream',
    'accept-ranges': 'bytes',
    etag: `"${size.toString(16)}-${Math.round(mtimeMs).toString(16)}"`,
    'last-modified': new Date(mtimeMs).toUTCString(),
    'x-content-type-options': 'nosniff',
  };
  const range = rangeOf(request.headers.range, size);
  if (range === 'unsatisfiable') return end(response, 416, { 'content-range': `bytes */${size}` });
  const { start, last } = range ?? { start: 0, last: size - 1 };
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'content-length': last - start + 1,
    ...(range ? { 'content-range': `bytes ${start}-${last}/${size}` } : {}),
  });
  if (request.method === 'HEAD' || size === 0) return response.end();
  await pipeline(createReadStream(file.path, { start, end: last }), response);
}

/**
 * The file of a path, never outside the folder, neither through `..` nor through a link.
 * @param {string} top
 * @param {string} url
 */
async function fileFor(top, url) {
  const name = pathOf(url);
  if (name === null || name.includes('\0')) return null;
  const path = await realpath(join(top, name)).catch(() => null);
  if (path === null || !path.startsWith(top.endsWith(sep) ? top : top + sep)) return null;
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? { path, size: found.size, mtimeMs: found.mtimeMs } : null;
}

/** @param {string} url */
function pathOf(url) {
  try {
    return decodeURIComponent(new URL(url, 'http://media').pathname);
  } catch {
    return null;
  }
}

/**
 * A single range (RFC 9110); several ranges and other units are ignored.
 * @param {string | undefined} header
 * @param {number} size
 * @returns {{start: number, last: number} | 'unsatisfiable' | null}
 */
function rangeOf(header, size) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const suffix = match[1] === '';
  const start = suffix ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const last = suffix || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (!suffix && match[2] !== '' && Number(match[2]) < start) return null;
  return start >= size || (suffix && Number(match[2]) === 0) ? 'unsatisfiable' : { start, last };
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {Record<string, string>} [headers]
 */
function end(response, status, headers = {}) {
  response.writeHead(status, { ...headers, 'content-length': 0 }).end();
}
