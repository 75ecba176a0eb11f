import { DurableObject } from 'cloudflare:workers';
import { WIRE_VERSION } from '../../schema/task/wire.ts';
import type { Env } from '../../worker/bindings.ts';
import worker from '../../worker/index.ts';

export { Account, Fleet } from '../../worker/index.ts';

/** Requests that would have started a container, or kept it awake. */
let requests = 0;

/** In the place of the containers, which a test has none of. `GET /containers` says how often one was asked for anything. */
export class Transcoder extends DurableObject<Env> {
  override async fetch(): Promise<Response> {
    requests += 1;
    return Response.json({ v: WIRE_VERSION, accepted: true }, { status: 202 });
  }
}

export default {
  ...worker,
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== '/containers') return worker.fetch(request, env, ctx);
    return Response.json({ requests });
  },
} satisfies ExportedHandler<Env>;
