/**
 * The address that a request is counted by: `CF-Connecting-IP`, which Cloudflare sets itself and a caller cannot forge. An
 * IPv6 customer has a /64 at least, so that is what counts. A local stack sets none: all its callers are one.
 */
export function callerAddress(header: (name: string) => string | undefined): string {
  const address = header('cf-connecting-ip') ?? '';
  if (!address.includes(':') || !URL.canParse(`http://[${address}]/`)) return address.slice(0, 45);
  // The URL parser writes eight groups in hex, the longest run of zeros as `::`.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
