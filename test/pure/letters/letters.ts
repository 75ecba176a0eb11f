import { loadLetters } from '../../../transcoder/letters/load-letters.ts';

/** The fonts of this machine. */
export const { letters } = await loadLetters({ ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' });
