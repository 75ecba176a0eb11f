/**
 * Makes what the Worker serves and nobody commits, where it is missing: previews of the transitions, examples of the other
 * operations. `npm start` and `npm run deploy` run this.
 */
import { makeAssets } from './assets/make.ts';

const { made, left } = await makeAssets({
  ffmpeg: process.env.FFMPEG || 'ffmpeg',
  ffprobe: process.env.FFPROBE || 'ffprobe',
});
const reasons = [...new Set(left.map(({ reason }) => reason))].join('; ');
const without = left.length === 0 ? '' : `, ${left.length} not (${reasons})`;
if (made > 0) console.log(`${made} previews and examples${without}`);
