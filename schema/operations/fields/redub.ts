import { z } from 'zod';
import { sourceUrl } from './fields.ts';

export const backgrounds = ['none', 'keep', 'external', 'centerremove', 'separate'] as const;
export type Background = (typeof backgrounds)[number];

const decibels = (description: string, fallback: number) =>
  z.number().min(-60).max(20).default(fallback).meta({ description });

/** What is heard below a new voice, shared by the operations that lay one over a video. */
export const backgroundFields = {
  bg_source: z.enum(backgrounds).optional().meta({
    description:
      'What is heard below the voice: `none`; `keep`, the sound of the video; `external`, that of `bg_url`; `centerremove`, the sound of the video without what stands in the middle of its stereo picture, where voices mostly are; `separate`, the sound of the video without its voices, by the best engine there is.',
  }),
  bg_url: sourceUrl('the background of `bg_source: external`').optional(),
  bg_volume_db: decibels('Gain of the background in decibels.', -12),
  duck: z.boolean().default(true).meta({ description: 'Lower the background while the voice is heard.' }),
  duck_db: z.number().min(1).max(40).default(12).meta({
    description: 'By how many decibels at most it is lowered.',
  }),
  voice_volume_db: decibels('Gain of the voice in decibels.', 0),
  fade_in: z
    .number()
    .min(0)
    .max(10)
    .default(0)
    .meta({ description: 'Seconds that the new sound takes to rise.' }),
  fade_out: z
    .number()
    .min(0)
    .max(10)
    .default(0)
    .meta({ description: 'Seconds that it takes to fall at the end.' }),
};

export const normalizeLufs = () =>
  z.number().min(-40).max(-8).meta({
    description:
      'Loudness of the result in LUFS (EBU R 128), with true peaks of at most −1.5 dB before a lossy codec adds its own.',
  });

/** What is found as a sound is brought to its loudness. */
export const loudnessFound = {
  gain_db: z.number().nullable().meta({
    description:
      'Gain that the whole sound was given, for its loudness or so that nothing clips; null in a dry run.',
  }),
  loudness_lufs: z
    .number()
    .nullable()
    .meta({ description: 'Of the result; null where it is silent, and in a dry run.' }),
  true_peak_db: z.number().nullable().meta({
    description: 'Of the result, before its encoding; null where it is silent, and in a dry run.',
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
    issue('bg_url', 'bg_source "external" needs bg_url');
  }
  if (input.bg_url !== undefined && (input.bg_source ?? 'external') !== 'external') {
    issue('bg_source', 'bg_url is for bg_source "external"');
  }
}

/** What the background of a request is, where it may not say. */
export function backgroundOf(input: BackgroundInput, otherwise: Background): Background {
  return input.bg_source ?? (input.bg_url === undefined ? otherwise : 'external');
}
