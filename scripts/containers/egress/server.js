/**
 * Stands in for the sidecar that `wrangler dev` puts beside each container, where that image cannot be pulled: accepts its
 * settings and tunnels CONNECT.
 */
import { createServer } from 'node:http';
import { connect } from 'node:net';

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});

server.on('connect', (request, client, head) => {
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

server.listen(39001, '0.0.0.0');
process.on('SIGTERM', () => process.exit(0));
