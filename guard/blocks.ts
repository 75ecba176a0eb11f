/**
 * Address ranges that are not public unicast.
 * Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries, https://www.iana.org/assignments/iana-ipv4-special-registry and
 * https://www.iana.org/assignments/iana-ipv6-special-registry (read 2026-11), multicast and reserved space of RFC 5771 and
 * RFC 1112, and 168.63.129.16, the metadata and DNS address inside Azure networks.
 */
export const forbiddenIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** All public IPv6 addresses lie inside this block; everything else is refused. */
export const globalIpv6 = ['2000::', 3] as const;

export const forbiddenIpv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

/** Names that are never a public host, including all their subdomains. */
export const forbiddenSuffixes = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'home.arpa',
  'lan',
  'onion',
  'test',
  'invalid',
] as const;
