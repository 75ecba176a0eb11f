/**
 * Creates missing generated assets of the Worker, which are not committed: previews of the transitions and examples of other
 * operations. `npm start` runs this in the background, `npm run setup` and `npm run deploy` before they end.
 */
import { constants, setPriority } from 'node:os';
import { makeAssets } from './assets/make.ts';

// Children inherit it.
if (process.argv.includes('--background')) setPriority(constants.priority.PRIORITY_LOW);

const { made, left } = await makeAssets({
  ffmpeg: process.env.FFMPEG || 'ffmpeg',
  ffprobe: process.env.FFPROBE || 'ffprobe',
});
const reasons = [...new Set(left.map(({ reason }) => reason))].join('; ');
const without = left.length === 0 ? '' : `, ${left.length} not created (${reasons})`;
if (made > 0) console.log(`${made} previews and examples${without}`);
