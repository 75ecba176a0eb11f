import type { Fault } from '../fault.ts';

const guard = 'test/pure/guard/guard.test.ts';
const registries = 'test/pure/guard/guard-registries.test.ts';
const forbidden = { file: guard, name: '%j is forbidden' };
const notPublic = { file: guard, name: '%j is not' };

/** What a URL may say, which addresses are public, and what development may do beyond that. */
export const addresses: readonly Fault[] = [
  {
    guard: 'Only `https://`',
    file: 'guard/url.ts',
    find: "if (url.protocol !== 'https:' && !(development && url.protocol === 'http:')) {",
    plant: 'if (false) {',
    test: { file: guard, name: '%s is not https' },
  },
  {
    guard: 'to port 443',
    file: 'guard/url.ts',
    find: "if (url.port !== '')",
    plant: 'if (false)',
    test: forbidden,
  },
  {
    guard: 'without user information',
    file: 'guard/url.ts',
    find: 'if (url.username || url.password)',
    plant: 'if (false)',
    test: { file: guard, name: 'a development origin is exact: its scheme, host and port' },
  },
  {
    guard: 'a name with a dot',
    file: 'guard/url.ts',
    find: 'labels.length > 1 && ',
    plant: '',
    test: forbidden,
  },
  {
    guard: 'not a name of this service',
    file: 'guard/url.ts',
    find: 'if (rules.ownHosts.has(host))',
    plant: 'if (false)',
    test: forbidden,
  },
  {
    guard: 'an address is refused unless it is known to be public',
    file: 'guard/url.ts',
    find: ' || host.endsWith(`.${suffix}`)',
    plant: '',
    test: forbidden,
  },
  {
    guard: 'or a public IP address',
    file: 'guard/url.ts',
    find: "return addressIsPublic(literal) ? null : refuse('The address in the URL is not public.');",
    plant: 'return null;',
    test: forbidden,
  },
  {
    guard: '`guard/blocks.ts` is the only list of blocks',
    file: 'guard/blocks.ts',
    find: "  ['169.254.0.0', 16],\n",
    plant: '',
    test: notPublic,
  },
  {
    guard: '`guard/blocks.ts` is the only list of blocks',
    file: 'guard/blocks.ts',
    find: "  ['168.63.129.16', 32],\n",
    plant: '',
    test: notPublic,
  },
  {
    guard: '`guard/blocks.ts` is the only list of blocks',
    file: 'guard/blocks.ts',
    find: "  ['198.18.0.0', 15],\n",
    plant: '',
    test: { file: registries, name: 'is refused wherever one looks into it' },
  },
  {
    guard: '`guard/blocks.ts` is the only list of blocks',
    file: 'guard/blocks.ts',
    find: "  ['2002::', 16],\n",
    plant: '',
    test: {
      file: registries,
      name: 'an IPv4 address that is refused is refused in every dress that IPv6 has for it',
    },
  },
  {
    guard: '`guard/blocks.ts` is the only list of blocks',
    file: 'guard/address.ts',
    find: 'net.value >> host === address.value >> host',
    plant: 'net.value === address.value',
    test: { file: guard, name: 'over all of IPv4, public means outside every block, as node:net sees them' },
  },
  {
    guard: 'IPv6 addresses must also be in global unicast',
    file: 'guard/address.ts',
    find: 'contains(global6, address) && ',
    plant: '',
    test: { file: guard, name: 'IPv6 outside 2000::/3 or inside a block is never public' },
  },
  {
    guard: 'an address is refused unless it is known to be public',
    file: 'guard/address.ts',
    find: ' && !isIsatap(address)',
    plant: '',
    test: notPublic,
  },
  {
    guard: 'the exact loopback origins',
    file: 'guard/url.ts',
    find: 'rules.devOrigins.has(url.origin)',
    plant: '[...rules.devOrigins].some((origin) => new URL(origin).hostname === url.hostname)',
    test: { file: guard, name: 'a development origin is exact: its scheme, host and port' },
  },
  {
    guard: 'the exact loopback origins',
    file: 'guard/dev-origins.ts',
    find: "const loopback = hostname === 'localhost' || addressIsLoopback(hostname.replace(/^\\[|\\]$/g, ''));",
    plant: 'const loopback = hostname !== "";',
    test: {
      file: 'test/pure/worker/config.test.ts',
      name: 'take no development origin but an exact one of loopback: not %s',
    },
  },
  {
    guard: 'With either of them set, production does not start',
    file: 'worker/env.ts',
    find: "if (checked.SPOOL_ENV === 'production' && checked.SPOOL_DEV_ORIGINS.length > 0) {",
    plant: 'if (false) {',
    test: { file: 'test/pure/worker/config.test.ts', name: 'refuse development origins in production' },
  },
  {
    guard: 'With either of them set, production does not start',
    file: 'transcoder/env.ts',
    find: '[variables.devOrigins, variables.devDns]',
    plant: '[variables.devOrigins]',
    test: { file: 'test/transcoder/env.test.ts', name: 'production refuses to start with %s' },
  },
];
