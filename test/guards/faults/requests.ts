import type { Fault } from '../fault.ts';

const answers = 'test/security/answers.test.ts';
const bare = { file: answers, name: 'of $method $path may be neither framed nor sniffed nor run' };
const served = {
  file: 'test/security/keys.test.ts',
  name: 'serves what is said to be %j as %s, with nothing that a browser could run',
};
const overLimit = { file: answers, name: 'over the limit is refused by $path before it is parsed' };
const limits = 'test/worker/limits.test.ts';
const browser =
  'no CORS for keyed routes, `nosniff`, a sandboxed Content-Security-Policy, downloads as attachments';

/** What is read of a request, how often one may come, and what an answer lets a browser do. */
export const requests: readonly Fault[] = [
  {
    guard: 'within an object is refused, because parsers differ in which value counts',
    file: 'worker/lib/text/parse-json.ts',
    find: 'if (repeated === null) return value;',
    plant: 'if (repeated !== undefined) return value;',
    test: { file: 'test/pure/worker/json-mistake.test.ts', name: '%j is refused' },
  },
  {
    guard: browser,
    file: 'worker/http/middleware/security-headers.ts',
    find: "xFrameOptions: 'DENY',",
    plant: "xFrameOptions: 'DENY', xContentTypeOptions: false,",
    test: bare,
  },
  {
    guard: browser,
    file: 'worker/http/middleware/security-headers.ts',
    find: 'defaultSrc: ["\'none\'"]',
    plant: 'defaultSrc: ["\'self\'"]',
    test: bare,
  },
  {
    guard: browser,
    file: 'worker/http/middleware/security-headers.ts',
    find: "xFrameOptions: 'DENY'",
    plant: "xFrameOptions: 'ALLOWALL'",
    test: bare,
  },
  {
    guard: browser,
    file: 'worker/app.ts',
    find: "c.header('x-request-id', requestId);",
    plant: "c.header('x-request-id', requestId); c.header('access-control-allow-origin', '*');",
    test: { file: answers, name: 'of $method $path is for no page of another site' },
  },
  {
    guard: browser,
    file: 'worker/mcp/route.ts',
    find: 'if (origin !== undefined && origin !== context.config.PUBLIC_URL)',
    plant: 'if (false)',
    test: { file: 'test/worker/mcp/tools.test.ts', name: 'needs a key, and no browser page of another site' },
  },
  {
    guard: browser,
    file: 'worker/http/middleware/page-headers.ts',
    find: 'scriptSrc: ["\'self\'"]',
    plant: 'scriptSrc: ["\'unsafe-inline\'"]',
    test: {
      file: 'test/worker/documents.test.ts',
      name: '%s may reach no other origin, and names none that it would load from',
    },
  },
  {
    guard: browser,
    file: 'worker/services/files/download.ts',
    find: "default-src 'none'; sandbox",
    plant: "default-src 'none'",
    test: served,
  },
  {
    guard: browser,
    file: 'worker/services/files/download.ts',
    find: '`attachment; ',
    plant: '`inline; ',
    test: served,
  },
  {
    guard: browser,
    file: 'worker/services/files/download.ts',
    find: "harmless.test(file.media_type) ? file.media_type : 'application/octet-stream'",
    plant: 'file.media_type',
    test: served,
  },
  {
    guard: 'A body is read up to 256 KiB',
    file: 'worker/lib/read-text.ts',
    find: "if (size > limit) throw new Problem('request_too_large');",
    plant: '',
    test: overLimit,
  },
  {
    guard: 'A body is read up to 256 KiB',
    file: 'transcoder/server.ts',
    find: 'maxSize: MAX_JOB_BYTES,',
    plant: 'maxSize: Number.POSITIVE_INFINITY,',
    test: {
      file: 'test/transcoder/server.test.ts',
      name: 'is counted where it does not say how long it is',
    },
  },
  {
    guard: 'none is dropped because of its name',
    file: 'worker/lib/problem.ts',
    find: "if (key !== '__proto__')",
    plant: 'if (key)',
    test: {
      file: 'test/pure/worker/worker-parts.test.ts',
      name: 'may have fields of any name but one, which would be lost',
    },
  },
  {
    guard: 'Every route has a limit',
    file: 'worker/account/waiting-line.ts',
    find: 'if (rateState(spent, policy, now).remaining === 0) {',
    plant: 'if (false) {',
    test: {
      file: 'test/pure/worker/rate.test.ts',
      name: 'lets the whole limit through at once and refuses the next one',
    },
  },
  {
    guard: 'per account with a key',
    file: 'worker/http/middleware/principal.ts',
    find: "if (counted === 'polls' || counted === 'creations') await",
    plant: "if (counted === 'polls') await",
    test: { file: limits, name: 'with a key is limited by account, polls and attempts to create apart' },
  },
  {
    guard: 'per account with a key',
    file: 'worker/services/tasks/read-task.ts',
    find: "  await countRequest(context, principal, 'polls');\n",
    plant: '',
    test: { file: limits, name: 'with a key is limited by account, polls and attempts to create apart' },
  },
  {
    guard: 'Every route has a limit',
    file: 'worker/mcp/admit-messages.ts',
    find: 'for (const message of Array.isArray(body) ? body : [body]) {',
    plant: 'for (const message of [body]) {',
    test: { file: limits, name: 'counts each message of a batch' },
  },
  {
    guard: 'per address without one',
    file: 'worker/mount.ts',
    find: "if (counted === 'public') await",
    plant: 'if (false) await',
    test: {
      file: limits,
      name: 'without a key is limited by address, and so are paths that do not exist',
    },
  },
  {
    guard:
      'The first 100 wrong keys, links and signatures in ten seconds are refused as such, further ones with 429',
    file: 'worker/services/account/request-limit.ts',
    find: "return allowed ? problem : addressLimited('refused');",
    plant: 'return problem;',
    test: {
      file: limits,
      name: 'that are forged are limited by address; what is signed is taken all the same',
    },
  },
  {
    guard: 'an IPv6 address counts by its /64',
    file: 'worker/lib/caller-address.ts',
    find: 'groups.slice(0, 4)',
    plant: 'groups',
    test: { file: limits, name: 'counts an IPv6 address by its /64' },
  },
  {
    guard: 'the same key with another request is refused',
    file: 'worker/account/creations.ts',
    find: "if (!sameRequest) return { verdict: 'idempotency_conflict', rate };",
    plant: '',
    test: {
      file: 'test/worker/tasks/idempotency.test.ts',
      name: 'refuses the same key with another body or for another operation',
    },
  },
  {
    guard: "`connect-src 'none'`",
    file: 'worker/http/routes/tools.ts',
    find: 'connectSrc: ["\'none\'"]',
    plant: 'connectSrc: ["\'self\'"]',
    test: {
      file: 'test/worker/tools.test.ts',
      name: 'the page and the worker of the converter may send nothing anywhere',
    },
  },
  {
    guard: 'only its own files',
    file: 'worker/http/routes/tools.ts',
    find: 'connect-src ${kept}',
    plant: 'connect-src *',
    test: {
      file: 'test/worker/tools.test.ts',
      name: 'the service worker may fetch the files of the tool, and nothing else',
    },
  },
];
