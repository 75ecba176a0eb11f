import { z } from 'zod';
import { namesStoredSource, storedSource } from '../../task/stored-source.ts';

const timeText = /^(?:(?:(\d{1,3}):)?([0-5]?\d):)?(\d{1,6}(?:\.\d{1,6})?)$/;

/**
 * Parses `"HH:MM:SS.mmm"`, `"MM:SS"` or plain digits as seconds.
 * @returns null if the text is not a time.
 */
export function secondsFromText(text: string): number | null {
  const match = timeText.exec(text);
  if (!match) return null;
  const [, hours = '0', minutes, seconds = '0'] = match;
  if (minutes !== undefined && Number(seconds) >= 60) return null;
  return Number(hours) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds);
}

const MAX_SECONDS = 360_000;

/** How the answer to a text that is no time ends. */
export const wrongTime = 'seconds, as a number or as "HH:MM:SS.mmm"';

/** A time in seconds, as a number or as `"HH:MM:SS.mmm"`. Parsed to a number. */
export function seconds(options: { min?: number; max?: number } = {}) {
  const { min = 0, max = MAX_SECONDS } = options;
  const message = `must be ${min} to ${max} ${wrongTime}`;
  const inRange = (value: number) => value >= min && value <= max;
  return z
    .union(
      [
        z.number().min(min).max(max),
        z
          .string()
          .max(20, { error: message, abort: true })
          .regex(timeText, { error: message, abort: true })
          .refine(
            (text) => {
              const value = secondsFromText(text);
              return value !== null && inRange(value);
            },
            { error: message },
          )
          .meta({ title: '"HH:MM:SS.mmm"' }),
      ],
      { error: message },
    )
    .transform((value) => (typeof value === 'number' ? value : (secondsFromText(value) ?? min)));
}

/** What the end of a span gets that is not behind its start. */
export const mustFollow = (start: number) => `must be greater than \`start\`, which is ${start}`;

/** What a text that is no source gets as an answer. */
export const wrongSource = 'must be an absolute https:// URL, `task:<task_id>` or `upload:<upload_id>`';

/** A source: an address that the service fetches, so it must be public HTTPS, the output of another task, or an upload. */
export const source = () =>
  z
    .string()
    .min(1, { error: wrongSource })
    .max(4096)
    .refine((text) => (namesStoredSource(text) ? storedSource(text) !== null : URL.canParse(text)), {
      error: wrongSource,
    });

export const sourceUrl = (what: string) =>
  source().meta({
    description: `Public https:// URL of ${what}, \`upload:<upload_id>\` for a file that you uploaded, or \`task:<task_id>\` for the main file of one of your tasks (the new task waits for it to end).`,
    format: 'uri',
  });

export const videoUrl = () => sourceUrl('the source video');
export const audioUrl = () => sourceUrl('the source audio');

export const containers = ['mp4', 'mov', 'webm', 'mkv'] as const;
export type VideoContainer = (typeof containers)[number];

export const audioContainers = ['mp3', 'm4a', 'wav', 'flac', 'ogg'] as const;
export type AudioContainer = (typeof audioContainers)[number];

export const videoCodecs = ['h264', 'hevc', 'vp9', 'av1'] as const;
export type VideoCodec = (typeof videoCodecs)[number];

export const fits = ['contain', 'cover', 'stretch'] as const;
export type Fit = (typeof fits)[number];

export const anchors = [
  'top_left',
  'top',
  'top_right',
  'left',
  'center',
  'right',
  'bottom_left',
  'bottom',
  'bottom_right',
] as const;
export type Anchor = (typeof anchors)[number];

const qualityNames = ['match_source', 'low', 'medium', 'high'] as const;

export const crf = () =>
  z.number().int().min(0).max(63).meta({
    description:
      'Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1.',
  });

/** SVT-AV1 refuses more. */
export const MOST_AV1_KBPS = 100_000;

export const videoBitrate = () =>
  z
    .number()
    .int()
    .min(50)
    .max(200_000)
    .meta({
      description: `Average bitrate of the video in kilobits per second; up to ${MOST_AV1_KBPS} for av1.`,
    });

