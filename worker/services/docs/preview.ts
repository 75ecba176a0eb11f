import { type TransitionName, transitionNames } from '../../../schema/media/transitions.ts';
import type { Context } from '../../context.ts';
import { serveAsset } from '../files/asset.ts';
import type { BytesRequest } from '../files/serve-bytes.ts';

export const previewPath = (name: TransitionName) => `/transitions/${name}.mp4`;

/**
 * The preview clip of a transition.
 * @throws Problem not_found, range_not_satisfiable
 */
export function preview(context: Context, file: string, request: BytesRequest): Promise<Response> {
  const name = transitionNames.find((known) => `${known}.mp4` === file);
  const asset = name ? { path: previewPath(name), mediaType: 'video/mp4' } : null;
  const hint = 'GET /capabilities lists the transitions and the address of each preview.';
  return serveAsset(context, asset, hint, request);
}
