import { z } from 'zod';
import { taskOfSource } from '../../task/task-source.ts';

const timeText = /^(?:(?:(\d{1,3}):)?([0-5]?\d):)?(\d{1,6}(?:\.\d{1,6})?)$/;

/**
 * Seconds from `"HH:MM:SS.mmm"`, `"MM:SS"` or plain digits.
 * @returns null where the text is no time.
 */
export function secondsFromText(text: string): number | null {
  const match = timeText.exec(text);
  if (!match) return null;
  const [, hours = '0', minutes, seconds = '0'] = match;
  if (minutes !== undefined && Number(seconds) >= 60) return null;
  return Number(hours) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds);
}

const MAX_SECONDS = 360_000;

/** A time in seconds, given as a number or as `"HH:MM:SS.mmm"`; always a number once parsed. */
export function seconds(options: { min?: number; max?: number } = {}) {
  const { min = 0, max = MAX_SECONDS } = options;
  const message = `Expected seconds from ${min} to ${max}, as a number or as "HH:MM:SS.mmm"`;
  const inRange = (value: number) => value >= min && value <= max;
  return z
    .union(
      [
        z.number().min(min).max(max),
        z
          .string()
          .max(20)
          .regex(timeText)
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

/** A source: an address that the service fetches, so it must be public HTTPS, or the output of another task. */
export const source = () =>
  z
    .string()
    .min(1)
    .max(4096)
    .refine((text) => (text.startsWith('task:') ? taskOfSource(text) !== null : URL.canParse(text)), {
      error: 'Expected an absolute https:// URL, or task:<task_id>',
    });

export const sourceUrl = (what: string) =>
  source().meta({
    description: `Public https:// URL of ${what}, or \`task:<task_id>\`: the main file of a completed task of yours.`,
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

export const quality = () =>
  z
    .union(
      [
        z.enum(qualityNames),
        z.strictObject({ crf: z.number().int().min(0).max(63) }),
        z.strictObject({ video_bitrate_kbps: z.number().int().min(50).max(200_000) }),
      ],
      {
        error: 'Expected match_source, low, medium, high, {"crf": 0–63} or {"video_bitrate_kbps": 50–200000}',
      },
    )
    .default('match_source')
    .meta({
      description:
        'How rendered pictures are encoded. `match_source` gives ten seconds and more the bitrate of the source within 15 % (in proportion to the pixels and frames that are left, more where the codec asked for needs more, less where a picture needs less at its best); `{crf}` is the scale of the codec in use (0–51 for h264 and hevc, 0–63 for vp9 and av1).',
    });

export type Quality = z.output<ReturnType<typeof quality>>;

export const codec = () =>
  z
    .enum(['auto', ...videoCodecs])
    .default('auto')
    .meta({
      description:
        'Video codec of the result. `auto` keeps the codec of the source where browsers play it in `format`, else h264 (vp9 in webm).',
    });

export const format = () =>
  z.enum(containers).default('mp4').meta({ description: 'Container format of the result.' });

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
    .regex(/^#[0-9a-fA-F]{6}$/, { error: 'Expected a colour as #rrggbb' })
    .meta({ title: '"#rrggbb"', description: 'Colour as `#rrggbb`.' });

/** The codecs each video container of ours can hold; the first is what `auto` falls back to. */
export const codecsOf = {
  mp4: ['h264', 'hevc', 'av1', 'vp9'],
  mov: ['h264', 'hevc'],
  webm: ['vp9', 'av1'],
  mkv: ['h264', 'hevc', 'vp9', 'av1'],
} as const satisfies Record<VideoContainer, readonly VideoCodec[]>;

export function codecFits(container: VideoContainer, name: 'auto' | VideoCodec): boolean {
  return name === 'auto' || (codecsOf[container] as readonly string[]).includes(name);
}

/** Refines an object that has `format` and `codec`: the container must be able to hold the codec. */
export function checkCodec(
  input: { format: VideoContainer; codec: 'auto' | VideoCodec },
  context: z.RefinementCtx,
): void {
  if (codecFits(input.format, input.codec)) return;
  context.addIssue({
    code: 'custom',
    path: ['codec'],
    message: `${input.format} cannot hold ${input.codec}; use ${codecsOf[input.format].join(', ')} or auto`,
  });
}

/** The fields of a still picture, shared by the frame operations. */
export const pictureFields = {
  width: evenSide('Width').optional(),
  height: evenSide('Height').optional(),
  fit: z.enum(fits).default('contain').meta({
    description:
      'What happens when both width and height are given: `contain` fits the whole picture inside them without bars, `cover` fills them and crops the rest, `stretch` ignores the ratio. One side alone keeps the ratio.',
  }),
  quality: z.number().int().min(1).max(100).default(90).meta({
    description: 'Quality of jpeg and webp from 1 to 100; png is lossless.',
  }),
  format: z.enum(['jpeg', 'png', 'webp']).default('jpeg').meta({ description: 'Picture format.' }),
  skip_black: z.boolean().default(false).meta({
    description: 'Take the nearest earlier picture that is not black.',
  }),
};

export const pictureMediaTypes = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' } as const;
