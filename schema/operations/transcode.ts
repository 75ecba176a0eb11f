import { z } from 'zod';
import {
  type AudioContainer,
  audioContainers,
  checkCodec,
  codec,
  containers,
  evenSide,
  fits,
  quality,
  sourceUrl,
  type VideoContainer,
} from './fields/fields.ts';
import { operation } from './operation.ts';

const audioCodecs = ['aac', 'mp3', 'opus', 'vorbis', 'flac', 'pcm'] as const;
export type AudioCodec = (typeof audioCodecs)[number];

/** The audio codecs each container can hold; the first is what `auto` uses. */
export const audioCodecsOf = {
  mp4: ['aac', 'mp3', 'opus', 'flac'],
  mov: ['aac', 'mp3', 'pcm'],
  webm: ['opus', 'vorbis'],
  mkv: ['aac', 'mp3', 'opus', 'vorbis', 'flac', 'pcm'],
  mp3: ['mp3'],
  m4a: ['aac'],
  wav: ['pcm'],
  flac: ['flac'],
  ogg: ['opus', 'vorbis', 'flac'],
} as const satisfies Record<VideoContainer | AudioContainer, readonly AudioCodec[]>;

const isAudioContainer = (name: string): name is AudioContainer =>
  (audioContainers as readonly string[]).includes(name);

export const transcode = operation('transcode', {
  path: '/transcode',
  group: 'edit',
  title: 'Transcode',
  summary: 'Another container, codec, size, frame rate, bitrate or loudness.',
  description:
    'Encodes the whole source anew as asked; what is not asked for stays as it is. `audio_only` takes the sound alone, in an audio format.',
  feature: 'video',
  fields: {
    video_url: sourceUrl('the source video, or of an audio file with audio_only'),
    format: z
      .enum([...containers, ...audioContainers])
      .optional()
      .meta({
        description: 'Container format of the result: mp4 if left out, mp3 with `audio_only`.',
      }),
    codec: codec(),
    width: evenSide('Width').optional(),
    height: evenSide('Height').optional(),
    fit: z.enum(fits).default('contain').meta({
      description:
        'When both sides are given: `contain` adds black bars, `cover` crops, `stretch` ignores the ratio. One side alone keeps the ratio.',
    }),
    fps: z.number().min(1).max(120).optional().meta({
      description: 'Constant frame rate; the frame times of the source are kept if left out.',
    }),
    quality: quality(),
    audio_codec: z
      .enum(['auto', ...audioCodecs])
      .default('auto')
      .meta({
        description: 'Audio codec; `auto` is the usual one of the format.',
      }),
    audio_bitrate_kbps: z.number().int().min(32).max(512).optional().meta({
      description:
        'Bitrate of lossy sound; left out: that of the source, whose packets are copied where they fit.',
    }),
    audio_only: z.boolean().default(false).meta({ description: 'Take the sound alone.' }),
    normalize_lufs: z.number().min(-40).max(-5).optional().meta({
      description: 'Integrated loudness to bring the sound to (EBU R 128), in LUFS; −16 is usual on the web.',
    }),
  },
  refine: (input, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const target = input.format ?? (input.audio_only ? 'mp3' : 'mp4');
    if (isAudioContainer(target)) {
      if (!input.audio_only) issue('format', `${target} holds sound alone; set audio_only`);
      for (const field of ['width', 'height', 'fps'] as const) {
        if (input[field] !== undefined) issue(field, 'Leave this out with audio_only');
      }
    } else if (input.audio_only) {
      issue('format', `audio_only needs one of ${audioContainers.join(', ')}`);
    } else {
      checkCodec({ format: target, codec: input.codec }, context);
    }
    const allowed: readonly string[] = audioCodecsOf[target];
    if (input.audio_codec !== 'auto' && !allowed.includes(input.audio_codec)) {
      issue('audio_codec', `${target} cannot hold ${input.audio_codec}; use ${allowed.join(', ')} or auto`);
    }
  },
  data: z.strictObject({
    measured_lufs: z.number().nullable().meta({
      description: 'Integrated loudness of the source where `normalize_lufs` was asked for, else null.',
    }),
  }),
  sources: (input) => [{ pointer: '/video_url', url: input.video_url }],
  errors: ['source_no_video', 'source_no_audio', 'all_silent'],
  exampleResult: {
    file_name: 'talk.webm',
    media_type: 'video/webm',
    duration: 62.4,
    width: 1280,
    height: 720,
    fps: 30,
    data: { measured_lufs: null },
    time_map: [{ source: 0, in: [0, 62.4], out: [0, 62.4] }],
  },
  examples: [
    {
      title: 'WebM at 720p',
      input: { video_url: 'https://media.example.com/talk.mov', format: 'webm', height: 720 },
    },
    {
      title: 'The sound as mp3 at −16 LUFS',
      input: { video_url: 'https://media.example.com/talk.mp4', audio_only: true, normalize_lufs: -16 },
    },
  ],
});
