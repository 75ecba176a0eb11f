import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../client/cli/exit-codes.ts';
import { errorText, reportOf } from '../../../client/cli/report-error.ts';
import { Spool } from '../../../client/src/index.ts';
import {
  type Certificate,
  makeCertificate,
  type Origin,
  startOrigin,
} from '../../transcoder/sources/origin.ts';

const trusted = getCACertificates('default');
const origins: Origin[] = [];
afterEach(async () => {
  setDefaultCACertificates(trusted);
  for (const origin of origins.splice(0)) await origin.close();
});
afterAll(() => setDefaultCACertificates(trusted));

/** The address of a server that speaks TLS. */
async function secureAt(certificate: Certificate, isTrusted: boolean): Promise<string> {
  if (isTrusted) setDefaultCACertificates([...trusted, certificate.cert]);
  const origin = await startOrigin((_, response) => void response.end('{}'), certificate);
  origins.push(origin);
  return origin.url;
}

async function plainAt(): Promise<string> {
  const origin = await startOrigin((_, response) => void response.end('{}'));
  origins.push(origin);
  return origin.url;
}

async function closedAt(): Promise<string> {
  const { url, close } = await startOrigin(() => undefined);
  await close();
  return url;
}

const faults: Record<string, [at: () => Promise<string>, fix: RegExp]> = {
  'its name is unknown': [async () => 'https://nowhere.invalid', /No server is known by this name\./],
  'nothing listens': [closedAt, /Nothing listens there\./],
  'nothing listens at any of its addresses': [
    async () => (await closedAt()).replace('127.0.0.1', 'localhost'),
    /Nothing listens there\./,
  ],
  'its certificate is its own': [() => secureAt(makeCertificate(), false), /set NODE_EXTRA_CA_CERTS to/],
  'its certificate has expired': [() => secureAt(makeCertificate({ days: -1 }), true), /has expired/],
  'its certificate is for another name': [
    () => secureAt(makeCertificate({ names: 'DNS:other.example.com' }), true),
    /is for another name/,
  ],
  'it speaks no TLS': [async () => (await plainAt()).replace('http:', 'https:'), /begins with http:/],
};

describe('a service that cannot be reached because', () => {
  it.each(Object.entries(faults))('%s: the error says what can be done', async (_, [at, fix]) => {
    const baseUrl = await at();
    const error = await new Spool({ baseUrl, apiKey: 'key', retries: 0 }).account().catch((cause) => cause);
    expect(reportOf(error, baseUrl)).toMatchObject({
      code: 'ConnectionError',
      detail: `${baseUrl} cannot be reached.`,
      fix: expect.stringMatching(fix),
    });
    expect(exitCodeOf(error)).toBe(6);
  });

  it('it breaks off the connection: nothing is made up', async () => {
    const origin = await startOrigin((request) => void request.socket.destroy());
    origins.push(origin);
    const spool = new Spool({ baseUrl: origin.url, apiKey: 'key', retries: 0 });
    const error = await spool.account().catch((cause) => cause);
    expect(errorText(error, origin.url)).toBe(
      `error: ${origin.url} cannot be reached.\n  code  ConnectionError\n`,
    );
  });
});
