import type { Case, Ending } from './case.ts';
import type { NameAnswer } from './name-server.ts';
import type { Stand } from './stand.ts';

type UrlOf = (stand: Stand) => string;

const refused = <U extends string | UrlOf>(ends: readonly Ending[], urls: Record<string, U>) =>
  Object.entries(urls).map(([name, url]) => ({ name, url, ends, within: 20 }));

const named = (urls: readonly string[]): Record<string, string> =>
  Object.fromEntries(urls.map((url) => [url, url]));

/** What is no URL at all, or none that two parsers would read alike. */
const malformed: Record<string, string> = {
  'an empty URL': '',
  'a URL of spaces': '   ',
  'a path': '/etc/passwd',
  'a URL without a scheme': '//media.example.com/a.mp4',
  'the subfile protocol of ffmpeg': 'subfile,,start,0,end,9,,:/etc/passwd',
  'a space in the path': 'https://media.example.com/a b.mp4',
  'a space before the URL': ' https://media.example.com/a.mp4',
  'a line break behind the URL': 'https://media.example.com/a.mp4\r\nX-Injected: 1',
  'a NUL in the path': 'https://media.example.com/\u0000a.mp4',
  'a backslash for a slash': 'https:/\\evil.example.com',
  'a backslash behind the port': 'https://127.0.0.1:80\\@media.example.com/',
  'a backslash before the at sign': 'https://media.example.com\\@127.0.0.1/',
  'a URL without slashes': 'https:media.example.com',
  'a URL with three slashes': 'https:///media.example.com/a.mp4',
  'a URL without a host': 'https:///',
  'a URL of 10 000 characters': `https://media.example.com/${'a'.repeat(10_000)}`,
  'a host of 300 characters': `https://${'a.'.repeat(145)}example.com/`,
  'a label of 64 characters': `https://${'a'.repeat(64)}.example.com/`,
  'an empty label': 'https://media..example.com/',
  'two dots at the end of the host': 'https://localhost../',
  'two dots behind an address': 'https://127.0.0.1../',
  'a comma in the host': 'https://media.example.com,127.0.0.1/',
  'a port out of range': 'https://media.example.com:65536/',
  'a zone in an IPv6 address': 'https://[fe80::1%25eth0]/',
  'half of an IPv6 address': 'https://[::1/',
};

const notHttps = named([
  'http://media.example.com/a.mp4',
  'http://127.0.0.1/a.mp4',
  'http://169.254.169.254/latest/meta-data/',
  'ftp://media.example.com/a.mp4',
  'ftps://media.example.com/a.mp4',
  'sftp://media.example.com/a.mp4',
  'file:///etc/passwd',
  'file://localhost/etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'dict://127.0.0.1:11211/stats',
  'data:video/mp4;base64,AAAA',
  'javascript:alert(1)',
  'blob:https://media.example.com/0',
  'rtsp://media.example.com/a',
  'rtmp://media.example.com/a',
  'hls+https://media.example.com/a.m3u8',
  'concat:https://media.example.com/a.mp4|/etc/passwd',
  'crypto:https://media.example.com/a.mp4',
  'ws://media.example.com/',
  'about:blank',
  's3://bucket/key',
  'pipe:0',
]);

const names = named([
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://foo.localhost/',
  'https://loc%61lhost/',
  'https://ⓛocalhost/',
  'https://localhost.localdomain/',
  'https://intranet/',
  'https://printer.local/',
  'https://db.internal/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://nas.home.arpa/',
  'https://router.lan/',
  'https://a.onion/',
  'https://a.test/',
  'https://a.invalid/',
  'https://host.docker.internal/',
  'https://kubernetes.default.svc.cluster.local/',
]);

const ipv4 = named([
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.255.255.254/',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://10.255.255.255/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.170.2/v2/credentials',
  'https://2852039166/',
  'https://172.16.0.1/',
  'https://172.17.0.1/',
  'https://172.31.255.255/',
  'https://192.0.0.192/',
  'https://192.0.2.2/',
  'https://192.88.99.1/',
  'https://192.168.0.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://239.255.255.250/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
]);

