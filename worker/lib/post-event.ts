import packageJson from '../../package.json' with { type: 'json' };
import type { DeliveryError } from '../../schema/api/webhook.ts';

export interface Answer {
  /** Null if it was received. */
  error: DeliveryError | null;
  /** HTTP status; null if there was no response. */
  statusCode: number | null;
}

/** Sends an event to its receiver. Redirects are not followed, because they would bypass the address guard. */
export async function postEvent(
  url: URL,
  headers: Record<string, string>,
  body: string,
  limitMs: number,
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': `Spool-Webhooks/${packageJson.version}`,
        ...headers,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    });
    // The response body is not needed, may be endless, and may break off.
    await response.body?.cancel().catch(() => undefined);
    return { error: errorOf(response.status), statusCode: response.status };
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    return { error: late ? 'timed_out' : 'unreachable', statusCode: null };
  }
}

function errorOf(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirected';
  return status === 410 ? 'gone' : 'http_error';
}
