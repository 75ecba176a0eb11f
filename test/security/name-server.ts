import { createSocket, type RemoteInfo } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a name is said to have. `cname` leads from name to name, the addresses are those of its end. */
export interface Records {
  cname?: string[];
  a?: string[];
  aaaa?: string[];
}

/** How a name is answered: with records, by how often it was asked before, or in another way. */
export type NameAnswer = Records | ((asked: number) => Records) | 'missing' | 'silent' | 'garbage';

export interface NameServer {
  /** `127.0.0.1:port`. */
  address: string;
  /** How often the IPv4 addresses of this name were asked for. */
  asked: (name: string) => number;
  close: () => Promise<void>;
}

const TYPE = { a: 1, cname: 5, aaaa: 28 } as const;
const INTERNET = 1;
const POINTER_TO_QUESTION = 0xc00c;
const NAME_ERROR = 3;

/** Before a name, to be asked as if for the first time. */
export const AGAIN = 'again.';

/** A recursive name server on loopback that says what the test wants of each name (RFC 1035, 4.1). */
export async function startNameServer(names: Record<string, NameAnswer>): Promise<NameServer> {
  const counts = new Map<string, number>();
  /** By a question's own id, how often its name had been asked for: a resolver repeats a late question under the same id. */
  const heard = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (message, from: RemoteInfo) => {
    const { name, type, end } = question(message);
    const key = `${name} ${type}`;
    const asked = `${message.readUInt16BE(0)} ${key}`;
    const before = heard.get(asked) ?? counts.get(key) ?? 0;
    if (!heard.has(asked)) counts.set(key, before + 1);
    heard.set(asked, before);
    const known = names[name] ?? names[name.replace(AGAIN, '')] ?? 'missing';
    if (known === 'silent') return;
    const answer =
      known === 'garbage'
        ? Buffer.concat([message.subarray(0, 2), Buffer.from('\x81\x80\xff\xff\xff\xff nonsense', 'latin1')])
        : response(message.subarray(0, end), type, typeof known === 'function' ? known(before) : known);
    socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: (name) => counts.get(`${name} ${TYPE.a}`) ?? 0,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** The same names over HTTPS as RFC 8484 knows it, but with answers in JSON and, on loopback, without TLS. */
export async function startDnsOverHttps(
  names: Record<string, NameAnswer>,
): Promise<Omit<NameServer, 'address'> & { url: string }> {
  const counts = new Map<string, number>();
  const server = createServer((request, answer) => {
    const { searchParams } = new URL(request.url ?? '', 'http://dns');
    const [name, kind] = [searchParams.get('name') ?? '', searchParams.get('type') ?? ''];
    const before = counts.get(`${name} ${kind}`) ?? 0;
    counts.set(`${name} ${kind}`, before + 1);
    const known = names[name] ?? 'missing';
    if (known === 'silent') return;
    const records = typeof known === 'function' ? known(before) : known;
    if (records === 'garbage') answer.end('<html>');
    else if (records === 'missing') answer.end(JSON.stringify({ Status: NAME_ERROR }));
    else {
      const { cname = [], a = [], aaaa = [] } = records;
      const addresses = kind === 'A' ? a : aaaa;
      const type = kind === 'A' ? TYPE.a : TYPE.aaaa;
      const aliases = cname.map((data) => ({ name, type: TYPE.cname, TTL: 0, data }));
      const last = addresses.map((data) => ({ name, type, TTL: 0, data }));
      answer.end(JSON.stringify({ Status: 0, Answer: [...aliases, ...last] }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/dns-query`,
    asked: (name) => counts.get(`${name} A`) ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function question(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function response(asked: Buffer, type: number, records: Records | 'missing'): Buffer {
  const answers = records === 'missing' ? [] : resourceRecords(type, records);
  const header = Buffer.alloc(12);
  asked.copy(header, 0, 0, 2);
  // A response, recursion desired and available.
  header.writeUInt16BE(0x8180 | (records === 'missing' ? NAME_ERROR : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, asked.subarray(12), ...answers]);
}

function resourceRecords(type: number, { cname = [], a = [], aaaa = [] }: Records): Buffer[] {
  const owners = [u16(POINTER_TO_QUESTION), ...cname.map(encodeName)];
  const aliases = cname.map((name, index) => record(owners[index] ?? u16(0), TYPE.cname, encodeName(name)));
  const owner = owners.at(-1) ?? u16(POINTER_TO_QUESTION);
  const addresses =
    type === TYPE.a
      ? a.map((text) => record(owner, type, Buffer.from(text.split('.').map(Number))))
      : type === TYPE.aaaa
        ? aaaa.map((text) => record(owner, type, ipv6(text)))
        : [];
  return [...aliases, ...addresses];
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const ttl = Buffer.alloc(4);
  return Buffer.concat([owner, u16(type), u16(INTERNET), ttl, u16(data.length), data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((part) => Buffer.from([part.length, ...Buffer.from(part)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function ipv6(text: string): Buffer {
  const [head = '', tail] = text.split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const [left, right] = [groups(head), groups(tail)];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return Buffer.concat([...left, ...zeros, ...right].map((group) => u16(Number.parseInt(group, 16))));
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
