import { createServer } from 'node:net';
import { Advice } from './steps.mjs';

const DEFAULT_PORT = 8787;

/**
 * @param {number} port 0 asks for any that is free.
 * @returns {Promise<number | null>} The port, or null when it is taken.
 */
function probe(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}

/**
 * The preferred port if it is free, otherwise another one.
 * @param {number} [preferred]
 */
export async function freePort(preferred = 0) {
  const port = (preferred <= 65535 ? await probe(preferred) : null) ?? (await probe(0));
  if (port === null) throw new Error('No port is free.');
  return port;
}

/**
 * The port in PORT, 8787 if it is not set; 0 takes a free one.
 * @param {string | undefined} text
 */
export async function portFrom(text) {
  const wanted = text === undefined || text === '' ? DEFAULT_PORT : Number(text);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65535) {
    throw new Advice(`PORT=${text}: expected a whole number from 0 to 65535.`);
  }
  const port = await probe(wanted);
  if (port === null) {
    throw new Advice(`Port ${wanted} is taken. Choose another: PORT=${wanted + 10} npm start`);
  }
  return port;
}
