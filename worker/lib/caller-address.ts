/**
 * The client address that requests are counted by: `CF-Connecting-IP`, which Cloudflare sets and callers cannot forge. IPv6
 * customers get at least a /64, so the /64 is counted. A local stack does not set the header: all its callers count as one.
 */
export function callerAddress(header: (name: string) => string | undefined): string {
  const address = header('cf-connecting-ip') ?? '';
  if (!address.includes(':') || !URL.canParse(`http://[${address}]/`)) return address.slice(0, 45);
  // The URL parser prints eight hexadecimal groups, with the longest run of zeros as `::`.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
