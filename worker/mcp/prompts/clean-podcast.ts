import { z } from 'zod';
import { tool } from './names.ts';
import { FINISH, prompt, steps, text } from './prompt.ts';

export const cleanPodcast = prompt({
  name: 'clean_podcast',
  title: 'Clean a podcast',
  description:
    'Shorten the pauses of a recording and set its loudness; with a title, also make a video of it.',
  fields: z.strictObject({
    audio_url: text('https URL of the recording'),
    title: text('Title; if it is given, the episode becomes a video too').optional(),
    loudness: text('Loudness in LUFS; default -16').optional(),
  }),
  complete: { loudness: ['-16', '-19', '-14', '-23'] },
  text: ({ audio_url, title, loudness = '-16' }) => `Clean the podcast ${audio_url}.

${steps(
  `Call ${tool('silence_process')} with audio_url "${audio_url}", min_silence 0.6 and keep_silence 0.3.`,
  `When it is completed, call ${tool('transcode')} with video_url "task:<id of that task>", audio_only true, format "mp3" and normalize_lufs ${loudness}.`,
  title === undefined
    ? null
    : `When that is completed, call ${tool('visualize')} with audio_url "task:<id of that task>", style "wave" and title ${JSON.stringify(title)}.`,
)}

Tell me how many seconds of silence were removed (output.data.saved_seconds of the first task). ${FINISH}`,
});
