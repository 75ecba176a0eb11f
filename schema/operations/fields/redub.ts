import { z } from 'zod';
import { sourceUrl } from './fields.ts';

export const backgrounds = ['none', 'keep', 'external', 'centerremove', 'separate'] as const;
export type Background = (typeof backgrounds)[number];

const decibels = (description: string, fallback: number) =>
  z.number().min(-60).max(20).default(fallback).meta({ description });

/** Background fields of the redub operations. */
export const backgroundFields = {
  bg_source: z.enum(backgrounds).optional().meta({
    description:
      'Background sound under the voice. `none`: no background. `keep`: the audio of the video. `external`: the audio at `bg_url`. `centerremove`: the audio of the video without the center of its stereo image, where voices usually are. `separate`: the audio of the video with its voices removed by the best available engine.',
  }),
  bg_url: sourceUrl('the background for `bg_source: external`').optional(),
  bg_volume_db: decibels('Gain of the background in dB.', -12),
  duck: z.boolean().default(true).meta({
    description:
      'Lower the background while the voice speaks. Noise between its sentences does not keep it lowered.',
  }),
  duck_db: z.number().min(1).max(40).default(12).meta({
    description: 'Maximum reduction of the background in dB.',
  }),
  voice_volume_db: decibels('Gain of the voice in dB.', 0),
  fade_in: z.number().min(0).max(10).default(0).meta({ description: 'Fade-in of the new audio in seconds.' }),
  fade_out: z
    .number()
    .min(0)
    .max(10)
    .default(0)
    .meta({ description: 'Fade-out of the new audio in seconds.' }),
};

export const normalizeLufs = () =>
  z.number().min(-40).max(-8).meta({
    description:
      'Target loudness of the output in LUFS (EBU R 128). True peaks are at most −1.5 dBTP before encoding; a lossy codec may exceed that slightly.',
  });

/** Results of loudness normalization. */
export const loudnessFound = {
  gain_db: z.number().nullable().meta({
    description:
      'Gain applied to the whole mix in dB, to reach the target loudness or to avoid clipping; null in a dry run.',
  }),
  loudness_lufs: z.number().nullable().meta({
    description:
      'Loudness of the output in LUFS; null if it is silent or shorter than 0.4 s, and in a dry run.',
  }),
  true_peak_db: z.number().nullable().meta({
    description:
      'True peak of the output before encoding, in dBTP; null if it is silent or shorter than 0.4 s, and in a dry run.',
  }),
};

interface BackgroundInput {
  bg_source?: Background | undefined;
  bg_url?: string | undefined;
}

export function checkBackground(input: BackgroundInput, context: z.RefinementCtx): void {
  const issue = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (input.bg_source === 'external' && input.bg_url === undefined) {
    issue('bg_url', '`bg_source: external` needs `bg_url`.');
  }
  if (input.bg_url !== undefined && (input.bg_source ?? 'external') !== 'external') {
    issue('bg_source', '`bg_url` needs `bg_source: external`.');
  }
}

/** `bg_source` with its default. */
export function backgroundOf(input: BackgroundInput, otherwise: Background): Background {
  return input.bg_source ?? (input.bg_url === undefined ? otherwise : 'external');
}