export const quality = () =>
  z
    .union(
      [
        z.enum(qualityNames),
        z.strictObject({ crf: crf() }),
        z.strictObject({ video_bitrate_kbps: videoBitrate() }),
      ],
      {
        error:
          'must be `match_source`, `low`, `medium`, `high`, {"crf": 0–63} or {"video_bitrate_kbps": 50–200000}',
      },
    )
    .default('match_source')
    .meta({
      description:
        'Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.',
    });

export type Quality = z.output<ReturnType<typeof quality>>;

export const codec = () =>
  z
    .enum(['auto', ...videoCodecs])
    .default('auto')
    .meta({
      description:
        'Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).',
    });

export const format = () =>
  z.enum(containers).default('mp4').meta({ description: 'Container format of the output.' });

export const evenSide = (what: string) =>
  z
    .number()
    .int()
    .min(16)
    .max(4096)
    .meta({ description: `${what} in pixels, rounded down to an even number.` });

export const color = () =>
  z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a color such as "#1a2b3c"' })
    .meta({ title: '"#rrggbb"', description: 'Color as `#rrggbb`.' });

/** Codecs of each output container; the first is the fallback of `auto`. */
export const codecsOf = {
  mp4: ['h264', 'hevc', 'av1', 'vp9'],
  mov: ['h264', 'hevc'],
  webm: ['vp9', 'av1'],
  mkv: ['h264', 'hevc', 'vp9', 'av1'],
} as const satisfies Record<VideoContainer, readonly VideoCodec[]>;

export function codecFits(container: VideoContainer, name: 'auto' | VideoCodec): boolean {
  return name === 'auto' || (codecsOf[container] as readonly string[]).includes(name);
}

/** The worst quality on the scale of a codec. */
const mostCrf: Record<VideoCodec, number> = { h264: 51, hevc: 51, vp9: 63, av1: 63 };

/** Checks that the container supports the codec, and that its scale has the quality. */
export function checkCodec(
  input: { format: VideoContainer; codec: 'auto' | VideoCodec; quality: unknown },
  context: z.RefinementCtx,
): void {
  const { codec: asked, quality } = input;
  const most = asked === 'auto' ? null : mostCrf[asked];
  if (most !== null && isCrf(quality) && quality.crf > most) {
    context.addIssue({
      code: 'custom',
      path: ['quality', 'crf'],
      message: `must be from 0 to ${most} for \`${asked}\``,
    });
  }
  if (asked === 'av1' && isBitrate(quality) && quality.video_bitrate_kbps > MOST_AV1_KBPS) {
    context.addIssue({
      code: 'custom',
      path: ['quality', 'video_bitrate_kbps'],
      message: `must be from 50 to ${MOST_AV1_KBPS} for \`av1\``,
    });
  }
  if (codecFits(input.format, input.codec)) return;
  context.addIssue({
    code: 'custom',
    path: ['codec'],
    message: `\`${input.format}\` does not support the codec \`${input.codec}\`. Use ${codecsOf[input.format].map((name) => `\`${name}\``).join(', ')} or \`auto\`.`,
  });
}

const isCrf = (quality: unknown): quality is { crf: number } =>
  typeof quality === 'object' && quality !== null && 'crf' in quality;

const isBitrate = (quality: unknown): quality is { video_bitrate_kbps: number } =>
  typeof quality === 'object' && quality !== null && 'video_bitrate_kbps' in quality;

/** Picture fields of the frame operations. */
export const pictureFields = {
  width: evenSide('Width').optional(),
  height: evenSide('Height').optional(),
  fit: z.enum(fits).default('contain').meta({
    description:
      'How the picture is fitted if both `width` and `height` are given. `contain` shows the whole picture without bars, `cover` fills the size and crops the rest, `stretch` ignores the aspect ratio. With one side alone, the aspect ratio is kept.',
  }),
  quality: z.number().int().min(1).max(100).default(90).meta({
    description: 'Quality of jpeg and webp, from 1 to 100. png is always lossless.',
  }),
  format: z
    .enum(['jpeg', 'png', 'webp'])
    .default('jpeg')
    .meta({ description: 'Picture format of the output.' }),
  skip_black: z.boolean().default(false).meta({
    description: 'If the frame is black, use the nearest earlier frame that is not.',
  }),
};
