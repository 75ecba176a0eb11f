import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { resolveHost } from '../../../worker/lib/resolve-host.ts';

const [NOERROR, SERVFAIL, NXDOMAIN, REFUSED] = [0, 2, 3, 5];

let close = () => {};
afterEach(() => close());

/** A DNS server over HTTPS, here without TLS, that knows an IPv4 address and ends questions for IPv6 with a status. */
async function serverWith(status: number): Promise<string> {
  const server = createServer((request, response) => {
    const ipv4 = new URL(request.url ?? '', 'http://dns').searchParams.get('type') === 'A';
    const found = { Status: NOERROR, Answer: [{ type: 1, data: '192.0.2.1' }] };
    response.end(JSON.stringify(ipv4 ? found : { Status: status }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => void server.close();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/dns-query`;
}

test.each([NOERROR, NXDOMAIN])('a name without IPv6 addresses has its others: %i', async (status) => {
  expect(await resolveHost(await serverWith(status), 'a.example')).toEqual(['192.0.2.1']);
});

test.each([SERVFAIL, REFUSED])('a name of which half cannot be resolved is not known: %i', async (status) => {
  await expect(resolveHost(await serverWith(status), 'a.example')).rejects.toThrow(`${status}`);
});
