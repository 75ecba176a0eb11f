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
