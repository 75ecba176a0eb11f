import { z } from 'zod';

const TIMEOUT_MS = 3000;
/** RFC 1035, 3.2.2, and RFC 3596, 2.1. */
const TYPES = { A: 1, AAAA: 28 } as const;

/** RFC 1035, 4.1.1. */
const [NOERROR, NXDOMAIN] = [0, 3];

/** https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/ */
const answerSchema = z.object({
  Status: z.number(),
  Answer: z.array(z.object({ type: z.number(), data: z.string() })).default([]),
});

/**
 * Resolves a host name to all its addresses through DNS over HTTPS with JSON answers. Such a server does not know the names of
 * private networks. Throws unless it answers for both address types.
 */
export async function resolveHost(server: string, host: string): Promise<string[]> {
  const answers = await Promise.all(Object.entries(TYPES).map((kind) => ask(server, host, kind)));
  return answers.flat();
}

async function ask(server: string, host: string, [name, type]: [string, number]): Promise<string[]> {
  const response = await fetch(`${server}?${new URLSearchParams({ name: host, type: name })}`, {
    headers: { accept: 'application/dns-json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = answerSchema.parse(await response.json());
  if (answer.Status !== NOERROR && answer.Status !== NXDOMAIN)
    throw new Error(`DNS answers ${answer.Status}`);
  return answer.Answer.filter((record) => record.type === type).map(({ data }) => data);
}
