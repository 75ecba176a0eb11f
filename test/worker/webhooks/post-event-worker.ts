import { postEvent } from '../../../worker/lib/post-event.ts';

/** A Worker that does nothing but send an event, for tests of what comes back over the real network of workerd. */
export default {
  async fetch(request: Request): Promise<Response> {
    const { url, body } = JSON.parse(await request.text());
    return Response.json(await postEvent(new URL(url), { 'webhook-id': 'evt_1' }, body, 3000));
  },
};