const ipv6 = named([
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[::ffff:0:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[::a00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[100::1]/',
  'https://[2001::1]/',
  'https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
  'https://[2001:db8::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2002:a9fe:a9fe::1]/',
  'https://[2620:4f:8000::1]/',
  'https://[2606:4700::5efe:7f00:1]/',
  'https://[3fff::1]/',
  'https://[5f00::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
]);

const disguised: Record<string, string> = {
  'user information': 'https://user:pass@media.example.com/a.mp4',
  'a user without a password': 'https://user@media.example.com/a.mp4',
  'a host as user of an address': 'https://media.example.com@127.0.0.1/',
  'an encoded at sign in the user': 'https://media.example.com%40x@127.0.0.1/',
  'port 22': 'https://media.example.com:22/',
  'port 80 of https': 'https://media.example.com:80/',
  'port 8443': 'https://media.example.com:8443/',
  'port 0': 'https://media.example.com:0/',
};

const portsOfCanaries: Record<string, UrlOf> = {
  'a port of loopback': ({ canary }) => `https://127.0.0.1:${canary.port}/`,
  'a port of loopback over IPv6': ({ canary }) => `https://[::1]:${canary.port}/`,
};

/** Beside the exact origins that development allows. */
const besideDevelopment: Record<string, UrlOf> = {
  'the port of a development origin over https': ({ origins }) =>
    origins.plain.url.replace('http:', 'https:'),
  'a development origin with user information': ({ origins }) =>
    `${origins.trusted.url.replace('//', '//user:pass@')}/a`,
  'a development origin by another name': ({ origins }) =>
    `${origins.trusted.url.replace('127.0.0.1', 'localhost')}/a`,
  'a development origin by another address': ({ origins }) =>
    `${origins.trusted.url.replace('127.0.0.1', '127.0.0.2')}/a`,
};

const ZONE = 'spool-attack.net';
/** Public, and assigned to networks that announce it to nobody: a connection to it goes nowhere. */
const NOWHERE = '30.0.0.1';
const many = Array.from({ length: 40 }, (_, index) => `30.0.1.${index}`);

/** Names whose records are hostile, and how a source there ends. */
const resolved: Record<string, { answer: NameAnswer; ends: Ending | Ending[]; within?: number }> = {
  loopback: { answer: { a: ['127.0.0.1'] }, ends: 'source_forbidden' },
  'all-zeros': { answer: { a: ['0.0.0.0'] }, ends: 'source_forbidden' },
  private: { answer: { a: ['10.0.0.1'] }, ends: 'source_forbidden' },
  metadata: { answer: { a: ['169.254.169.254'] }, ends: 'source_forbidden' },
  'public-then-private': { answer: { a: [NOWHERE, '10.0.0.1'] }, ends: 'source_forbidden' },
  'private-then-public': { answer: { a: ['192.168.1.1', NOWHERE] }, ends: 'source_forbidden' },
  'private-among-forty': { answer: { a: [...many, '127.0.0.1'] }, ends: 'source_forbidden' },
  'loopback-ipv6': { answer: { aaaa: ['::1'] }, ends: 'source_forbidden' },
  'mapped-loopback': { answer: { aaaa: ['::ffff:7f00:1'] }, ends: 'source_forbidden' },
  'translated-loopback': { answer: { aaaa: ['64:ff9b::7f00:1'] }, ends: 'source_forbidden' },
  'link-local': { answer: { aaaa: ['fe80::1'] }, ends: 'source_forbidden' },
  'public-ipv4-private-ipv6': { answer: { a: [NOWHERE], aaaa: ['fd00::1'] }, ends: 'source_forbidden' },
  'private-ipv4-public-ipv6': {
    answer: { a: ['10.0.0.1'], aaaa: ['2606:4700::1111'] },
    ends: 'source_forbidden',
  },
  'alias-of-localhost': { answer: { cname: ['localhost'], a: ['127.0.0.1'] }, ends: 'source_forbidden' },
  'chain-to-localhost': {
    answer: { cname: [`one.${ZONE}`, `two.${ZONE}`, `three.${ZONE}`, 'localhost'], a: ['127.0.0.1'] },
    ends: 'source_forbidden',
  },
  'chain-to-metadata': {
    answer: { cname: [`one.${ZONE}`, 'metadata.google.internal'], a: ['169.254.169.254'] },
    ends: 'source_forbidden',
  },
  'rebinding-to-private': {
    answer: (asked) => ({ a: [asked === 0 ? NOWHERE : '127.0.0.1'] }),
    // The first address does not answer; the read is tried again, and the second address is refused.
    ends: ['source_unreachable', 'source_forbidden'],
    within: 30,
  },
  'rebinding-to-public': {
    answer: (asked) => ({ a: [asked === 0 ? '127.0.0.1' : NOWHERE] }),
    ends: 'source_forbidden',
  },
  'chain-without-end': {
    answer: { cname: Array.from({ length: 12 }, (_, index) => `n${index}.${ZONE}`) },
    ends: 'source_unreachable',
  },
  nothing: { answer: {}, ends: 'source_unreachable' },
  missing: { answer: 'missing', ends: 'source_unreachable' },
  silent: { answer: 'silent', ends: 'source_unreachable' },
  garbage: { answer: 'garbage', ends: 'source_unreachable' },
};

/** The zone of the hostile name server. */
export const hosts: Record<string, NameAnswer> = Object.fromEntries(
  Object.entries(resolved).map(([name, { answer }]) => [`${name}.${ZONE}`, answer]),
);

export const rebindingHost = `rebinding-to-private.${ZONE}`;

export const nameCases: Case[] = Object.entries(resolved).map(([name, { ends, within = 20 }]) => ({
  name: `a host whose records are ${name}`,
  url: `https://${name}.${ZONE}/a.mp4`,
  ends: [ends].flat(),
  within,
}));

/** URLs that are refused by their text alone, whatever runs where. */
export const textCases: (Case & { url: string })[] = [
  ...refused(['validation_failed', 'source_forbidden'], malformed),
  ...refused(['source_not_https'], notHttps),
  ...refused(['source_forbidden'], { ...names, ...ipv4, ...ipv6, ...disguised }),
];

/** URLs that are refused when the task is created. */
export const urlCases: Case[] = [
  ...textCases,
  ...refused(['source_forbidden'], { ...portsOfCanaries, ...besideDevelopment }),
];
