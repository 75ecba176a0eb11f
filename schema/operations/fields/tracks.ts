import { z } from 'zod';

/** Which sound, text and chapters of a video are kept. */
export const tracks = () =>
  z.enum(['all', 'first']).default('all').meta({
    description:
      '`all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters.',
  });

/** Most audio tracks that can be chosen from. */
const MOST_TRACKS = 64;

export const audioTrack = () =>
  z
    .number()
    .int()
    .min(0)
    .max(MOST_TRACKS - 1)
    .optional()
    .meta({
      description:
        'Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first.',
    });
