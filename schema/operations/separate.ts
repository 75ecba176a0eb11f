import { z } from 'zod';
import { engineField, enginesSelected, engineUsed } from '../media/engines.ts';
import { sourceUrl, videoUrl } from './fields/fields.ts';
import { madeHow } from './fields/spans.ts';
import { operation } from './operation.ts';

export const stemNames = ['vocals', 'music'] as const;
export type Stem = (typeof stemNames)[number];

export const separate = operation('separate', {
  path: '/separate',
  group: 'audio',
  title: 'Separate',
  summary: 'Separate vocals and music into files, optionally with a video that has one of them.',
  search: {
    title: 'Separate vocals and music',
    lead: 'Split a song or the sound of a video into vocals and music, as files that add up to the original.',
  },
  tool: {
    name: 'separate_vocals',
    description:
      'Split a song into vocals and music, such as for karaoke. To remove pauses use remove_silence. Returns one audio file per stem.',
    fields: {
      audio_url: 'Source audio',
      video_url: 'Source video instead',
      stems: '2 for both, or a list of one',
      return_video: 'Add the video with this stem',
    },
  },
  description:
    'Separates a mix into vocals and music. Each stem is a stereo file with the length of the source, and both add up to the mix. The Spleeter engine works for any mix. The built-in engine separates the center of the stereo image, where voices usually are, from the rest, so it rejects mono sources. `return_video` adds the video with one stem as its audio, as the main file; the video is copied without re-encoding. If a stem would clip, both stems are lowered by the same amount.',
  work: 'The audio is decoded once and separated in the time-frequency domain; the second stem is the mix minus the first, so both add up exactly. With `return_video`, the video packets are copied. The cost grows with the length of the audio.',
  feature: 'separate',
  fields: {
    video_url: videoUrl().optional(),
    audio_url: sourceUrl('the source audio, instead of `video_url`').optional(),
    stems: z
      .union([z.literal(2), z.array(z.enum(stemNames)).min(1).max(stemNames.length)], {
        error: 'must be 2 or a list of `vocals` and `music`',
      })
      .default(2)
      .meta({ description: 'Stems to produce: `2` for both, or a list of their names.' }),
    engine: engineField('separate'),
    format: z
      .enum(['mp3', 'wav', 'flac', 'm4a'])
      .default('mp3')
      .meta({ description: 'Audio format of the stems. wav and flac are 24-bit.' }),
    bitrate_kbps: z
      .number()
      .int()
      .min(64)
      .max(320)
      .default(256)
      .meta({ description: 'Bitrate of mp3 and m4a stems.' }),
    return_video: z.enum(['none', 'vocals', 'instrumental']).default('none').meta({
      description: 'Add the video as mp4 with the vocals or the music (`instrumental`) as its audio.',
    }),
  },
  refine: (input, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((input.video_url === undefined) === (input.audio_url === undefined)) {
      issue('video_url', 'Give either `video_url` or `audio_url`.');
    }
    if (input.return_video !== 'none' && input.video_url === undefined) {
      issue('return_video', '`return_video` needs a `video_url`.');
    }
    if (input.stems !== 2 && new Set(input.stems).size < input.stems.length) {
      issue('stems', 'Give each stem only once.');
    }
  },
  data: z.strictObject({
    stems: z
      .array(z.enum(stemNames))
      .meta({ description: 'Stems that were produced; the name is the role of the file.' }),
    engine: engineUsed,
    gain_db: z.number().nullable().meta({
      description: 'Gain applied to all stems to avoid clipping, in dB; usually 0. Null in a dry run.',
    }),
    ...madeHow(),
  }),
  engines: ({ engine }) => [{ pointer: '/engine', engines: enginesSelected('separate', engine) }],
  sources: (input) => [
    input.video_url !== undefined
      ? { pointer: '/video_url', url: input.video_url }
      : { pointer: '/audio_url', url: input.audio_url ?? '' },
  ],
  errors: ['source_no_video', 'source_no_audio', 'source_not_stereo', 'engine_unavailable', 'engine_failed'],
  exampleResult: {
    file_name: 'separate.mp3',
    role: 'vocals',
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
      title: 'Karaoke video, and the music as a lossless file',
      input: {
        video_url: 'https://media.example.com/karaoke.mp4',
        stems: ['music'],
        format: 'flac',
        return_video: 'instrumental',
      },
    },
  ],
});
