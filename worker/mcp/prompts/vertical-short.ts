import { z } from 'zod';
import { captionPresetNames } from '../../../schema/media/caption-presets.ts';
import { heardLanguages, tool } from './names.ts';
import { FINISH, prompt, steps, text } from './prompt.ts';

export const verticalShort = prompt({
  name: 'vertical_short',
  title: 'Vertical short with captions',
  description: 'Cut a part out of a landscape video, make it vertical and add large captions.',
  fields: z.strictObject({
    video_url: text('https URL of the video'),
    start: text('Second at which the short begins; default 0').optional(),
    end: text('Second at which it ends; default 30 after the start').optional(),
    preset: text('Style of the captions').optional(),
    language: text('Language of the speech; default auto').optional(),
  }),
  complete: { preset: captionPresetNames, language: heardLanguages },
  text: ({
    video_url,
    start = '0',
    end,
    preset = 'word_pop',
    language = 'auto',
  }) => `Make a vertical short of ${video_url}.

${steps(
  `Call ${tool('cut')} with video_url "${video_url}", start ${start} and ${end === undefined ? 'duration 30' : `end ${end}`}.`,
  `When it is completed, call ${tool('crop')} with video_url "task:<id of that task>", aspect_ratio "9:16", fill "blur" and output_width 1080.`,
  `When that is completed, call ${tool('captions_auto')} with video_url "task:<id of that task>", preset "${preset}", language "${language}", position "center" and safe_area "reels".`,
)}

${FINISH}`,
});
