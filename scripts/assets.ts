/**
 * Creates missing generated assets of the Worker, which are not committed: `--clips`, the previews of the transitions and the examples of
 * other operations; `--tools`, the bundled scripts of the tools and of the search; without either, both. `npm run deploy` and `npm run setup` run all
 * of it, `npm start` the tools before it is ready and the clips after, with `--background`.
 */
import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { probeCapabilities } from '../transcoder/ffmpeg/capabilities.ts';
import { located } from '../transcoder/ffmpeg/located.mjs';
import { makeClips } from './assets/make.ts';
import { makeSearch } from './assets/search.ts';
import { makeTools } from './assets/tools.ts';

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { background: flag, clips: flag, tools: flag } });
// Children inherit it.
if (values.background) setPriority(constants.priority.PRIORITY_LOW);
if (values.tools || !values.clips) await Promise.all([makeTools(), makeSearch()]);
if (values.clips || !values.tools) await clips();

/** The documentation works without them, so the reason why they are missing is shown, and a deployment goes on. */
async function clips(): Promise<void> {
  const { FFMPEG, FFPROBE, PATH } = process.env;
  const programs = {
    ffmpeg: located(FFMPEG || 'ffmpeg', PATH),
    ffprobe: located(FFPROBE || 'ffprobe', PATH),
  };
  const capabilities = await probeCapabilities(programs).catch((error: Error) => {
    console.error(`No previews and examples: ffmpeg cannot be used (${error.message})`);
  });
  if (!capabilities) return;
  const { made, left } = await makeClips(programs, capabilities);
  const reasons = [...new Set(left.map(({ reason }) => reason))].join('; ');
  const without = left.length === 0 ? '' : `, ${left.length} not created (${reasons})`;
  // In the background, what is missing was named when the others were made.
  if (made > 0 || (left.length > 0 && !values.background))
    console.log(`${made} previews and examples${without}`);
}
