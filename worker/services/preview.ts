import { type TransitionName, transitionNames } from '../../schema/transitions.ts';
import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';
import { type BytesRequest, serveBytes } from './serve-bytes.ts';

export const previewPath = (name: TransitionName) => `/transitions/${name}.mp4`;

/**
 * The clip of two pictures with a transition between them. It is read whole, since static assets know no ranges and a
 * video element insists on them.
 * @throws Problem not_found, range_not_satisfiable
 */
export async function preview(context: Context, file: string, request: BytesRequest): Promise<Response> {
  const name = transitionNames.find((known) => `${known}.mp4` === file);
  const asset = name && (await context.assets.fetch(`${context.config.PUBLIC_URL}${previewPath(name)}`));
  const etag = asset?.headers.get('etag')?.replace(/^W\//, '');
  if (asset?.status !== 200 || !etag) {
    throw new Problem(
      'not_found',
      'GET /capabilities lists the transitions and the address of each preview.',
    );
  }
  const bytes = await asset.arrayBuffer();
  const response = await serveBytes(request, {
    size: bytes.byteLength,
    etag,
    headers: {
      'content-type': 'video/mp4',
      'cache-control': 'public, max-age=86400',
      'access-control-allow-origin': '*',
    },
    read: async (range) => {
      const part = range ? bytes.slice(range.offset, range.offset + range.length) : bytes;
      return new Response(part).body;
    },
  });
  if (!response) throw new Error('a preview without a body');
  return response;
}
