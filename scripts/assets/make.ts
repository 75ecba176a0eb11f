import type { Programs } from '../../transcoder/ffmpeg/run.ts';
import type { Capabilities } from '../../transcoder/model/capabilities.ts';
import { makeExamples } from '../examples/make.ts';
import { makePreviews } from '../previews/make.ts';
import { type Outcome, publish } from './missing.ts';

/** Creates missing previews and examples, as far as this machine can, and puts them among the Worker's assets. */
export async function makeClips(programs: Programs, capabilities: Capabilities): Promise<Outcome> {
  const [previews, examples] = await Promise.all([
    makePreviews(programs, capabilities),
    makeExamples(programs, capabilities),
  ]);
  await publish(['transitions', 'example-sources', 'examples', 'example-pictures']);
  return { made: previews.made + examples.made, left: [...previews.left, ...examples.left] };
}
