import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../worker/env.ts';

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

  it('refuse development origins in production', () => {
    const origins = { SPOOL_DEV_ORIGINS: 'http://127.0.0.1:9000, http://localhost:9001' };
    expect(() => read({ ...good, ...origins })).toThrow(/^SPOOL_DEV_ORIGINS: not allowed in production/);
    expect(read({ ...good, ...origins, SPOOL_ENV: 'development' }).SPOOL_DEV_ORIGINS).toEqual([
      'http://127.0.0.1:9000',
      'http://localhost:9001',
    ]);
  });

  it('refuse to look up receivers without TLS in production', () => {
    const plain = { WEBHOOK_DNS_URL: 'http://127.0.0.1:9000/dns-query' };
    expect(() => read({ ...good, ...plain })).toThrow(/^WEBHOOK_DNS_URL: must be https in production/);
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
});
