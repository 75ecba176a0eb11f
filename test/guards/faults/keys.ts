import type { Fault } from '../fault.ts';

const parts = 'test/pure/worker/worker-parts.test.ts';
const keyTests = 'test/security/keys.test.ts';
const link = {
  file: 'test/pure/worker/download-link.test.ts',
  name: 'is good for its task, file and time, and for nothing else',
};
const signed = { file: parts, name: 'is valid with its secret, body and time only' };

/** Keys, links, reports, and what signs them. */
export const keys: readonly Fault[] = [
  {
    guard: 'A key is `spool_live_<id>_<secret><checksum>`',
    file: 'worker/lib/api-key.ts',
    find: ' && base62(crc32(text.slice(0, -6)), 6) === text.slice(-6)',
    plant: '',
    test: { file: parts, name: 'has its form and checksum; any changed letter is noticed without a look-up' },
  },
  {
    guard: 'only an HMAC of the key with `KEY_PEPPER` is stored',
    file: 'worker/lib/api-key.ts',
    find: 'toHex(await hmac(pepper, key))',
    plant: "toHex(await hmac(typeof pepper === 'string' ? 'salt' : pepper, key))",
    test: { file: parts, name: 'is stored as a hash that the pepper changes' },
  },
  {
    guard: 'A key is looked up for every request',
    file: 'worker/repos/keys.ts',
    find: '.where(and(eq(keys.hash, hash), keyIsValid(now)))',
    plant: '.where(eq(keys.hash, hash))',
    test: {
      file: keyTests,
      name: 'is refused by every keyed route the moment it is revoked, warm as it may be',
    },
  },
  {
    guard: 'A key is looked up for every request',
    file: 'worker/repos/poll.ts',
    find: ", keyIsValid(sql.placeholder('now'))))",
    plant: '))',
    test: {
      file: keyTests,
      name: 'is refused by every keyed route the moment it is revoked, warm as it may be',
    },
  },
  {
    guard: 'revoked keys stop working at once, including their open long polls and streams',
    file: 'worker/repos/keys.ts',
    find: '.where(and(eq(keys.id, keyId), keyIsValid(now)))',
    plant: '.where(eq(keys.id, keyId))',
    test: { file: keyTests, name: 'ends the waits and streams that it holds when it is revoked' },
  },
  {
    guard: 'each of them is listed and can be revoked',
    file: 'worker/repos/people/account-keys.ts',
    find: 'sql`${keyIsValid(now)} desc`, ',
    plant: '',
    test: {
      file: 'test/worker/pages/keys.test.ts',
      name: 'is listed and can be revoked, however many newer ones no longer do',
    },
  },
  {
    guard: '100 with those that were rolled',
    file: 'worker/repos/people/account-keys.ts',
    find: 'sql`${works} and ${fewer(accountId, now, most)}`',
    plant: 'works',
    test: {
      file: 'test/worker/pages/keys.test.ts',
      name: 'is one of a hundred at most, also by rolling, and a refused roll leaves the old one as it was',
    },
  },
  {
    guard: 'The log of an account shows',
    file: 'worker/repos/people/audit.ts',
    find: 'lt(auditEvents.id, before);',
    plant: 'undefined;',
    test: {
      file: 'test/worker/pages/log.test.ts',
      name: 'the log shows every change on its pages, however many came after it',
    },
  },
  {
    guard: 'covers task, file and time',
    file: 'worker/services/files/download-link.ts',
    find: '`${task}.${role}.${expires}`',
    plant: '`${role}.${expires}`',
    test: link,
  },
  {
    guard: 'covers task, file and time',
    file: 'worker/services/files/download-link.ts',
    find: '`${task}.${role}.${expires}`',
    plant: '`${task}.${expires}`',
    test: link,
  },
  {
    guard: 'covers task, file and time',
    file: 'worker/services/files/download-link.ts',
    find: '`${task}.${role}.${expires}`',
    plant: '`${task}.${role}`',
    test: link,
  },
  {
    guard: 'covers task, file and time',
    file: 'schema/api/signature.ts',
    find: 'index < one.length; index++',
    plant: 'index < one.length - 1; index++',
    test: { ...link, name: 'is good with its whole signature, and with no other of any length' },
  },
  {
    guard: 'until it expires',
    file: 'worker/services/files/download.ts',
    find: "if (expires * 1000 <= Date.now()) throw new Problem('output_expired');",
    plant: '',
    test: { file: keyTests, name: 'is refused once its time is over, although its file is still there' },
  },
  {
    guard: 'signed with a secret of their attempt',
    file: 'worker/services/tasks/take-report.ts',
    find: 'if (!(await isSignedWith(secret, presented, body)))',
    plant: 'if (false)',
    test: { file: keyTests, name: 'signs the reports of this attempt alone' },
  },
  {
    guard: 'signed with a secret of their attempt',
    file: 'worker/services/tasks/dispatch.ts',
    find: '`callback|${accountId}|${taskId}|${attempt}`',
    plant: '`callback|${accountId}|${taskId}|${attempt > 0}`',
    test: { file: keyTests, name: 'signs the reports of this attempt alone' },
  },
  {
    guard: 'A report for an attempt that is over is refused',
    file: 'worker/services/tasks/take-report.ts',
    find: "if (!current) throw new Problem('stale_attempt');",
    plant: '',
    test: {
      file: 'test/worker/tasks/task-life.test.ts',
      name: 'starts over with a new number when an attempt is handed back',
    },
  },
  {
    guard: 'A report for an attempt that is over is refused',
    file: 'worker/account/lifecycle.ts',
    find: 'if (event.attempt !== undefined && event.attempt !== task.attempt) return stale(state);',
    plant: '',
    test: {
      file: 'test/pure/worker/lifecycle.test.ts',
      name: 'ignore every word of an attempt that is not the current one',
    },
  },
  {
    guard: 'so is a report that names a file outside its attempt',
    file: 'worker/services/tasks/take-report.ts',
    find: '!file.key.startsWith(prefix)',
    plant: 'file.key === prefix',
    test: {
      file: 'test/worker/tasks/task-life.test.ts',
      name: 'takes reports only when they are signed for this very attempt',
    },
  },
  {
    guard: 'HMAC-SHA-256 over their contents, with a time',
    file: 'schema/api/signature.ts',
    find: 'if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > SIGNATURE_TOLERANCE_SECONDS) return null;',
    plant: '',
    test: signed,
  },
  {
    guard: 'HMAC-SHA-256 over their contents, with a time',
    file: 'schema/api/signature.ts',
    find: 'return signatures.filter((signature) => sameText(signature, expected)).length > 0;',
    plant: 'return signatures.length > 0 && expected.length > 0;',
    test: signed,
  },
  {
    guard: 'HMAC-SHA-256 over their contents, with a time',
    file: 'transcoder/server.ts',
    find: "if (!(await isSignedWith(ctx.secret, c.get('signature'), text))) return unsigned(c);",
    plant: '',
    test: {
      file: 'test/transcoder/server.test.ts',
      name: 'is refused without an HMAC where it lists 300 signatures, and with one where it lists two',
    },
  },
  {
    guard: 'at most four signatures are accepted',
    file: 'schema/api/signature.ts',
    find: 'if (parts.length > MAX_SIGNATURES) return null;',
    plant: '',
    test: {
      file: 'test/pure/worker/signature.test.ts',
      name: 'with %s is refused without the body and without an HMAC',
    },
  },
  {
    guard: 'requests with malformed signature headers are refused before the body is read',
    file: 'transcoder/server.ts',
    find: 'if (!presented) return unsigned(c);',
    plant: 'if (!presented && !(await c.req.text())) return unsigned(c);',
    test: { file: 'test/transcoder/server.test.ts', name: 'is refused by %s before its body is read' },
  },
];
