import { planNames, planOf } from '../../../../schema/api/plans.ts';
import { PART_BYTES, SINGLE_PUT_BYTES, UPLOAD_SECONDS } from '../../../../schema/api/upload.ts';
import { resultRows } from '../field-rows.ts';
import { limitText, seconds } from '../plan-limits.ts';
import { heading, markdown, table } from '../print/block.ts';
import { fieldList } from '../print/field-list.ts';
import type { DocPage } from './doc-page.ts';
import { endpointBlocks } from './endpoint-blocks.ts';

const megabytes = (bytes: number) => `${bytes / 1e6} MB`;

export const uploads: DocPage = {
  path: '/docs/uploads',
  title: 'Uploads',
  summary: 'Send a file of your own, and use it wherever a URL of media is taken.',
  body: (site) => [
    markdown(`A source is a public URL, the result of another task (\`task:<id>\`), or a file that you upload (\`upload:<id>\`). [The guide](/docs/guides/upload-a-file) shows every step in a shell.

1. \`POST /uploads\` with \`file_name\` and the exact \`size_bytes\`. The answer has \`url\`, or \`parts\` for a file over ${megabytes(SINGLE_PUT_BYTES)}.
2. \`PUT\` the file to \`url\` with all \`headers\`, or each part (at most ${megabytes(PART_BYTES)}; its \`size_bytes\` says how much) to its URL. The bytes go to the storage, not through this API, and need no key.
3. \`POST /uploads/{id}/complete\`. For parts, send the \`ETag\` of each response: \`{"parts": [{"number": 1, "etag": "…"}, …]}\`.
4. Use \`upload:<id>\` in any operation, as often as you like.

The URLs work for ${seconds(UPLOAD_SECONDS)}. Each stores one object of exactly the announced size. An interrupted \`PUT\` stores nothing: send it again. A file that is stored cannot be replaced; create a new upload instead.

\`complete\` checks the size, the SHA-256 if you gave one, and that the content is media. A file that is not what was announced is deleted, and the upload is \`failed\`.

Files are kept as long as outputs are, from \`complete\` on, and longer while a live task reads them:`),
    table(
      ['', ...planNames.map((name) => planOf(name).title)],
      [
        ['Largest file', ...planNames.map((name) => limitText('source_bytes', planOf(name)))],
        ['All files together', ...planNames.map((name) => limitText('upload_bytes', planOf(name)))],
        ['Kept for', ...planNames.map((name) => seconds(planOf(name).retention_seconds))],
      ],
    ),
    heading(2, 'upload', 'Upload'),
    fieldList(resultRows(site.schemas.Upload ?? {})),
    heading(2, 'endpoints', 'Endpoints'),
    ...endpointBlocks(site, 'uploads'),
  ],
};
