import { z } from 'zod';
import {
  deletedUpload,
  newUpload,
  upload,
  uploadCompletion,
  uploadId,
  uploadList,
  uploadListQuery,
} from '../../../schema/api/upload.ts';
import type { App } from '../../app-env.ts';
import { completeUpload } from '../../services/uploads/complete-upload.ts';
import { createUpload } from '../../services/uploads/create-upload.ts';
import { deleteUpload } from '../../services/uploads/delete-upload.ts';
import { listUploads, readUpload } from '../../services/uploads/read-upload.ts';
import { declare, jsonBody, jsonResponse, keyed, pollErrors } from '../declare.ts';
import { readJson, readOptionalJson } from '../middleware/json-body.ts';
import { principalOf } from '../middleware/principal.ts';
import { fromText, parseQuery } from '../middleware/query.ts';

const common = { tags: ['uploads'], security: keyed, counted: 'polls' as const };
const bodyErrors = ['invalid_json', 'request_too_large', 'unsupported_media_type'] as const;
const noStore = { 'cache-control': 'no-store' };
const params = z.object({ id: uploadId.meta({ description: 'Id of the upload.' }) });
const listParameters = uploadListQuery.extend({ limit: fromText(uploadListQuery.shape.limit) });

export function uploadRoutes(app: App): void {
  declare(
    app,
    {
      ...common,
      method: 'post',
      path: '/uploads',
      operationId: 'create_upload',
      summary: 'Create an upload: get the URLs to which you send a file of your own.',
      description:
        'Send the file to `url` with PUT and all `headers`, or each part to its URL; then complete the upload. The file goes to the storage directly. Each URL stores one object of exactly the announced size, until `expires_at`.',
      request: { body: jsonBody(newUpload) },
      responses: { 201: jsonResponse('The upload, with its URLs.', upload) },
      errors: [
        ...pollErrors,
        ...bodyErrors,
        'subscription_required',
        'upload_storage_full',
        'uploads_unavailable',
      ],
    },
    async (c) => {
      const principal = await principalOf(c);
      const created = await createUpload(c.get('context'), principal, await readJson(c.req.raw));
      return c.json(created, 201, noStore);
    },
  );
  declare(
    app,
    {
      ...common,
      method: 'get',
      path: '/uploads',
      operationId: 'list_uploads',
      summary: 'List your uploads, newest first.',
      description: 'For the next page, pass `next_cursor` as `cursor`.',
      request: { query: uploadListQuery },
      responses: { 200: jsonResponse('A page of uploads, without their URLs.', uploadList) },
      errors: pollErrors,
    },
    async (c) => {
      const principal = await principalOf(c);
      const query = parseQuery(listParameters, c.req.url);
      return c.json(await listUploads(c.get('context'), principal, query), 200, noStore);
    },
  );
  declare(
    app,
    {
      ...common,
      method: 'get',
      path: '/uploads/{id}',
      operationId: 'get_upload',
      summary: 'Get an upload, with its URLs while it is waiting.',
      request: { params },
      responses: { 200: jsonResponse('The upload.', upload) },
      errors: [...pollErrors, 'upload_not_found'],
    },
    async (c) => {
      const principal = await principalOf(c);
      const id = c.req.param('id') ?? '';
      return c.json(await readUpload(c.get('context'), principal, id), 200, noStore);
    },
  );
  declare(
    app,
    {
      ...common,
      method: 'post',
      path: '/uploads/{id}/complete',
      operationId: 'complete_upload',
      summary: 'Complete an upload: check the file, and make it usable as `upload:<id>`.',
      description:
        'Checks the size, the SHA-256 if you gave one, and that the content is media. Completing an upload again returns the same answer.',
      request: { params, body: jsonBody(uploadCompletion, { required: false }) },
      responses: { 200: jsonResponse('The upload, `ready`.', upload) },
      errors: [
        ...pollErrors,
        ...bodyErrors,
        'upload_not_found',
        'upload_incomplete',
        'upload_expired',
        'upload_size_mismatch',
        'upload_checksum_mismatch',
        'upload_not_media',
      ],
    },
    async (c) => {
      const principal = await principalOf(c);
      const given = await readOptionalJson(c.req.raw);
      const id = c.req.param('id') ?? '';
      return c.json(await completeUpload(c.get('context'), principal, id, given), 200, noStore);
    },
  );
  declare(
    app,
    {
      ...common,
      method: 'delete',
      path: '/uploads/{id}',
      operationId: 'delete_upload',
      summary: 'Delete an upload and its file. Tasks that have not read it yet fail.',
      request: { params },
      responses: { 200: jsonResponse('The upload was deleted.', deletedUpload) },
      errors: [...pollErrors, 'upload_not_found'],
    },
    async (c) => {
      const principal = await principalOf(c);
      const id = c.req.param('id') ?? '';
      await deleteUpload(c.get('context'), principal, id);
      return c.json({ object: 'upload', id, deleted: true });
    },
  );
}
