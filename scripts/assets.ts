/**
 * Creates missing generated assets of the Worker, which are not committed: previews of the transitions, examples of other
 * operations, and the bundled scripts of the tools. `npm start` and `npm run deploy` run this.
 */
import { makeAssets } from './assets/make.ts';

const { made, left } = await makeAssets({
  ffmpeg: process.env.FFMPEG || 'ffmpeg',
  ffprobe: process.env.FFPROBE || 'ffprobe',
});
const reasons = [...new Set(left.map(({ reason }) => reason))].join('; ');
const without = left.length === 0 ? '' : `, ${left.length} not created (${reasons})`;
if (made > 0) console.log(`${made} previews and examples${without}`);
