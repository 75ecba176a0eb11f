import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressIsPublic } from '../../../guard/address.ts';
import { judgeUrl } from '../../../guard/url.ts';
import { globalUnicastIpv6, specialIpv4, specialIpv6 } from './special-purpose-blocks.ts';

const rules = { devOrigins: new Set<string>(), ownHosts: new Set<string>() };
/** The two the guard refuses beside the registries: Azure's platform, and interface ids that carry IPv4 (RFC 5214). */
const beside = (address: string) =>
  address === '168.63.129.16' || /^(?:\w+:){4}(?:0|200):5efe:/.test(address);

const ipv4Text = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
const ipv6Text = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':');

const bytesOf = (text: string, bits: number): number[] => {
  if (bits === 32) return text.split('.').map(Number);
  const [head = '', tail = ''] = text.split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  return [...groups(head), ...zeros, ...groups(tail)]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255]);
};

/** Random addresses inside a block: its bits up to the prefix, any others behind. */
const inside = ([block, prefix]: readonly [string, number, ...unknown[]], bits: 32 | 128) => {
  const fixed = bytesOf(block, bits);
  return fc.uint8Array({ minLength: bits / 8, maxLength: bits / 8 }).map((random) => {
    const bytes = [...random].map((value, index) => {
      const kept = Math.min(8, Math.max(0, prefix - index * 8));
      const mask = (0xff00 >> kept) & 0xff;
      return ((fixed[index] ?? 0) & mask) | (value & ~mask & 0xff);
    });
    if (bits === 32) return bytes.join('.');
    return ipv6Text(
      Array.from({ length: 8 }, (_, n) => ((bytes[2 * n] ?? 0) << 8) | (bytes[2 * n + 1] ?? 0)),
    );
  });
};

const literal = (address: string) => (address.includes(':') ? `[${address}]` : address);
const refused = (address: string) =>
  !addressIsPublic(address) && !judgeUrl(`https://${literal(address)}/`, rules).allowed;

describe.each([
  ...specialIpv4.map(([block, prefix, name]) => ({ block, prefix, name, bits: 32 as const })),
  ...specialIpv6.map(([block, prefix, name]) => ({ block, prefix, name, bits: 128 as const })),
])('$block/$prefix, $name', ({ block, prefix, bits }) => {
  test('is refused wherever one looks into it', () => {
    fc.assert(
      fc.property(inside([block, prefix], bits), (address) => {
        expect(refused(address), address).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

test('IPv4 outside of every block is public', () => {
  const special = new BlockList();
  for (const [block, prefix] of specialIpv4) special.addSubnet(block, prefix, 'ipv4');
  const anywhere = fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(ipv4Text);
  fc.assert(
    fc.property(
      anywhere.filter((address) => !special.check(address, 'ipv4') && !beside(address)),
      (address) => {
        expect(refused(address), address).toBe(false);
      },
    ),
    { numRuns: 3000 },
  );
});

test('IPv6 is public in global unicast outside of every block, and nowhere else', () => {
  const special = new BlockList();
  for (const [block, prefix] of specialIpv6) special.addSubnet(block, prefix, 'ipv6');
  const group = fc.integer({ min: 0, max: 0xffff });
  const anywhere = fc.array(group, { minLength: 8, maxLength: 8 }).map(ipv6Text);
  const global = inside(globalUnicastIpv6, 128);
  const unicast = new BlockList();
  unicast.addSubnet(...globalUnicastIpv6, 'ipv6');
  fc.assert(
    fc.property(
      fc.oneof(global, anywhere).filter((address) => !beside(address)),
      (address) => {
        const open = unicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
        expect(refused(address), address).toBe(!open);
      },
    ),
    { numRuns: 3000 },
  );
});

test('an IPv4 address that is refused is refused in every dress that IPv6 has for it', () => {
  const forbidden = fc.oneof(...specialIpv4.map((row) => inside(row, 32)));
  fc.assert(
    fc.property(forbidden, (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const [high, low] = [(a << 8) | b, (c << 8) | d].map((part) => part.toString(16));
      for (const dressed of [
        `::ffff:${address}`,
        `::${address}`,
        `::ffff:0:${address}`,
        `64:ff9b::${address}`,
        `64:ff9b:1::${address}`,
        `2002:${high}:${low}::1`,
        `2001::${high}:${low}`,
        `2606:4700::5efe:${high}:${low}`,
        `2606:4700::200:5efe:${high}:${low}`,
        `fe80::5efe:${high}:${low}`,
      ]) {
        expect(refused(dressed), dressed).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});
