import type { Upload } from '../../../schema/api/upload.ts';
import { Problem, problemResponse } from '../../lib/problem.ts';
import { parseJson } from '../../lib/text/parse-json.ts';
import { completeUpload } from '../../services/uploads/complete-upload.ts';
import { createUpload } from '../../services/uploads/create-upload.ts';
import type { MemberVisit } from '../visit.ts';

/** Creates an upload for a file that a member has chosen. */
export function begin(visit: MemberVisit): Promise<Response> {
  const sha256 = visit.field('sha256');
  const body = {
    file_name: visit.field('file_name'),
    size_bytes: Number(visit.field('size_bytes')),
    ...(sha256 === '' ? {} : { sha256 }),
  };
  return answered(visit, () => createUpload(visit.core, visit.caller, body));
}

/** Checks the file that was sent. */
export function complete(visit: MemberVisit): Promise<Response> {
  return answered(visit, () => {
    const parts = parseJson(visit.field('parts') || '[]');
    return completeUpload(visit.core, visit.caller, visit.param('upload'), { parts });
  });
}

async function answered(visit: MemberVisit, act: () => Promise<Upload>): Promise<Response> {
  try {
    return Response.json(await act(), { headers: { 'cache-control': 'no-store' } });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    const { PUBLIC_URL } = visit.context.config;
    const { pathname: path } = visit.url;
    return problemResponse(problem, { publicUrl: PUBLIC_URL, path, requestId: visit.requestId });
  }
}
