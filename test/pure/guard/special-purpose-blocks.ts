/**
 * Address blocks that the IANA keeps for special purposes, as its registries have them, apart from the guard's own list:
 * https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry,
 * and the multicast space of https://www.iana.org/assignments/ipv4-address-space and
 * https://www.iana.org/assignments/ipv6-address-space. Read in November 2026.
 */
export const specialIpv4: readonly (readonly [block: string, prefix: number, name: string])[] = [
  ['0.0.0.0', 8, 'this network (RFC 791)'],
  ['0.0.0.0', 32, 'this host on this network (RFC 1122)'],
  ['10.0.0.0', 8, 'private use (RFC 1918)'],
  ['100.64.0.0', 10, 'shared address space (RFC 6598)'],
  ['127.0.0.0', 8, 'loopback (RFC 1122)'],
  ['169.254.0.0', 16, 'link local (RFC 3927)'],
  ['172.16.0.0', 12, 'private use (RFC 1918)'],
  ['192.0.0.0', 24, 'IETF protocol assignments (RFC 6890)'],
  ['192.0.0.0', 29, 'IPv4 service continuity prefix (RFC 7335)'],
  ['192.0.0.8', 32, 'IPv4 dummy address (RFC 7600)'],
  ['192.0.0.9', 32, 'port control protocol anycast (RFC 7723)'],
  ['192.0.0.10', 32, 'traversal using relays around NAT anycast (RFC 8155)'],
  ['192.0.0.170', 32, 'NAT64/DNS64 discovery (RFC 8880)'],
  ['192.0.0.171', 32, 'NAT64/DNS64 discovery (RFC 8880)'],
  ['192.0.2.0', 24, 'documentation TEST-NET-1 (RFC 5737)'],
  ['192.31.196.0', 24, 'AS112-v4 (RFC 7535)'],
  ['192.52.193.0', 24, 'AMT (RFC 7450)'],
  ['192.88.99.0', 24, 'deprecated 6to4 relay anycast (RFC 7526)'],
  ['192.88.99.2', 32, '6a44 relay anycast (RFC 6751)'],
  ['192.168.0.0', 16, 'private use (RFC 1918)'],
  ['192.175.48.0', 24, 'direct delegation AS112 service (RFC 7534)'],
  ['198.18.0.0', 15, 'benchmarking (RFC 2544)'],
  ['198.51.100.0', 24, 'documentation TEST-NET-2 (RFC 5737)'],
  ['203.0.113.0', 24, 'documentation TEST-NET-3 (RFC 5737)'],
  ['224.0.0.0', 4, 'multicast (RFC 5771)'],
  ['240.0.0.0', 4, 'reserved (RFC 1112)'],
  ['255.255.255.255', 32, 'limited broadcast (RFC 8190)'],
];

export const specialIpv6: typeof specialIpv4 = [
  ['::', 128, 'unspecified address (RFC 4291)'],
  ['::1', 128, 'loopback address (RFC 4291)'],
  ['::ffff:0:0', 96, 'IPv4-mapped addresses (RFC 4291)'],
  ['64:ff9b::', 96, 'IPv4-IPv6 translation (RFC 6052)'],
  ['64:ff9b:1::', 48, 'IPv4-IPv6 translation (RFC 8215)'],
  ['100::', 64, 'discard-only address block (RFC 6666)'],
  ['100:0:0:1::', 64, 'dummy IPv6 prefix (RFC 9780)'],
  ['2001::', 23, 'IETF protocol assignments (RFC 2928)'],
  ['2001::', 32, 'TEREDO (RFC 4380)'],
  ['2001:1::1', 128, 'port control protocol anycast (RFC 7723)'],
  ['2001:1::2', 128, 'traversal using relays around NAT anycast (RFC 8155)'],
  ['2001:1::3', 128, 'DNS-SD service registration protocol anycast (RFC 9665)'],
  ['2001:2::', 48, 'benchmarking (RFC 5180)'],
  ['2001:3::', 32, 'AMT (RFC 7450)'],
  ['2001:4:112::', 48, 'AS112-v6 (RFC 7535)'],
  ['2001:10::', 28, 'deprecated ORCHID (RFC 4843)'],
  ['2001:20::', 28, 'ORCHIDv2 (RFC 7343)'],
  ['2001:30::', 28, 'drone remote ID protocol entity tags (RFC 9374)'],
  ['2001:db8::', 32, 'documentation (RFC 3849)'],
  ['2002::', 16, '6to4 (RFC 3056)'],
  ['2620:4f:8000::', 48, 'direct delegation AS112 service (RFC 7534)'],
  ['3fff::', 20, 'documentation (RFC 9637)'],
  ['5f00::', 16, 'segment routing SIDs (RFC 9602)'],
  ['fc00::', 7, 'unique local (RFC 4193)'],
  ['fe80::', 10, 'link-local unicast (RFC 4291)'],
  ['fec0::', 10, 'deprecated site-local unicast (RFC 3879)'],
  ['ff00::', 8, 'multicast (RFC 4291)'],
];

/** The only part of IPv6 that is given out as global unicast (RFC 4291, 2.4). */
export const globalUnicastIpv6 = ['2000::', 3] as const;
