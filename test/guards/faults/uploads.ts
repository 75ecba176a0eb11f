import type { Fault } from '../fault.ts';

const refusals = 'test/worker/uploads/refusals.test.ts';
const upkeep = 'test/worker/uploads/upkeep.test.ts';
const presigned = 'worker/lib/presigned-put.ts';
const completion = 'worker/services/uploads/complete-upload.ts';
const refused = { file: refusals, name: 'refuses %s, for good, and deletes the file' };
const foreign = { file: refusals, name: 'looks like one that does not exist' };

/** What the URL of an upload can do, what is checked of its file, and when the file goes. */
export const uploads: readonly Fault[] = [
  {
    guard: 'It cannot write another object or another length, read, list or delete.',
    file: presigned,
    find: "    headers: { ...put.headers, 'content-length': String(put.bytes) },",
    plant: '    headers: { ...put.headers },',
    test: { file: refusals, name: 'takes no other length, and nothing without its headers' },
  },
  {
    guard: 'signed with method, key, length and expiry (six hours)',
    file: presigned,
    find: 'String(seconds));',
    plant: "'86400');",
    test: { file: refusals, name: 'stores nothing after its time' },
  },
  {
    guard: 'A file that was stored cannot be replaced through its URL',
    file: 'worker/services/uploads/upload-view.ts',
    find: "const once = { [putHeaders.once]: '*' };",
    plant: 'const once = {};',
    test: { file: refusals, name: 'does not replace a file that was stored' },
  },
  {
    guard: '`complete` reads the size from the storage',
    file: completion,
    find: 'if (file.size !== sizeBytes) {',
    plant: 'if (file.size < 0) {',
    test: refused,
  },
  {
    guard: 'and the SHA-256 unless the storage has verified it',
    file: completion,
    find: 'if (found !== sha256) {',
    plant: 'if (found === undefined) {',
    test: refused,
  },
  {
    guard: 'Web pages, SVG, playlists, archives and programs are refused, and deleted.',
    file: completion,
    find: "if ('mediaType' in content) return content;",
    plant: "return 'mediaType' in content ? content : { mediaType: 'text/plain' };",
    test: refused,
  },
  {
    guard: 'A file name may not have a path or control characters.',
    file: 'schema/api/upload.ts',
    find: '!/[/\\\\\\p{Cc}]/u.test(name)',
    plant: '!/[\\p{Cc}]/u.test(name)',
    test: { file: refusals, name: 'with %j is refused at %s' },
  },
  {
    guard: 'every database query is limited to one account',
    file: 'worker/repos/uploads.ts',
    find: 'and(eq(uploads.id, id), eq(uploads.accountId, accountId));',
    plant: 'and(eq(uploads.id, id), eq(sql`${accountId}`, accountId));',
    test: foreign,
  },
  {
    guard: 'every database query is limited to one account',
    file: 'worker/repos/uploads.ts',
    find: 'and(eq(uploads.accountId, accountId), isIn(uploads.id, ids)));\n      return new Map',
    plant: 'and(eq(sql`${accountId}`, accountId), isIn(uploads.id, ids)));\n      return new Map',
    test: foreign,
  },
  {
    guard: 'The plan limits the size of one file and of all files of an account',
    file: 'worker/repos/uploads.ts',
    find: 'stored.bytes + ${sizeBytes} <= ${most.bytes} and ',
    plant: '',
    test: { file: refusals, name: 'beyond the storage of the plan is refused until something is deleted' },
  },
  {
    guard: 'An account has at most 1000 uploads that wait for their file.',
    file: 'worker/repos/uploads.ts',
    find: ' and stored.waiting < ${most.waiting}',
    plant: '',
    test: { file: refusals, name: 'is refused while too many wait for their file' },
  },
  {
    guard: 'parts that were never joined, are deleted by the sweeper',
    file: 'worker/repos/upload-files.ts',
    find: 'multipartId && (await abort(id, multipartId))',
    plant: 'multipartId && id',
    test: { file: upkeep, name: 'goes with the sweep, and with DELETE: parts that were never joined' },
  },
  {
    guard: 'so are files that arrive after their upload was deleted',
    file: 'worker/services/maintenance/sweep.ts',
    find: '  removeStrayUploads,\n',
    plant: '',
    test: { file: upkeep, name: 'a file that arrives after its upload was deleted goes with the sweep' },
  },
  {
    guard: 'continues by itself until no row and no',
    file: 'worker/services/deletion/steps.ts',
    find: '  await core.uploadFiles.remove(uploads);\n',
    plant: '',
    test: { file: 'test/worker/pages/deletion.test.ts', name: 'leaves nothing in any table and no object' },
  },
];
