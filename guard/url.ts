import { addressIsLoopback, addressIsPublic, isAddress } from './address.ts';
import { forbiddenSuffixes } from './blocks.ts';

export interface GuardRules {
  /** Exempt origins: loopback, for development. */
  devOrigins: ReadonlySet<string>;
  /** Hosts of this service itself, which may not be used as sources. */
  ownHosts: ReadonlySet<string>;
}

type Verdict =
  | { allowed: true; url: URL; development: boolean }
  | {
      allowed: false;
      code: 'source_forbidden' | 'source_not_https';
      detail: string;
    };

/** Whether a connection may go to this address, given the verdict on its URL. */
export function addressIsAllowed(address: string, verdict: { development: boolean }): boolean {
  return verdict.development ? addressIsLoopback(address) : addressIsPublic(address);
}

/** Judges a URL by its text alone. The caller checks the resolved addresses later, with `addressIsAllowed`. */
export function judgeUrl(text: string, rules: GuardRules): Verdict {
  const [beforeQuery = ''] = text.split(/[?#]/, 1);
  if (text.length > 4096 || /[\s\\]/.test(beforeQuery) || hasControl(text) || !URL.canParse(text)) {
    return refuse('The URL is not valid. Give an absolute https:// URL.');
  }
  const url = new URL(text);
  const development = rules.devOrigins.has(url.origin);
  if (url.protocol !== 'https:' && !(development && url.protocol === 'http:')) {
    return { allowed: false, code: 'source_not_https', detail: 'The URL must start with https://.' };
  }
  if (!/^https?:\/\/[^/]/i.test(text)) return refuse('The URL is not valid. Give an absolute https:// URL.');
  if (url.username || url.password) return refuse('The URL must not contain a user name or password.');
  if (development) return { allowed: true, url, development };
  if (url.port !== '') return refuse('The URL must use port 443.');
  return judgeHost(url.hostname, rules) ?? { allowed: true, url, development };
}

/** A DNS label: RFC 1123 section 2.1, plus `_`, which some hosts use. */
const label = /^[a-z0-9_-]{1,63}$/;

function judgeHost(hostname: string, rules: GuardRules): Verdict | null {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (rules.ownHosts.has(host)) return refuse('The URL must not point to this service itself.');
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isAddress(literal))
    return addressIsPublic(literal) ? null : refuse('The address in the URL is not public.');
  const labels = host.split('.');
  const named = host.length <= 253 && labels.length > 1 && labels.every((part) => label.test(part));
  const forbidden = forbiddenSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
  return named && !forbidden ? null : refuse('The host in the URL is not public.');
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
