/**
 * Stands in for the sidecar that `wrangler dev` puts beside each container, where that image cannot be pulled: takes its
 * settings and tunnels CONNECT. The container shares its network, so a sample served here lies on the container's loopback.
 */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';

const SAMPLE = '/egress/sample.mp4';

const settings = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});

settings.on('connect', (request, client, head) => {
  const { hostname, port } = new URL(`http://${request.url}`);
  const upstream = connect(Number(port || 80), hostname, () => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    upstream.write(head);
    upstream.pipe(client).pipe(upstream);
  });
  const close = () => {
    upstream.destroy();
    client.destroy();
  };
  upstream.on('error', close);
  client.on('error', close);
});

const media = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': statSync(SAMPLE).size });
  createReadStream(SAMPLE).pipe(response);
});

settings.listen(39001, '0.0.0.0');
media.listen(39002, '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
