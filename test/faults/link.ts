import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What happens to one exchange on its way; the reset of a connection is all that either side hears of it. */
export type Fault =
  /** The request never arrives. */
  | 'lost'
  /** Half of its body arrives. */
  | 'cut'
  /** It arrives and is acted upon; the answer never comes back. */
  | 'unanswered'
  /** It arrives twice, one copy after the other and perhaps elsewhere; the answer is that of the first. */
  | 'doubled'
  /** It never arrives and is answered 503, with a second to wait. */
  | 'unavailable'
  /** Half of its answer comes back, and then nothing more. */
  | 'stalled';

export interface Exchange {
  method: string;
  path: string;
  body: Buffer;
}

/** The network between two parts, as an HTTP proxy that the test can make lose what it carries. */
export interface Link {
  origin: string;
  /** While true nothing gets through, and what was under way is reset. */
  down: boolean;
  /** Decides about each exchange. */
  judge: (exchange: Exchange) => Fault | null;
  /** How often each fault has happened. */
  happened: Record<Fault, number>;
  close(): Promise<void>;
}

/** `target` names the origin that an exchange goes to; null where nobody is there: 502. */
export async function startLink(target: (exchange: Exchange) => string | null): Promise<Link> {
  const sockets = new Set<Socket>();
  // A connection to a process that was killed meanwhile would fail a request that is innocent.
  const agent = new Agent({ keepAlive: false });
  let down = false;
  const reset = () => {
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (body === null) return;
    const exchange = { method: request.method ?? 'GET', path: request.url ?? '/', body };
    const fault = link.judge(exchange);
    if (fault) link.happened[fault] += 1;
    const origin = target(exchange);
    if (origin === null) return void response.writeHead(502).end();
    if (fault === 'unavailable') return void response.writeHead(503, { 'retry-after': '1' }).end();
    if (fault === 'lost') return void request.socket.destroy();
    const passed = forward(origin, request, agent);
    passed.on('error', () => request.socket.destroy());
    response.once('close', () => passed.destroy());
    if (fault === 'cut') {
      passed.write(body.subarray(0, body.length / 2), () => passed.destroy());
      return;
    }
    passed.on('response', async (answer) => {
      if (fault === 'unanswered') return void answer.resume().once('end', () => request.socket.destroy());
      if (fault === 'doubled') await again(target(exchange), request, body, agent);
      if (fault === 'stalled') stall(answer, response);
      else relay(answer, response);
    });
    passed.end(body);
  });
  server.on('connection', (socket) => {
    if (down) return void socket.destroy();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const link: Link = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    judge: () => null,
    happened: { lost: 0, cut: 0, unanswered: 0, doubled: 0, unavailable: 0, stalled: 0 },
    get down() {
      return down;
    },
    set down(value) {
      down = value;
      if (down) reset();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        reset();
      }),
  };
  return link;
}

/** @returns null where the sender is gone before its end. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}

function forward(origin: string, { method, url, headers }: IncomingMessage, agent: Agent): ClientRequest {
  // The proxy has read the whole body, so nobody waits for a word to go on. The host stays: it is signed.
  const { expect: _, connection: __, ...rest } = headers;
  return send(new URL(url ?? '/', origin), { method, headers: rest, agent });
}

function again(origin: string | null, request: IncomingMessage, body: Buffer, agent: Agent): Promise<void> {
  return new Promise((resolve) => {
    if (origin === null) return resolve();
    const copy = forward(origin, request, agent);
    copy.on('error', () => resolve());
    copy.on('response', (answer) => answer.resume().once('close', resolve));
    copy.end(body);
  });
}

function relay(answer: IncomingMessage, response: ServerResponse): void {
  writeHead(answer, response);
  answer.on('error', () => response.destroy());
  answer.pipe(response);
}

/** Sends half of the first piece of the body; the connection stays open until the reader gives up. */
function stall(answer: IncomingMessage, response: ServerResponse): void {
  writeHead(answer, response);
  answer.once('data', (chunk: Buffer) => {
    response.write(chunk.subarray(0, chunk.length / 2));
    answer.pause();
  });
  response.once('close', () => answer.destroy());
}

function writeHead(answer: IncomingMessage, response: ServerResponse): void {
  const { 'transfer-encoding': _, connection: __, ...headers } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, headers);
}
