import { z } from 'zod';
import { deinterlace } from './fields/deinterlace.ts';
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
import { audioTrack, tracks } from './fields/tracks.ts';
import { operation } from './operation.ts';

const audioCodecs = ['aac', 'mp3', 'opus', 'vorbis', 'flac', 'pcm'] as const;
export type AudioCodec = (typeof audioCodecs)[number];

/** Audio codecs of each container; the first is the default of `auto`. */
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
  group: 'video',
  title: 'Transcode',
  summary: 'Convert a file to another container, codec, size, frame rate, bitrate or loudness.',
  search: {
    title: 'Convert video and audio',
    lead: 'Convert between MP4, MOV, WebM, MKV and audio formats; change codec, size, frame rate, bitrate or loudness of a file in one request.',
  },
  tool: {
    name: 'convert_media',
    description:
      'Convert a file to another format, codec, size, frame rate or loudness, or extract its audio (audio_only). To change the shape use crop_video. Returns a video or audio file.',
    fields: {
      video_url: 'Source; audio with audio_only',
      format: 'Default mp4, or mp3 with audio_only',
      codec: 'Video codec',
      width: 'Pixels',
      height: 'Pixels',
      fps: 'Frame rate',
      audio_only: 'Audio alone',
      normalize_lufs: 'Loudness, such as -16',
    },
  },
  description:
    'Re-encodes the video with the given settings and keeps everything else, to convert MOV to WebM, for example. AAC sound of an mp4 or mov is copied into mp4 or mov unless its settings change; other sound is re-encoded. `audio_only` extracts the audio and encodes it; `/remux` with an audio `format` extracts it as it is.',
  work: 'The video, and sound that is not copied, are decoded and encoded once, in one pass. The cost grows with pixels and frames, and with the codec: AV1 and VP9 cost several times as much as H.264. `audio_only` decodes the audio alone.',
  feature: 'video',
  fields: {
    video_url: sourceUrl('the source video, or of an audio file with `audio_only`'),
    format: z
      .enum([...containers, ...audioContainers])
      .optional()
      .meta({
        description: 'Container format of the output. Defaults to mp4, or to mp3 with `audio_only`.',
      }),
    codec: codec(),
    deinterlace: deinterlace(),
    width: evenSide('Width').optional(),
    height: evenSide('Height').optional(),
    fit: z.enum(fits).default('contain').meta({
      description:
        'How the picture is fitted if both `width` and `height` are given. `contain` adds black bars, `cover` crops, `stretch` ignores the aspect ratio. With one side alone, the aspect ratio is kept.',
    }),
    fps: z.number().min(1).max(120).optional().meta({
      description: 'Constant frame rate of the output. Without it, the frame times of the source are kept.',
    }),
    tracks: tracks(),
    audio_track: audioTrack(),
    quality: quality(),
    audio_codec: z
      .enum(['auto', ...audioCodecs])
      .default('auto')
      .meta({
        description: 'Audio codec. `auto` uses the default of the format.',
      }),
    audio_bitrate_kbps: z.number().int().min(32).max(512).optional().meta({
      description:
        'Bitrate of lossy audio that is re-encoded, within what the codec allows. Defaults to about that of the source, 48 to 192 kbit/s per channel; for PCM, FLAC and unknown bitrates, to 80 kbit/s per channel.',
    }),
    audio_only: z.boolean().default(false).meta({
      description:
        'Extract the audio only. `codec`, `quality`, `deinterlace` and `tracks` then have no effect; the bitrate of the sound is `audio_bitrate_kbps`.',
    }),
    normalize_lufs: z.number().min(-40).max(-5).optional().meta({
      description:
        'Target loudness in LUFS (EBU R 128) of the first audio track; others keep theirs. −16 is common on the web. Sound shorter than 0.4 s has no loudness and ends the task with `all_silent`.',
    }),
  },
  refine: (input, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const target = input.format ?? (input.audio_only ? 'mp3' : 'mp4');
    if (isAudioContainer(target)) {
      if (!input.audio_only)
        issue(
          'format',
          `\`${target}\` is an audio format. Set \`audio_only\` or use ${containers.join(', ')}.`,
        );
      for (const field of ['width', 'height', 'fps'] as const) {
        if (input[field] !== undefined)
          issue(field, `\`${field}\` cannot be combined with \`audio_only\`. Remove one of them.`);
      }
    } else if (input.audio_only) {
      issue(
        'format',
        `\`audio_only\` needs an audio format: ${audioContainers.join(', ')}. It is \`${target}\`.`,
      );
    } else {
      checkCodec({ ...input, format: target }, context);
    }
    const allowed: readonly string[] = audioCodecsOf[target];
    if (input.audio_codec !== 'auto' && !allowed.includes(input.audio_codec)) {
      issue(
        'audio_codec',
        `\`${target}\` does not support the audio codec \`${input.audio_codec}\`. Use ${allowed.join(', ')} or auto.`,
      );
    }
  },
  data: z.strictObject({
    measured_lufs: z.number().nullable().meta({
      description: 'Integrated loudness of the source in LUFS; null without `normalize_lufs`.',
    }),
  }),
  sources: (input) => [{ pointer: '/video_url', url: input.video_url }],
  errors: ['source_no_video', 'source_no_audio', 'track_not_found', 'all_silent', 'engine_unavailable'],
  exampleResult: {
    file_name: 'transcode.webm',
    role: 'video',
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
      title: 'Audio as mp3 at −16 LUFS',
      input: { video_url: 'https://media.example.com/talk.mp4', audio_only: true, normalize_lufs: -16 },
    },
  ],
});
