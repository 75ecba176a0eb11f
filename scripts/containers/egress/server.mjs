/**
 * Replaces the sidecar that `wrangler dev` starts for each container if its image cannot be pulled: accepts its settings and
 * tunnels CONNECT. The container shares its network, so ports opened on loopback are also on the container's loopback: a
 * sample, and a tunnel to `wrangler dev`, which serves its local bucket only under loopback names.
 */
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as createTunnel } from 'node:net';

const SAMPLE = '/egress/sample.mp4';
const WRANGLER_PORT = 39787;

const settings = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});

settings.on('connect', (request, client, head) => {
  const { hostname, port } = new URL(`http://${request.url}`);
  const upstream = connect(Number(port || 80), hostname);
  client.once('error', () => upstream.destroy());
  // Answer 400 so that workerd sees that nothing listens yet and waits. It treats a broken connection as a lost container.
  const refused = () => client.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n');
  upstream.once('error', refused);
  upstream.once('connect', () => {
    upstream.off('error', refused);
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    upstream.write(head);
    join(client, upstream);
  });
});

const tunnel = createTunnel((client) => join(client, connect(WRANGLER_PORT, gateway())));

/**
 * @param {import('node:stream').Duplex} one
 * @param {import('node:stream').Duplex} other
 */
function join(one, other) {
  one.pipe(other).pipe(one);
  one.on('error', () => other.destroy());
  other.on('error', () => one.destroy());
}

/** The host's address on Docker's bridge: the default route, in little-endian hex. */
function gateway() {
  const route = readFileSync('/proc/net/route', 'utf8').match(/^\S+\s+00000000\s+([0-9A-F]{8})/m)?.[1] ?? '';
  return [6, 4, 2, 0].map((at) => Number.parseInt(route.slice(at, at + 2), 16)).join('.');
}

const media = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': statSync(SAMPLE).size });
  createReadStream(SAMPLE).pipe(response);
});

settings.listen(39001, '0.0.0.0');
media.listen(39002, '127.0.0.1');
tunnel.listen(WRANGLER_PORT, '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
