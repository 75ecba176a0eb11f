import { probeCapabilities } from '../../transcoder/ffmpeg/capabilities.ts';
import type { Programs } from '../../transcoder/ffmpeg/run.ts';
import { makeExamples } from '../examples/make.ts';
import { makePreviews } from '../previews/make.ts';
import type { Outcome } from './missing.ts';
import { makeTools } from './tools.ts';

/** Bundles the tools, and creates missing previews and examples, as far as this machine can. */
export async function makeAssets(programs: Programs): Promise<Outcome> {
  const capabilities = await probeCapabilities(programs);
  const [previews, examples] = await Promise.all([
    makePreviews(programs, capabilities),
    makeExamples(programs, capabilities),
    makeTools(),
  ]);
  return { made: previews.made + examples.made, left: [...previews.left, ...examples.left] };
}
