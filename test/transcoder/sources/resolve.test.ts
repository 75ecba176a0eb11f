import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolver } from '../../../transcoder/source/resolve-host.ts';
import { type NameServer, startNameServer } from '../../security/name-server.ts';

let server: NameServer;
beforeAll(async () => {
  server = await startNameServer({
    'media.example.com': { a: ['93.184.216.34'], aaaa: ['2606:4700::1111'] },
  });
});
afterAll(() => server.close());

test('a name has every address, of both kinds, that the name server says', async () => {
  const addresses = await resolver(server.address)('media.example.com');
  expect(addresses.toSorted()).toEqual(['2606:4700::1111', '93.184.216.34']);
});

test('names of the hosts file are unknown unless the name server knows them', async () => {
  const text = await readFile('/etc/hosts', 'utf8');
  const names = text
    .split('\n')
    .flatMap((line) => (line.split('#')[0] ?? '').trim().split(/\s+/).slice(1))
    .filter((name) => name !== 'localhost');
  for (const name of new Set([...names, 'unknown.example'])) {
    const found = await resolver(server.address)(name).catch(() => 'unknown');
    expect([name, found]).toEqual([name, 'unknown']);
    expect(server.asked(name.toLowerCase()), `${name} is asked for`).toBeGreaterThan(0);
  }
});
