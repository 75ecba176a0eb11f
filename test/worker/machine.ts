import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signatureHeaders } from '../../schema/api/signature.ts';
import { type Job, job as jobSchema, WIRE_VERSION } from '../../schema/task/wire.ts';
import { signatureIsValid } from '../fixtures/signature-is-valid.ts';
import { secrets } from '../harness.ts';
import { resultOf } from './stand-in.ts';

/** A transcoder with a fixed number of slots and no line of its own, which completes every task after a while. */
export class Machine {
  readonly jobs: Job[] = [];
  /** Dispatches that found every slot taken. */
  refused = 0;
  readonly #slots: number;
  readonly #ms: number;
  #busy = 0;
  #server: Server | null = null;

  constructor(slots: number, ms: number) {
    this.#slots = slots;
    this.#ms = ms;
  }

  /** @returns the port. */
  async listen(port = 0): Promise<number> {
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const header = (name: string) => request.headers[name]?.toString();
      const answer = (status: number, json: unknown) =>
        void response
          .writeHead(status, { 'content-type': 'application/json', connection: 'close' })
          .end(JSON.stringify(json));
      if (request.url === '/healthz') return answer(200, { status: 'ok' });
      if (!(await signatureIsValid(secrets.TRANSCODER_SECRET, header, body))) return answer(401, {});
      if (request.url !== '/tasks') return answer(200, { v: WIRE_VERSION, accepted: true });
      if (this.#busy === this.#slots) {
        this.refused += 1;
        return answer(503, {});
      }
      this.#busy += 1;
      const job = jobSchema.parse(JSON.parse(body));
      this.jobs.push(job);
      answer(202, { v: WIRE_VERSION, accepted: true, free: this.#slots - this.#busy, lined: false });
      await this.#work(job);
    });
    this.#server = server;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  async #work(job: Job): Promise<void> {
    await report(job, { type: 'progress', stage: 'fetching', progress_percent: 1, eta_seconds: null });
    await new Promise((resolve) => setTimeout(resolve, this.#ms));
    // As the transcoder does: the slot is free before the end is told.
    this.#busy -= 1;
    await report(job, { type: 'completed', result: resultOf(job, 'x') });
  }
}

async function report(job: Job, said: object): Promise<void> {
  const body = JSON.stringify({ v: WIRE_VERSION, ...said });
  const headers = await signatureHeaders(job.callback_secret, crypto.randomUUID(), body);
  await fetch(job.callback_url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
}
