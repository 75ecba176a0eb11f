import type { Fault } from '../fault.ts';

const fetching = 'test/transcoder/sources/fetch.test.ts';
const sockets = 'test/transcoder/sources/sockets.test.ts';
const stumbling = 'test/transcoder/sources/stumbling-sources.test.ts';
const speechApis = 'test/security/speech-api.test.ts';
const limits = 'test/pure/transcoder/fetch-limits.test.ts';
const answer = { file: fetching, name: '%s ends in %s' };
const slow = { file: fetching, name: 'that drips or falls silent is too slow' };

/** How a source is connected to, and what its host may cost. */
export const fetchingSources: readonly Fault[] = [
  {
    guard: 'is checked by the same guard: its text',
    file: 'transcoder/source/guarded-post.ts',
    find: 'if (!verdict.allowed) throw new AddressRefused(verdict.detail);',
    plant: "if (!verdict.allowed) throw new Error('not allowed');",
    test: { file: speechApis, name: 'does not go to $name' },
  },
  {
    guard: 'before every request. Redirects of a speech API are not followed',
    file: 'transcoder/source/guarded-post.ts',
    find: 'await allowedAddresses(verdict, options)',
    plant: "['127.0.0.1']",
    test: { file: speechApis, name: 'is not asked at %s' },
  },
  {
    guard: 'if one is not public, the name is refused',
    file: 'transcoder/source/guarded-get.ts',
    find: 'if (!addresses.every((address)',
    plant: 'if (!addresses.some((address)',
    test: { file: fetching, name: 'that resolves %s is refused' },
  },
  {
    guard: 'if one is not public, the name is refused',
    file: 'guard/url.ts',
    find: 'verdict.development ? addressIsLoopback(address) : addressIsPublic(address)',
    plant: 'verdict.development || addressIsPublic(address)',
    test: { file: fetching, name: 'of a development origin may resolve to loopback alone' },
  },
  {
    guard: 'The connection goes only to the checked addresses',
    file: 'transcoder/source/guarded-get.ts',
    find: '    lookup: pinned(addresses),\n',
    plant: '',
    test: { file: sockets, name: 'goes where the name was found, and asks nobody else for it' },
  },
  {
    guard: 'the address of the open connection is checked again',
    file: 'transcoder/source/guarded-get.ts',
    find: "judge(addresses.includes(socket.remoteAddress ?? ''))",
    plant: 'judge(true)',
    test: { file: sockets, name: 'to another address than the one judged carries no request' },
  },
  {
    guard: 'the address of the open connection is checked again',
    file: 'transcoder/source/guarded-get.ts',
    find: "judge(addresses.includes(socket.remoteAddress ?? ''))",
    plant: "judge(addressIsAllowed(socket.remoteAddress ?? '', verdict))",
    test: {
      file: sockets,
      name: 'to another loopback address than that of the development origin is refused',
    },
  },
  {
    guard: 'the address of the open connection is checked again',
    file: 'transcoder/source/guarded-get.ts',
    find: "judge(addressIsAllowed(socket.remoteAddress ?? '', verdict))",
    plant: 'judge(true)',
    test: { file: sockets, name: 'and leads to an address that is not public carries no request' },
  },
  {
    guard: 'each checked like the first URL',
    file: 'transcoder/source/guarded-get.ts',
    find: 'const verdict = judgeUrl(next, options.rules);',
    plant:
      'const first = judgeUrl(text, options.rules); const verdict = first.allowed ? { ...first, url: new URL(next) } : first;',
    test: { file: fetching, name: '%s redirects and ends in %s' },
  },
  {
    guard: 'at most three',
    file: 'transcoder/source/guarded-get.ts',
    find: 'hop <= MAX_REDIRECTS',
    plant: 'hop <= MAX_REDIRECTS + 1',
    test: { file: fetching, name: '%s redirects and ends in %s' },
  },
  {
    guard: 'never from https to http',
    file: 'transcoder/source/guarded-get.ts',
    find: "if (from?.protocol === 'https:' && url.protocol !== 'https:') {",
    plant: 'if (false) {',
    test: { file: fetching, name: 'from https to http is refused' },
  },
  {
    guard: 'hosts files and search domains are not used',
    file: 'transcoder/source/resolve-host.ts',
    find: 'asking.resolve4(host)',
    plant:
      "import('node:dns/promises').then((dns) => dns.lookup(host, { all: true })).then((all) => all.map(({ address }) => address))",
    test: {
      file: 'test/transcoder/sources/resolve.test.ts',
      name: 'names of the hosts file are unknown unless the name server knows them',
    },
  },
  {
    guard: '| resolving, connecting with TLS, headers | 3 s, 10 s, 15 s |',
    file: 'transcoder/source/guarded-get.ts',
    find: 'connect: 10_000',
    plant: 'connect: 100_000',
    test: { file: limits, name: 'the limit of a fetch (%s) is the one that SECURITY.md names' },
  },
  {
    guard: '| resolving, connecting with TLS, headers | 3 s, 10 s, 15 s |',
    file: 'transcoder/source/guarded-get.ts',
    find: 'AbortSignal.any([signal, timer])',
    plant: 'AbortSignal.any([signal])',
    test: { file: fetching, name: 'that does not resolve, or not in time, is unreachable' },
  },
  {
    guard: '| resolving, connecting with TLS, headers | 3 s, 10 s, 15 s |',
    file: 'transcoder/source/guarded-get.ts',
    find: 'let stopWaiting = afterRunning(waits.connect, giveUp);',
    plant: 'let stopWaiting = () => {};',
    test: { file: sockets, name: 'does not begin TLS is given up when connecting takes too long' },
  },
  {
    guard: '| resolving, connecting with TLS, headers | 3 s, 10 s, 15 s |',
    file: 'transcoder/source/guarded-get.ts',
    find: 'stopWaiting = afterRunning(waits.headers, giveUp);',
    plant: 'stopWaiting = () => {};',
    test: { file: sockets, name: 'does not answer is given up when its headers take too long' },
  },
  {
    guard: '| headers | 16 KiB |',
    file: 'transcoder/source/guarded-get.ts',
    find: 'maxHeaderSize: MAX_HEADER_BYTES',
    plant: 'maxHeaderSize: 1024 * 1024',
    test: answer,
  },
  {
    guard: '| pause between two bytes | 15 s |',
    file: 'transcoder/source/response-body.ts',
    find: ' || now - last > pace.idle',
    plant: '',
    test: slow,
  },
  {
    guard: '| speed | 64 KiB/s on average over 30 s |',
    file: 'transcoder/source/response-body.ts',
    find: 'if (slow || ',
    plant: 'if (',
    test: slow,
  },
  {
    guard: 'an announced size above it is refused',
    file: 'transcoder/source/sparse-file.ts',
    find: '    this.#limit(edition.bytes ?? 0);\n',
    plant: '',
    test: { file: 'test/transcoder/sources/ranges.test.ts', name: 'of size, by what Content-Range says' },
  },
  {
    guard: 'received bytes are counted',
    file: 'transcoder/source/sparse-file.ts',
    find: '    this.#limit(from + chunk.length);\n',
    plant: '',
    test: {
      file: fetching,
      name: 'a body without an announced length is given up as soon as it is over the limit',
    },
  },
  {
    guard: '| a body shorter than announced | `source_truncated`, never a success |',
    file: 'transcoder/source/response-body.ts',
    find: '    throw truncated(error);\n',
    plant: '    return;\n',
    test: answer,
  },
  {
    guard: '| tries of a read | 5 in a row without progress',
    file: 'transcoder/source/retry-read.ts',
    find: 'this.#failed >= TRIES || ',
    plant: '',
    test: { file: stumbling, name: '(%s) is asked five times and then named' },
  },
  {
    guard: 'bytes that are fetched again are compared',
    file: 'transcoder/source/partial-file.ts',
    find: 'if (!before.equals(bytes)) throw changed();',
    plant: '',
    test: {
      file: stumbling,
      name: 'is source_changed where bytes that come again differ, though the origin says nothing',
    },
  },
  {
    guard: 'each checked like the first URL',
    file: 'transcoder/source/guarded-get.ts',
    find: '    signal,\n    maxHeaderSize',
    plant: '    signal,\n    rejectUnauthorized: false,\n    maxHeaderSize',
    test: { file: fetching, name: 'under a certificate that nobody vouches for is unreachable' },
  },
  {
    guard: 'never a resolved address',
    file: 'transcoder/source/guarded-get.ts',
    find: "    throw new TaskFailure('source_forbidden', 'The host of the source is not public.');\n  }\n  return addresses;",
    plant:
      "    throw new TaskFailure('source_forbidden', `The host is at ${addresses}`);\n  }\n  return addresses;",
    test: { file: fetching, name: 'that resolves %s is refused' },
  },
  {
    guard: 'Playlists and other text are refused',
    file: 'schema/media/sniff/demuxer-of.ts',
    find: '  return elementaryVideo(head) ?? audioSync(head) ?? cutRecording(head);',
    plant: "  return elementaryVideo(head) ?? audioSync(head) ?? cutRecording(head) ?? 'mp3';",
    test: { file: fetching, name: 'that is text (%s) is source_not_media' },
  },
];
