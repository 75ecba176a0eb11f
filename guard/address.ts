import { forbiddenIpv4, forbiddenIpv6, globalIpv6 } from './blocks.ts';

interface Address {
  bits: 32 | 128;
  value: bigint;
}

interface Net extends Address {
  prefix: number;
}

const forbidden = [...forbiddenIpv4, ...forbiddenIpv6].map(netOf);
const global6 = netOf(globalIpv6);
const loopback = [netOf(['127.0.0.0', 8]), netOf(['::1', 128])];

/** Whether a text is an IPv4 or IPv6 address, without brackets or a zone. */
export function isAddress(text: string): boolean {
  return parseAddress(text) !== null;
}

/** Whether an address is public unicast. Anything not known to be public is refused. */
export function addressIsPublic(text: string): boolean {
  const address = parseAddress(text);
  if (!address || forbidden.some((net) => contains(net, address))) return false;
  return address.bits === 32 || (contains(global6, address) && !isIsatap(address));
}

export function addressIsLoopback(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && loopback.some((net) => contains(net, address));
}

function netOf([text, prefix]: readonly [string, number]): Net {
  const address = parseAddress(text);
  if (!address) throw new Error(`guard/blocks.ts: ${text} is not an address`);
  return { ...address, prefix };
}

function contains(net: Net, address: Address): boolean {
  const host = BigInt(net.bits - net.prefix);
  return net.bits === address.bits && net.value >> host === address.value >> host;
}

function parseAddress(text: string): Address | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return parseIpv4(text);
  // The URL parser is the only IPv6 parser that every runtime has. It expands an address to eight hex groups, with
  // zeros as `::`.
  if (!/^[0-9a-f:.]{2,45}$/i.test(text) || !URL.canParse(`http://[${text}]/`)) return null;
  const [head = '', tail] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return {
    bits: 128,
    value: groups.reduce((sum, group) => (sum << 16n) | BigInt(Number.parseInt(group, 16)), 0n),
  };
}

function parseIpv4(text: string): Address | null {
  const parts = text.split('.');
  if (parts.some((part) => Number(part) > 255 || String(Number(part)) !== part)) return null;
  return { bits: 32, value: parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n) };
}

/** RFC 5214: an interface id of 0000:5efe or 0200:5efe carries an IPv4 address. */
function isIsatap({ value }: Address): boolean {
  const id = (value >> 32n) & 0xffff_ffffn;
  return id === 0x0000_5efen || id === 0x0200_5efen;
}
