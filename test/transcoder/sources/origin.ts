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

/** A certificate of our own, for 127.0.0.1 and localhost unless told otherwise; with negative days it has expired. */
export function makeCertificate({
  names = 'IP:127.0.0.1,DNS:localhost',
  days = 2,
}: {
  names?: string;
  days?: number;
} = {}): Certificate {
  const directory = mkdtempSync(join(tmpdir(), 'spool-test-cert-'));
  try {
    const [key, request, cert] = ['key.pem', 'request.pem', 'cert.pem'].map((name) => join(directory, name));
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
    const extension = ['-addext', `subjectAltName=${names}`];
    const subject = ['-subj', '/CN=spool test', ...extension];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    openssl('req', '-new', ...curve, ...subject, '-keyout', `${key}`, '-out', `${request}`);
    const signing = ['-signkey', `${key}`, '-copy_extensions', 'copyall', '-days', `${days}`];
    openssl('x509', '-req', '-in', `${request}`, ...signing, '-out', `${cert}`);
    return { key: readFileSync(`${key}`, 'utf8'), cert: readFileSync(`${cert}`, 'utf8') };
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
