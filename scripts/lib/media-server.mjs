import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, sep } from 'node:path';
import send from 'send';
import { Advice } from './steps.mjs';

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
  const path = await fileFor(top, request.url ?? '/');
  if (!path) return end(response, 404);
  send(request, encodeURIComponent(path), { dotfiles: 'allow', cacheControl: false })
    .on('headers', addHeaders)
    .on('error', ({ status, headers }) =>
      response.headersSent ? response.destroy() : end(response, status, headers),
    )
    .pipe(response);
}

/**
 * The ETag is strong: it changes whenever the file does, and If-Range needs a strong one.
 * @param {import('node:http').ServerResponse} response
 * @param {string} _path
 * @param {import('node:fs').Stats} stat
 */
function addHeaders(response, _path, { size, mtimeMs }) {
  response.setHeader('etag', `"${size.toString(16)}-${Math.round(mtimeMs).toString(16)}"`);
  response.setHeader('x-content-type-options', 'nosniff');
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
  return found?.isFile() ? path : null;
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
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {Record<string, string>} [headers]
 */
function end(response, status, headers = {}) {
  response.writeHead(status, { ...headers, 'content-length': 0 }).end();
}
