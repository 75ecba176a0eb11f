/**
 * Creates missing generated assets of the Worker, which are not committed: `--clips`, the previews of the transitions and the examples of
 * other operations; `--tools`, the bundled scripts of the tools and of the search; without either, both. `npm run deploy` and `npm run setup` run all
 * of it, `npm start` the tools before it is ready and the clips after, with `--background`.
 */
import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { located } from '../transcoder/ffmpeg/located.mjs';
import { makeClips } from './assets/make.ts';
import { makeSearch } from './assets/search.ts';
import { makeTools } from './assets/tools.ts';

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { background: flag, clips: flag, tools: flag } });
// Children inherit it.
if (values.background) setPriority(constants.priority.PRIORITY_LOW);
if (values.tools || !values.clips) await Promise.all([makeTools(), makeSearch()]);
if (values.clips || !values.tools) {
  const { FFMPEG, FFPROBE, PATH } = process.env;
  const programs = {
    ffmpeg: located(FFMPEG || 'ffmpeg', PATH),
    ffprobe: located(FFPROBE || 'ffprobe', PATH),
  };
  const { made, left } = await makeClips(programs);
  const reasons = [...new Set(left.map(({ reason }) => reason))].join('; ');
  const without = left.length === 0 ? '' : `, ${left.length} not created (${reasons})`;
  if (made > 0) console.log(`${made} previews and examples${without}`);
}
