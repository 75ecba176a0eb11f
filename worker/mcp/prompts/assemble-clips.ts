import { z } from 'zod';
import { transitionNames } from '../../../schema/media/transitions.ts';
import { tool } from './names.ts';
import { FINISH, prompt, steps, text } from './prompt.ts';

/** URLs that a user separates with spaces, commas or lines; a URL may have commas itself. */
const listed = (urls: string) =>
  JSON.stringify(
    urls
      .split(/\s+|,(?=https?:|task:|upload:)/)
      .map((url) => url.replace(/^,/, '').replace(/,$/, ''))
      .filter((url) => url !== ''),
  );

export const assembleClips = prompt({
  name: 'assemble_clips',
  title: 'Assemble clips',
  description: 'Join clips in order, with a transition and music.',
  fields: z.strictObject({
    urls: text('https URLs of the clips in order, separated by spaces or commas'),
    transition: text('Transition between the clips; default fade').optional(),
    music_url: text('https URL of background music').optional(),
  }),
  complete: { transition: ['none', ...transitionNames] },
  text: ({ urls, transition = 'fade', music_url }) => {
    const music = music_url === undefined ? '' : ` and background_audio_url "${music_url}"`;
    return `Join these clips to one video: ${urls}

${steps(
  `Call ${tool('merge_urls')} with urls ${listed(urls)}, transition "${transition}", duration 0.5, normalize_audio true${music}.`,
)}

${FINISH} Also tell me at which second each clip begins (output.time_map).`;
  },
});
