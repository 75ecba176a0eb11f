import { z } from 'zod';
import { newUpload, type Upload, uploadCompletion, uploadId } from '../../../schema/api/upload.ts';
import { parseInput } from '../../lib/problem.ts';
import { completeUpload } from '../../services/uploads/complete-upload.ts';
import { createUpload } from '../../services/uploads/create-upload.ts';
import { jsonResult } from '../task-result.ts';
import { compactSchema } from './compact-schema.ts';
import type { Tool } from './tool.ts';

const outputSchema = {
  type: 'object' as const,
  properties: { id: { type: 'string' }, status: { type: 'string' }, next_step: { type: 'string' } },
};

const create: Tool = {
  listed: {
    name: 'create_upload',
    title: 'Create upload',
    description:
      "Use a file on the user's disk as a source. Not for files with a public URL. Returns where to send it with PUT, then complete_upload.",
    inputSchema: compactSchema(z.toJSONSchema(newUpload, { io: 'input' }), {
      file_name: 'Such as talk.mp4',
      size_bytes: 'Exact size',
      media_type: 'Such as video/mp4',
      sha256: 'Hexadecimal',
    }),
    outputSchema,
    annotations: { destructiveHint: false, openWorldHint: false },
  },
  async call({ context, principal }, args) {
    const upload = await createUpload(context, principal, args);
    return jsonResult({ next_step: sendFile(upload), ...upload });
  },
};

/** What to do with a new upload, as a command that can be pasted. */
function sendFile({ id, file_name, url, headers, parts }: Upload): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const options = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)} `);
  if (url !== null) {
    const command = `curl -gfsS -T ${quoted(file_name)} ${options.join('')}${quoted(url)}`;
    return `Run this in the folder of the file:\n\n${command}\n\nThen call complete_upload with {"upload_id": "${id}"}.`;
  }
  return `Send the ${parts.length} parts of the file in order with PUT, each to its url with its size_bytes and the headers, and keep the ETag of each response. Then call complete_upload with {"upload_id": "${id}", "parts": [{"number": 1, "etag": "…"}, …]}.`;
}

const completeInput = uploadCompletion.extend({ upload_id: uploadId });

const complete: Tool = {
  listed: {
    name: 'complete_upload',
    title: 'Complete upload',
    description:
      'Check a file that was sent for create_upload. Returns the upload; then upload:<id> is a source.',
    inputSchema: compactSchema(z.toJSONSchema(completeInput, { io: 'input' }), {
      upload_id: 'Id from create_upload',
      parts: 'If it was sent in parts',
    }),
    outputSchema,
    annotations: {
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  async call({ context, principal }, args) {
    const { upload_id, ...completion } = parseInput(completeInput, args);
    const upload = await completeUpload(context, principal, upload_id, completion);
    const next_step = `Use "upload:${upload.id}" as the source of a tool, until ${upload.expires_at}.`;
    return jsonResult({ next_step, ...upload });
  },
};

export const uploadTools: Tool[] = [create, complete];
