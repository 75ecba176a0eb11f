import { z } from 'zod';
import { engineField, engineUsed } from '../media/engines.ts';
import { sourceUrl, videoUrl } from './fields/fields.ts';
import { operation } from './operation.ts';

export const stemNames = ['vocals', 'music'] as const;
export type Stem = (typeof stemNames)[number];

export const separate = operation('separate', {
  path: '/separate',
  group: 'speech',
  title: 'Separate',
  summary: 'Vocals and music of a mix as files of their own, and the video with one of them alone.',
  description:
    'Takes a mix apart into vocals and music, which add up to it again, each a stereo file of the length of the source. With the model of Spleeter that works for any mix; without it, the middle of the stereo picture, where voices mostly are, is told apart from the rest, so that a mono source is refused. `return_video` adds the video with one stem in place of its sound, its picture packets copied, as the main file. Where a stem alone would clip, both are lowered alike.',
  feature: 'separate',
  fields: {
    video_url: videoUrl().optional(),
    audio_url: sourceUrl('the source audio, in place of video_url').optional(),
    stems: z
      .union([z.literal(2), z.array(z.enum(stemNames)).min(1).max(stemNames.length)], {
        error: 'Expected 2, or names among vocals and music: no engine makes more stems',
      })
      .default(2)
      .meta({ description: 'The stems to make: `2` for both, or their names.' }),
    engine: engineField('separate'),
    format: z
      .enum(['mp3', 'wav', 'flac', 'm4a'])
      .default('mp3')
      .meta({ description: 'Audio format of the stems; wav and flac have 24 bits.' }),
    bitrate_kbps: z
      .number()
      .int()
      .min(64)
      .max(320)
      .default(256)
      .meta({ description: 'Bitrate of stems in mp3 or m4a.' }),
    return_video: z.enum(['none', 'vocals', 'instrumental']).default('none').meta({
      description: 'Add the video as an mp4 with the vocals or the music (`instrumental`) as its sound.',
    }),
  },
  refine: (input, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((input.video_url === undefined) === (input.audio_url === undefined)) {
      issue('video_url', 'Give exactly one of video_url and audio_url');
    }
    if (input.return_video !== 'none' && input.video_url === undefined) {
      issue('return_video', 'This needs video_url');
    }
    if (input.stems !== 2 && new Set(input.stems).size < input.stems.length) {
      issue('stems', 'Name each stem once');
    }
  },
  data: z.strictObject({
    stems: z.array(z.enum(stemNames)).meta({ description: 'The files of stems, by their roles.' }),
    engine: engineUsed,
    gain_db: z.number().nullable().meta({
      description: 'Gain that every stem was given so that none clips, mostly 0; null in a dry run.',
    }),
    copied_seconds: z.number().meta({ description: 'Seconds of video whose packets were copied.' }),
    rendered_seconds: z.number().meta({ description: 'Seconds of video that were encoded anew.' }),
  }),
  sources: (input) => [
    input.video_url !== undefined
      ? { pointer: '/video_url', url: input.video_url }
      : { pointer: '/audio_url', url: input.audio_url ?? '' },
  ],
  errors: ['source_no_video', 'source_no_audio', 'source_not_stereo', 'engine_unavailable', 'engine_failed'],
  exampleResult: {
    file_name: 'song-vocals.mp3',
    media_type: 'audio/mpeg',
    duration: 184.2,
    width: null,
    height: null,
    fps: null,
    data: {
      stems: ['vocals', 'music'],
      engine: { id: 'spleeter', tier: 'model', quality: 'high', model_id: 'spleeter-2stems-fp16' },
      gain_db: 0,
      copied_seconds: 0,
      rendered_seconds: 0,
    },
    time_map: [{ source: 0, in: [0, 184.2], out: [0, 184.2] }],
  },
  examples: [
    {
      title: 'Vocals and music of a song',
      input: { audio_url: 'https://media.example.com/song.mp3' },
    },
    {
      title: 'A video without its singer, and the music as a lossless file',
      input: {
        video_url: 'https://media.example.com/karaoke.mp4',
        stems: ['music'],
        format: 'flac',
        return_video: 'instrumental',
      },
    },
  ],
});
