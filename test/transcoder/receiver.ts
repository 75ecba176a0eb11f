import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Report, report, WIRE_VERSION } from '../../schema/task/wire.ts';
import { signatureIsValid } from '../fixtures/signature-is-valid.ts';

export interface Received {
  report: Report;
  id: string;
  /** Milliseconds since the process began. */
  at: number;
  status: number;
}

export interface Receiver {
  url: (name: string) => string;
  /** What has come in at `url(name)`, in order. */
  received: (name: string) => Received[];
  /** Decides the status of the answers at `url(name)`; 200 unless told. */
  answer: (name: string, status: (report: Report, nth: number) => number) => void;
  /** Resolves with the first report of this type. */
  first: <T extends Report['type']>(name: string, type: T) => Promise<Extract<Report, { type: T }>>;
  close: () => Promise<void>;
}

export const CALLBACK_SECRET = 'callback-secret-callback-secret-callback';

/** Takes reports as the Worker does: only signed ones, and only those that parse. */
export async function startReceiver(): Promise<Receiver> {
  const all = new Map<string, Received[]>();
  const statuses = new Map<string, (report: Report, nth: number) => number>();
  let changed = Promise.withResolvers<void>();
  const of = (name: string) => all.get(name) ?? [];

  const server = createServer(async (request, response) => {
    const name = request.url?.slice(1) ?? '';
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const header = (key: string) => request.headers[key]?.toString();
    const parsed = report.safeParse(JSON.parse(text));
    if (!(await signatureIsValid(CALLBACK_SECRET, header, text)) || !parsed.success) {
      response.writeHead(401).end();
      return;
    }
    const before = of(name);
    const status =
      statuses.get(name)?.(
        parsed.data,
        before.filter((each) => each.report.type === parsed.data.type).length,
      ) ?? 200;
    const id = header('webhook-id') ?? '';
    all.set(name, [...before, { report: parsed.data, id, at: performance.now(), status }]);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ v: WIRE_VERSION, accepted: status === 200 }));
    changed.resolve();
    changed = Promise.withResolvers();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    received: of,
    answer: (name, status) => void statuses.set(name, status),
    async first(name, type) {
      for (;;) {
        const next = changed.promise;
        const found = of(name).find((each) => each.report.type === type);
        if (found) return found.report as Extract<Report, { type: typeof type }>;
        await next;
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
