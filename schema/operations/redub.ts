import { z } from 'zod';
import { engineUsed } from '../media/engines.ts';
import { checkCodec, codec, format, quality, sourceUrl, videoUrl } from './fields/fields.ts';
import {
  backgroundFields,
  backgrounds,
  checkBackground,
  loudnessFound,
  normalizeLufs,
} from './fields/redub.ts';
import { operation } from './operation.ts';

export const redub = operation('redub', {
  path: '/redub',
  group: 'speech',
  title: 'Redub',
  summary: 'A video with another sound: a voice in place of its own, or over it.',
  description:
    'Lays the sound at `voice_url` under the picture, from `offset` on, with or without a background that is lowered while the voice is heard. The packets of the picture are copied where only the sound changes. `length_policy` decides how long the result is: as the video, as the voice, or as the shorter of both.',
  feature: 'redub',
  fields: {
    video_url: videoUrl(),
    voice_url: sourceUrl('the new voice').optional(),
    audio_url: sourceUrl('the new voice; another name of `voice_url`').optional(),
    mode: z.enum(['replace', 'mix']).default('replace').meta({
      description:
        'What becomes of the sound of the video where `bg_source` is left out: `replace` drops it, `mix` keeps it as the background.',
    }),
    ...backgroundFields,
    offset: z.number().min(-36_000).max(36_000).default(0).meta({
      description:
        'Seconds of the video at which the voice begins; a negative one leaves out so much of its start.',
    }),
    length_policy: z.enum(['video', 'audio', 'shortest']).default('video').meta({
      description:
        'What the result is as long as: the video, the voice from its offset on, or the shorter of both.',
    }),
    when_audio_shorter: z.enum(['silence', 'loop']).default('silence').meta({
      description: 'After the end of the voice: silence, or the voice again.',
    }),
    when_video_shorter: z.enum(['freeze', 'loop']).default('freeze').meta({
      description: 'After the end of the video: its last picture, or the video again.',
    }),
    normalize_lufs: normalizeLufs().optional(),
    quality: quality(),
    codec: codec(),
    format: format(),
  },
  refine: (input, context) => {
    if ((input.voice_url === undefined) === (input.audio_url === undefined)) {
      const message = 'Give exactly one of voice_url and audio_url';
      context.addIssue({ code: 'custom', path: ['voice_url'], message });
    }
    checkBackground(input, context);
    checkCodec(input, context);
  },
  data: z.strictObject({
    drift_ms: z.number().meta({ description: 'Milliseconds by which the sound ends after the picture.' }),
    ...loudnessFound,
    background: z.enum(backgrounds).meta({ description: 'What is heard below the voice.' }),
    engine: engineUsed.nullable().meta({ description: 'What has taken the voices off the background.' }),
    copied_seconds: z.number().meta({ description: 'Seconds of video whose packets were copied.' }),
    rendered_seconds: z.number().meta({ description: 'Seconds of video that were encoded anew.' }),
  }),
  sources: (input) => [
    { pointer: '/video_url', url: input.video_url },
    input.voice_url !== undefined
      ? { pointer: '/voice_url', url: input.voice_url }
      : { pointer: '/audio_url', url: input.audio_url ?? '' },
    ...(input.bg_url === undefined ? [] : [{ pointer: '/bg_url', url: input.bg_url }]),
  ],
  errors: [
    'source_no_video',
    'source_no_audio',
    'source_not_stereo',
    'time_out_of_range',
    'clip_too_short',
    'engine_unavailable',
    'engine_failed',
  ],
  exampleResult: {
    file_name: 'talk.mp4',
    media_type: 'video/mp4',
    duration: 42.5,
    width: 1920,
    height: 1080,
    fps: 30,
    data: {
      drift_ms: 0,
      gain_db: 2.4,
      loudness_lufs: -16,
      true_peak_db: -1.6,
      background: 'external',
      engine: null,
      copied_seconds: 42.5,
      rendered_seconds: 0,
    },
    time_map: [{ source: 0, in: [0, 42.5], out: [0, 42.5] }],
  },
  examples: [
    {
      title: 'Another voice in place of the sound',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        voice_url: 'https://media.example.com/voice.mp3',
      },
    },
    {
      title: 'A voice over music, at a loudness',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        voice_url: 'https://media.example.com/voice.mp3',
        bg_source: 'external',
        bg_url: 'https://media.example.com/music.mp3',
        offset: 1.5,
        fade_out: 2,
        normalize_lufs: -16,
      },
    },
  ],
});
