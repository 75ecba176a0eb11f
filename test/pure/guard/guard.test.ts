import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressIsLoopback, addressIsPublic } from '../../../guard/address.ts';
import { forbiddenIpv4, forbiddenIpv6 } from '../../../guard/blocks.ts';
import { judgeUrl } from '../../../guard/url.ts';

const strict = { devOrigins: new Set<string>(), ownHosts: new Set(['api.spool.example.com']) };

const verdictOf = (url: string, rules = strict) => {
  const verdict = judgeUrl(url, rules);
  return verdict.allowed ? 'allowed' : verdict.code;
};

describe('a URL is judged by its text', () => {
  test.each([
    'https://media.example.com/talk.mp4',
    'HTTPS://Media.Example.COM/a%20b.mp4?x=1#t=2',
    'https://media.example.com:443/talk.mp4',
    'https://media.example.com./talk.mp4',
    'https://93.184.216.34/talk.mp4',
    'https://[2606:4700::1111]/talk.mp4',
    'https://münchen.example.com/talk.mp4',
    'https://media.example.com/talk.mp4?path=a\\b',
  ])('%s is allowed', (url) => {
    expect(verdictOf(url)).toBe('allowed');
  });

  test.each([
    'http://media.example.com/talk.mp4',
    'ftp://media.example.com/a.mp4',
    'file:///etc/passwd',
    'gopher://media.example.com/',
    'data:video/mp4;base64,AAAA',
    'javascript:alert(1)',
    'blob:https://media.example.com/1',
    'rtsp://media.example.com/a',
    'rtmp://media.example.com/a',
    'concat:https://media.example.com/a.mp4|b.mp4',
    'http://127.0.0.1:8787/sample.mp4',
  ])('%s is not https', (url) => {
    expect(verdictOf(url)).toBe('source_not_https');
  });

  test.each([
    '',
    ' ',
    'talk.mp4',
    '//media.example.com/a.mp4',
    'subfile,,start,0,end,9,,:/etc/passwd',
    'https:/\\evil.example.com',
    'https:media.example.com',
    'https:///media.example.com',
    'https://media.example.com/a b.mp4',
    ' https://media.example.com/a.mp4',
    'https://media.example.com/a.mp4\n',
    'https://media.example.com/\u0000',
    'https://127.0.0.1:80\\@example.com/',
    `https://media.example.com/${'a'.repeat(10_000)}`,
    'https://user:pass@media.example.com/',
    'https://media.example.com@127.0.0.1/',
    'https://media.example.com:22/',
    'https://media.example.com:8443/',
    'https://singlelabel/',
    `https://${'a.'.repeat(130)}example.com/`,
    'https://localhost/',
    'https://localhost./',
    'https://localhost../',
    'https://127.0.0.1../',
    'https://media..example.com/',
    'https://media.example.com,127.0.0.1/',
    `https://${'a'.repeat(64)}.example.com/`,
    'https://LOCALHOST/',
    'https://loc%61lhost/',
    'https://foo.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://nas.home.arpa/',
    'https://router.lan/',
    'https://abc.onion/',
    'https://api.spool.example.com/task/1/download',
    'https://API.spool.example.com./task/1/download',
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://１２７.０.０.１/',
    'https://169.254.169.254/latest/meta-data/',
    'https://168.63.129.16/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1%25eth0]/',
  ])('%j is forbidden', (url) => {
    expect(verdictOf(url)).toBe('source_forbidden');
  });

  test('a development origin is exact: its scheme, host and port', () => {
    const rules = { ...strict, devOrigins: new Set(['http://127.0.0.1:9000', 'https://localhost:9443']) };
    expect(verdictOf('http://127.0.0.1:9000/a.mp4', rules)).toBe('allowed');
    expect(verdictOf('https://localhost:9443/a.mp4', rules)).toBe('allowed');
    expect(verdictOf('http://127.0.0.1:9001/a.mp4', rules)).toBe('source_not_https');
    expect(verdictOf('http://localhost:9000/a.mp4', rules)).toBe('source_not_https');
    expect(verdictOf('https://127.0.0.1:9000/a.mp4', rules)).toBe('source_forbidden');
    expect(verdictOf('http://user@127.0.0.1:9000/a.mp4', rules)).toBe('source_forbidden');
  });
});

describe('an address is public only where it is known to be', () => {
  test.each([
    '1.1.1.1',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '168.63.129.17',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
    '2001:4860:4860::8888',
    '2606:4700::5efe:1:2:3',
  ])('%s is public', (address) => {
    expect(addressIsPublic(address)).toBe(true);
  });

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.100.100.200',
    '127.0.0.1',
    '168.63.129.16',
    '169.254.169.254',
    '169.254.170.2',
    '172.16.0.1',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::a00:1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    '2002:7f00:1::',
    '2620:4f:8000::1',
    '3fff::1',
    '2606:4700::5efe:7f00:1',
    '2606:4700::200:5efe:7f00:1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'fec0::1',
    'ff02::1',
    '',
    'example.com',
    '1.2.3',
    '1.2.3.256',
    '08.8.8.8',
    '[2606:4700::1111]',
    '2606:4700:::1',
  ])('%j is not', (address) => {
    expect(addressIsPublic(address)).toBe(false);
  });

  test('loopback is 127.0.0.0/8 and ::1 alone', () => {
    expect(['127.0.0.1', '127.255.255.254', '::1'].every(addressIsLoopback)).toBe(true);
    expect(['128.0.0.1', '126.255.255.255', '::2', '10.0.0.1', 'localhost', ''].some(addressIsLoopback)).toBe(
      false,
    );
  });

  test('over all of IPv4, public means outside every block, as node:net sees them', () => {
    const blocked = new BlockList();
    for (const [net, prefix] of forbiddenIpv4) blocked.addSubnet(net, prefix, 'ipv4');
    const number = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    const text = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
    const edges = forbiddenIpv4.flatMap(([net, prefix]) => [
      number(net),
      number(net) + 2 ** (32 - prefix) - 1,
    ]);
    const nearEdges = fc
      .tuple(fc.constantFrom(...edges), fc.integer({ min: -2, max: 2 }))
      .map(([edge, step]) => Math.min(2 ** 32 - 1, Math.max(0, edge + step)));
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), nearEdges), (value) => {
        expect(addressIsPublic(text(value)), text(value)).toBe(!blocked.check(text(value), 'ipv4'));
      }),
      { numRuns: 3000 },
    );
  });

  test('IPv6 outside 2000::/3 or inside a block is never public', () => {
    const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
    const hex = (parts: number[]) => parts.map((part) => part.toString(16)).join(':');
    const prefixes = forbiddenIpv6.map(([net, prefix]) => {
      const parts = net
        .split(':')
        .filter(Boolean)
        .map((part) => Number.parseInt(part, 16));
      return { parts: [...parts, ...Array<number>(8 - parts.length).fill(0)], prefix };
    });
    const within = fc.tuple(fc.constantFrom(...prefixes), groups).map(([{ parts, prefix }, random]) =>
      random.map((value, index) => {
        const kept = Math.min(16, Math.max(0, prefix - index * 16));
        const mask = (0xffff << (16 - kept)) & 0xffff;
        return ((parts[index] ?? 0) & mask) | (value & ~mask & 0xffff);
      }),
    );
    fc.assert(
      fc.property(within, (parts) => {
        expect(addressIsPublic(hex(parts)), hex(parts)).toBe(false);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(
        groups.filter(([first = 0]) => first >> 13 !== 1),
        (parts) => {
          expect(addressIsPublic(hex(parts)), hex(parts)).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
