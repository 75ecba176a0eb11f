import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import type { ErrorCode } from '../../schema/errors.ts';
import { forbiddenIpv4, forbiddenIpv6, forbiddenSuffixes, globalIpv6 } from './blocks.ts';

export interface GuardRules {
  /** Origins that are exempt: loopback, for development. */
  devOrigins: ReadonlySet<string>;
  /** Hosts of this service itself, which are no sources. */
  ownHosts: ReadonlySet<string>;
}

export type Verdict =
  | { allowed: true; url: URL; development: boolean }
  | {
      allowed: false;
      code: Extract<ErrorCode, 'source_forbidden' | 'source_not_https'>;
      detail: string;
    };

const forbidden4 = new BlockList();
for (const [net, prefix] of forbiddenIpv4) forbidden4.addSubnet(net, prefix, 'ipv4');
const global6 = new BlockList();
global6.addSubnet(...globalIpv6, 'ipv6');
const forbidden6 = new BlockList();
for (const [net, prefix] of forbiddenIpv6) forbidden6.addSubnet(net, prefix, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an address is public unicast. What is not known to be is not. */
export function addressIsPublic(address: string): boolean {
  if (isIPv4(address)) return !forbidden4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return global6.check(address, 'ipv6') && !forbidden6.check(address, 'ipv6') && !isIsatap(address);
}

export function addressIsLoopback(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Whether a connection for this verdict may go to this address. */
export function addressIsAllowed(address: string, verdict: { development: boolean }): boolean {
  return verdict.development ? addressIsLoopback(address) : addressIsPublic(address);
}

/** Judges a URL by its text alone; the addresses of its host are judged when they are known. */
export function judgeUrl(text: string, rules: GuardRules): Verdict {
  const [beforeQuery = ''] = text.split(/[?#]/, 1);
  if (text.length > 4096 || /[\s\\]/.test(beforeQuery) || hasControl(text) || !URL.canParse(text)) {
    return refuse('The URL is not well formed');
  }
  const url = new URL(text);
  const development = rules.devOrigins.has(url.origin);
  if (url.protocol !== 'https:' && !(development && url.protocol === 'http:')) {
    return { allowed: false, code: 'source_not_https', detail: 'The URL is not https' };
  }
  if (!/^https?:\/\/[^/]/i.test(text)) return refuse('The URL is not well formed');
  if (url.username || url.password) return refuse('The URL holds user information');
  if (development) return { allowed: true, url, development };
  if (url.port !== '') return refuse('The URL names a port other than 443');
  return judgeHost(url.hostname, rules) ?? { allowed: true, url, development };
}

function judgeHost(hostname: string, rules: GuardRules): Verdict | null {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(literal)) return addressIsPublic(literal) ? null : refuse('The address is not public');
  if (host.length > 253 || !host.includes('.') || host.includes('..'))
    return refuse('The host is not public');
  if (forbiddenSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))) {
    return refuse('The host is not public');
  }
  return rules.ownHosts.has(host) ? refuse('The host is this service itself') : null;
}

function refuse(detail: string): Verdict {
  return { allowed: false, code: 'source_forbidden', detail };
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** RFC 5214: an interface id of 0000:5efe or 0200:5efe carries an IPv4 address. */
function isIsatap(address: string): boolean {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return groups[5] === '5efe' && (groups[4] === '0' || groups[4] === '200');
}
