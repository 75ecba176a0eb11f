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
import { madeHow } from './fields/spans.ts';
import { operation } from './operation.ts';

export const redub = operation('redub', {
  path: '/redub',
  group: 'audio',
  title: 'Redub',
  summary: 'Replace the audio of a video with a voice, or mix both.',
  search: {
    title: 'Replace the audio of a video',
    lead: 'Put a new voice on a video and replace, keep or lower its background. The picture is copied, not re-encoded.',
  },
  tool: {
    name: 'replace_audio',
    description:
      'Put a recorded voice or music on a video, instead of its sound or mixed with it. To speak a text use dub_video, for another voice change_voice. Returns a video.',
    fields: {
      video_url: 'Source video',
      voice_url: 'New audio',
      mode: 'Drop or keep the old sound',
      voice_volume_db: 'Gain in dB',
      bg_url: 'Background under the voice',
    },
  },
  description:
    'Adds the audio at `voice_url` to the video, starting at `offset`, with or without background sound. The background is lowered while the voice speaks. If only the audio changes, the video is copied without re-encoding. `length_policy` sets the length of the output: that of the video, of the voice, or of the shorter one.',
  work: 'The video packets are copied. The voice and the background are mixed, levelled and encoded once. Only if the voice outlasts the video are frames re-encoded, to hold the last one.',
  feature: 'redub',
  fields: {
    video_url: videoUrl(),
    voice_url: sourceUrl('the new voice').optional(),
    audio_url: sourceUrl('the new voice; alias of `voice_url`').optional(),
    mode: z.enum(['replace', 'mix']).default('replace').meta({
      description:
        'What happens to the audio of the video if neither `bg_source` nor `bg_url` is given: `replace` removes it, `mix` keeps it as the background. With `bg_url`, the audio at that URL is the only background, also with `mix`.',
    }),
    ...backgroundFields,
    offset: z.number().min(-36_000).max(36_000).default(0).meta({
      description:
        'Time in the video at which the voice starts, in seconds. A negative value skips that much of the start of the voice.',
    }),
    length_policy: z.enum(['video', 'audio', 'shortest']).default('video').meta({
      description:
        'Length of the output: `video`, `audio` (end of the voice, including the offset) or `shortest` (the shorter of the two).',
    }),
    when_audio_shorter: z.enum(['silence', 'loop']).default('silence').meta({
      description: 'What follows if the voice ends first: `silence`, or `loop` to repeat the voice.',
    }),
    when_video_shorter: z.enum(['freeze', 'loop']).default('freeze').meta({
      description:
        'What follows if the video ends first: `freeze` holds the last frame, `loop` repeats the video.',
    }),
    normalize_lufs: normalizeLufs().optional(),
    quality: quality(),
    codec: codec(),
    format: format(),
  },
  refine: (input, context) => {
    if ((input.voice_url === undefined) === (input.audio_url === undefined)) {
      const message = 'Give either `voice_url` or `audio_url`.';
      context.addIssue({ code: 'custom', path: ['voice_url'], message });
    }
    checkBackground(input, context);
    checkCodec(input, context);
  },
  data: z.strictObject({
    drift_ms: z.number().meta({ description: 'Milliseconds by which the audio ends after the video.' }),
    ...loudnessFound,
    background: z.enum(backgrounds).meta({ description: 'Background that was used.' }),
    engine: engineUsed
      .nullable()
      .meta({ description: 'Engine that removed the voices from the background; null if none was used.' }),
    ...madeHow(),
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
    file_name: 'redub.mp4',
    role: 'video',
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
      spans: [{ out: [0, 42.5], frames: 1275, copied: true, rendered_because: null }],
    },
    time_map: [{ source: 0, in: [0, 42.5], out: [0, 42.5] }],
  },
  examples: [
    {
      title: 'Replace the audio with a voice',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        voice_url: 'https://media.example.com/voice.mp3',
      },
    },
    {
      title: 'Voice over music, normalized',
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
