import type { Context } from '../../context.ts';
import { sampleSource } from '../docs/sample-source.ts';

const PLACEHOLDER = 'https://example.com/your-video.mp4';

/** A request to `/cut` for the first task. It runs as it is, unless the service has no sample. */
export async function firstRequest(context: Context) {
  const sample = await sampleSource(context);
  return {
    hasSample: sample !== null,
    input: { video_url: sample ?? PLACEHOLDER, start: 1.5, duration: 5 },
  };
}
