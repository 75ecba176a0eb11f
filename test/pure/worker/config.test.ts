import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { variables } from '../../../transcoder/env.ts';
import { readConfig, settings } from '../../../worker/env.ts';

const good = {
  PUBLIC_URL: 'https://spool.example.com',
  KEY_PEPPER: 'p'.repeat(32),
  SIGNING_SECRET: 's'.repeat(32),
  TRANSCODER_SECRET: 't'.repeat(32),
};
const read = (vars: Record<string, string>) => readConfig({ ...vars });

describe("the Worker's settings", () => {
  it('fill in what is left out', () => {
    expect(read(good)).toMatchObject({ SPOOL_ENV: 'production', TRANSCODER_URL: '', SPOOL_DEV_ORIGINS: [] });
  });

  it('name the variable that is missing or wrong', () => {
    const { KEY_PEPPER: _, ...without } = good;
    expect(() => read(without)).toThrow(/^KEY_PEPPER: /);
    expect(() => read({ ...good, SIGNING_SECRET: 'short' })).toThrow(/^SIGNING_SECRET: .*32/);
    expect(() => read({ ...good, PUBLIC_URL: 'https://spool.example.com/' })).toThrow(/^PUBLIC_URL: /);
    expect(() => read({ ...good, SPOOL_ENV: 'staging' })).toThrow(/^SPOOL_ENV: /);
  });

  it.each([
    ['SPOOL_ENV', 'staging', 'SPOOL_ENV: must be development or production; it is "staging"'],
    [
      'TRANSCODER_SLEEP_SECONDS',
      '4',
      'TRANSCODER_SLEEP_SECONDS: must be a whole number from 5 to 3600; it is "4"',
    ],
    ['MAX_INSTANCES', 'many', 'MAX_INSTANCES: must be a whole number from 1 to 10000; it is "many"'],
    ['WEBHOOK_DNS_URL', 'dns', 'WEBHOOK_DNS_URL: must be an http or https URL; it is "dns"'],
    [
      'KEY_PEPPER',
      'short',
      'KEY_PEPPER: must be at least 32 characters; the value is not shown because it is secret',
    ],
  ])('say of a wrong %s what it is, unless it is secret, and what is allowed', (name, value, message) => {
    expect(() => read({ ...good, [name]: value })).toThrow(message);
  });

  it('of a speech API are complete or empty', () => {
    const url = { SPEECH_API_URL: 'http://10.0.0.5:8000' };
    const model = { SPEECH_API_TRANSCRIPTION_MODEL: 'whisper-1' };
    expect(() => read({ ...good, ...url })).toThrow(/one must be set, because SPEECH_API_URL is$/);
    expect(() => read({ ...good, ...model })).toThrow(/^SPEECH_API_URL: must be set/);
    expect(read({ ...good, ...url, ...model })).toMatchObject({
      ...url,
      ...model,
      SPEECH_API_VOICE: 'alloy',
    });
  });

  it('that the transcoder has too are passed to containers', () => {
    const source = readFileSync('worker/container/transcoder.ts', 'utf8');
    const shared = Object.values(variables).filter(({ env }) => env in settings);
    expect(shared.length).toBeGreaterThan(10);
    for (const { env } of shared) expect(source, env).toContain(`${env}: config.${env}`);
  });

  it('have a schema that says in plain words what it allows', () => {
    for (const [name, { schema }] of Object.entries(settings)) {
      const wrong = schema.safeParse('-1').error?.issues[0]?.message ?? 'allowed';
      if (!/^(S3_|SPOOL_DEV)/.test(name)) expect(wrong, name).not.toMatch(/^$|Invalid|expected/i);
    }
  });

  it('refuse development origins in production', () => {
    const origins = { SPOOL_DEV_ORIGINS: 'http://127.0.0.1:9000, http://localhost:9001' };
    expect(() => read({ ...good, ...origins })).toThrow(
      /^SPOOL_DEV_ORIGINS: must not be set unless SPOOL_ENV is development/,
    );
    expect(read({ ...good, ...origins, SPOOL_ENV: 'development' }).SPOOL_DEV_ORIGINS).toEqual([
      'http://127.0.0.1:9000',
      'http://localhost:9001',
    ]);
  });

  it('refuse to look up receivers without TLS in production', () => {
    const plain = { WEBHOOK_DNS_URL: 'http://127.0.0.1:9000/dns-query' };
    expect(() => read({ ...good, ...plain })).toThrow(
      /^WEBHOOK_DNS_URL: must be an https URL unless SPOOL_ENV is development/,
    );
    expect(() => read({ ...good, ...plain, SPOOL_ENV: 'development' })).not.toThrow();
  });

  it.each([
    'https://media.example.com',
    'http://10.0.0.1:9000',
    'http://*:80',
    'localhost:80',
    'http://127.0.0.1:80/path',
    'http://user@127.0.0.1:80',
    'ftp://127.0.0.1',
  ])('take no development origin but an exact one of loopback: not %s', (text) => {
    const env = { ...good, SPOOL_ENV: 'development', SPOOL_DEV_ORIGINS: text };
    expect(() => read(env)).toThrow(/^SPOOL_DEV_ORIGINS: /);
  });

  it('need both secrets of Stripe where accounts pay by it, and the real one in production', () => {
    const stripe = {
      BILLING: 'stripe',
      STRIPE_SECRET_KEY: 'rk_live_0123456789abcdef',
      STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
    };
    expect(read({ ...good, ...stripe })).toMatchObject({ BILLING: 'stripe', GRACE_DAYS: 7 });
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']) {
      expect(() => read({ ...good, ...stripe, [name]: '' })).toThrow('must be set with BILLING=stripe');
      expect(() => read({ ...good, ...stripe, [name]: 'pk_live_0123456789abcdef' })).toThrow(
        `${name}: must be`,
      );
    }
    const local = { ...good, ...stripe, STRIPE_API_URL: 'http://127.0.0.1:8790' };
    expect(() => read(local)).toThrow(/^STRIPE_API_URL: /);
    expect(read({ ...local, SPOOL_ENV: 'development' })).toMatchObject({
      STRIPE_API_URL: 'http://127.0.0.1:8790',
    });
    expect(() => read({ ...good, GRACE_DAYS: '61' })).toThrow(/^GRACE_DAYS: /);
  });
});
