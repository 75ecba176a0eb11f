import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Origin {
  /** `http://127.0.0.1:port` or `https://…`. */
  url: string;
  /** Connections that have come in so far. */
  connections: () => number;
  /** Sockets that are open now. */
  open: () => number;
  close: () => Promise<void>;
}

export interface Certificate {
  key: string;
  cert: string;
}

/** A certificate of our own for 127.0.0.1 and localhost. */
export function makeCertificate(): Certificate {
  const directory = mkdtempSync(join(tmpdir(), 'spool-test-cert-'));
  try {
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
    const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost';
    execFileSync(
      'openssl',
      // biome-ignore format: one line reads as the command it is
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=spool test', '-addext', names, '-keyout', key, '-out', cert],
      { stdio: 'pipe' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A real server on a free loopback port; with a certificate it speaks TLS. */
export async function startOrigin(answer: RequestListener, tls?: Certificate): Promise<Origin> {
  const server: Server = tls ? createSecureServer(tls, answer) : createServer(answer);
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    connections: () => connections,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
