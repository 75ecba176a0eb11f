/** Text of Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
interface ServerEvent {
  id: string;
  event: string;
  /** Sent as one line of JSON. */
  data: unknown;
}

export const eventText = ({ id, event, data }: ServerEvent) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** How long a client waits before it reconnects. */
export const retryText = (ms: number) => `retry: ${ms}\n\n`;

/** A comment, which clients ignore and which keeps proxies from closing a silent connection. */
export const heartbeatText = ': heartbeat\n\n';

/** The response with a stream of events; 204 without one, after which clients do not reconnect. */
export function eventResponse(stream: ReadableStream<Uint8Array> | null): Response {
  if (!stream) return new Response(null, { status: 204 });
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream',
      // A proxy that caches, compresses or buffers the response would delay the events.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}
