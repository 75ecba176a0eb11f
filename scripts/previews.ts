/** Makes the previews of the transitions where they are missing: `npm start` and `npm run deploy` run this. */
import { makePreviews } from './previews/make.ts';

const made = await makePreviews({
  ffmpeg: process.env.FFMPEG || 'ffmpeg',
  ffprobe: process.env.FFPROBE || 'ffprobe',
});
if (made) console.log('previews of the transitions');
