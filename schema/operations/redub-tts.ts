import { z } from 'zod';
import { captionLimits } from '../media/caption-limits.ts';
import { parseCaptions } from '../media/captions.ts';
import { enginesFor, engineUsed } from '../media/engines.ts';
import { spokenLanguage } from '../media/spoken-language.ts';
import { isSayable } from '../media/spoken-text.ts';
import { voiceOf } from '../media/voices.ts';
import { checkCodec, codec, format, quality, seconds, videoUrl } from './fields/fields.ts';
import {
  backgroundFields,
  backgrounds,
  checkBackground,
  loudnessFound,
  normalizeLufs,
} from './fields/redub.ts';
import { operation } from './operation.ts';

const MAX_SEGMENTS = 1000;
const MAX_SCRIPT = 100_000;
const NOTHING = 'There is nothing to say; a text has at least one letter or digit as it is pronounced';

/** Tiers by the names that callers know them by, then engines. */
const ttsProviders = ['auto', 'builtin', 'local', ...enginesFor('tts')] as const;

const voiceId = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional();

const span = z.tuple([z.number(), z.number()]);

export const redubTts = operation('redub_tts', {
  path: '/redub_tts',
  group: 'speech',
  title: 'Redub with a synthetic voice',
  summary: 'A video with a spoken script in place of its sound: plain text, SRT, VTT or timed segments.',
  description:
    'Speaks the script and lays it under the picture, each timed text at its moment, with or without a background. A text that takes longer than its slot first borrows the pause before the next one, less 80 ms; then it is spoken faster, up to `max_stretch_percent` by stretching, beyond that, up to half as fast again, by speaking faster; what is left shifts the text after it. No text is slowed down to fill its slot. `output.data.segments` says for each what happened. A plain text is spoken from the start on, sentence after sentence. A dry run speaks it too, to know how long it is. Where the speech outlasts the video, its last picture stays. The captions of what is heard come as files, with no recognition. Voices are listed by `GET /capabilities`; for `provider: elevenlabs` send your own key of it in the header `X-ElevenLabs-Key`: it is kept encrypted until the task has ended, and nowhere else.',
  feature: 'redub_tts',
  keyOf: 'elevenlabs',
  fields: {
    video_url: videoUrl(),
    script: z
      .string()
      .min(1)
      .max(MAX_SCRIPT)
      .optional()
      .meta({
        description: `What is said: plain text, or SubRip, WebVTT or ASS with its times, at most ${MAX_SEGMENTS} captions of ${captionLimits.cueCharacters} characters each; no word longer than ${captionLimits.wordCharacters} characters. Captions without a letter or a digit, such as ♪, are not spoken.`,
      }),
    segments: z
      .array(
        z.strictObject({
          start: seconds().meta({ description: 'Second of the video at which it begins.' }),
          end: seconds({ min: 0.001 })
            .optional()
            .meta({ description: 'Second at which it should be over; the start of the next if left out.' }),
          text: z.string().min(1).max(captionLimits.cueCharacters).meta({ description: 'What is said.' }),
          voice_id: voiceId().meta({ description: 'Another voice of the same engine for this segment.' }),
        }),
      )
      .min(1)
      .max(MAX_SEGMENTS)
      .optional()
      .meta({ description: 'What is said when, in order of time; in place of `script`.' }),
    voice_id: voiceId().meta({
      description:
        'The voice, as `GET /capabilities` lists it, or one of the provider; one of the language if left out.',
    }),
    provider: z.enum(ttsProviders).default('auto').meta({
      description:
        'Who speaks: the best engine there is (`auto`: with your key that of the provider), one that is part of the service (`builtin`), one with a model of the operator (`local`), or one by its name.',
    }),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/)
      .refine((tag) => spokenLanguage(tag) !== undefined, { error: 'Expected a BCP 47 tag such as pt-BR' })
      .default('en')
      .meta({
        description:
          'Language of the script, as a BCP 47 tag such as `en` or `pt-BR`; `zh` is spoken as Mandarin, in Hong Kong and Macau as Cantonese, `no` as Bokmål.',
      }),
    speed: z
      .number()
      .min(0.5)
      .max(2)
      .default(1)
      .meta({ description: 'How fast it is spoken, 1 being normal.' }),
    fit: z.enum(['stretch', 'none', 'trim']).default('stretch').meta({
      description:
        'What happens to a text that is longer than its slot: spoken faster, left as it is so that later ones shift, or cut with a fade.',
    }),
    max_stretch_percent: z.number().min(0).max(50).default(25).meta({
      description: 'By how much a spoken text is shortened by stretching at most.',
    }),
    pronunciations: z
      .record(z.string().min(1).max(60), z.string().min(1).max(120))
      .refine((value) => Object.keys(value).length <= 200, { error: 'At most 200 entries' })
      .default({})
      .meta({
        description: 'Words and how they are spelled so that they sound right; captions keep the words.',
      }),
    ...backgroundFields,
    normalize_lufs: normalizeLufs().default(-16),
    return_captions: z.boolean().default(true).meta({ description: 'Add the captions as SRT and WebVTT.' }),
    quality: quality(),
    codec: codec(),
    format: format(),
  },
  refine: (input, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if ((input.script === undefined) === (input.segments === undefined)) {
      issue(['script'], 'Give exactly one of script and segments');
    }
    const nothingIn = (text: string) => !isSayable(text, input.pronunciations);
    let last = 0;
    for (const [index, { start, end, text }] of (input.segments ?? []).entries()) {
      if (end !== undefined && end <= start) issue(['segments', index, 'end'], 'end must be after start');
      if (start < last) issue(['segments', index, 'start'], 'Give segments in order of time');
      if (nothingIn(text)) issue(['segments', index, 'text'], NOTHING);
      last = start;
    }
    if (input.provider !== 'elevenlabs' && input.provider !== 'auto') {
      const asked = [input.voice_id, ...(input.segments ?? []).map(({ voice_id }) => voice_id)];
      if (asked.some((id) => id !== undefined && !voiceOf(id))) {
        issue(['voice_id'], 'No such voice; GET /capabilities lists them');
      }
    }
    checkBackground(input, context);
    checkCodec(input, context);
  },
  checkText: ({ script, pronunciations }, context) => {
    if (script === undefined) return;
    const issue = (message: string) => context.addIssue({ code: 'custom', path: ['script'], message });
    const read = parseCaptions(script);
    if ('problem' in read) {
      issue(read.problem);
      return;
    }
    const cues = read.kind === 'cues' ? read.cues : read.kind === 'words' ? read.words : null;
    const texts = cues?.map(({ text }) => text) ?? [script];
    if (cues && cues.length > MAX_SEGMENTS) {
      issue(`Expected 1 to ${MAX_SEGMENTS} captions`);
    } else if (!texts.some((text) => isSayable(text, pronunciations))) {
      issue(NOTHING);
    }
  },
  data: z.strictObject({
    segments: z
      .array(
        z.strictObject({
          text: z.string(),
          slot: span.nullable().meta({ description: 'When it was to be heard; null of a plain text.' }),
          spoken: span.meta({ description: 'When it is heard, in seconds of the result.' }),
          stretch: z.number().meta({ description: 'How many times as fast as it would be spoken.' }),
          overrun: z.number().meta({ description: 'Seconds by which it goes beyond its slot.' }),
        }),
      )
      .meta({ description: 'What is said, in order.' }),
    engine: engineUsed,
    separation: engineUsed.nullable().meta({ description: 'What has taken the voices off the background.' }),
    background: z.enum(backgrounds).meta({ description: 'What is heard below the voice.' }),
    drift_ms: z.number().meta({ description: 'Milliseconds by which the sound ends after the picture.' }),
    ...loudnessFound,
    copied_seconds: z.number().meta({ description: 'Seconds of video whose packets were copied.' }),
    rendered_seconds: z.number().meta({ description: 'Seconds of video that were encoded anew.' }),
  }),
  sources: (input) => [
    { pointer: '/video_url', url: input.video_url },
    ...(input.bg_url === undefined ? [] : [{ pointer: '/bg_url', url: input.bg_url }]),
  ],
  errors: [
    'source_no_video',
    'source_no_audio',
    'source_not_stereo',
    'captions_invalid',
    'time_out_of_range',
    'engine_unavailable',
    'engine_failed',
    'provider_rejected_key',
  ],
  exampleResult: {
    file_name: 'tour.mp4',
    media_type: 'video/mp4',
    duration: 42.5,
    width: 1920,
    height: 1080,
    fps: 30,
    data: {
      segments: [
        { text: 'Welcome to the tour.', slot: [0.5, 2], spoken: [0.5, 1.86], stretch: 1, overrun: 0 },
        {
          text: 'This is the harbour, as it was.',
          slot: [2, 3.5],
          spoken: [2, 3.9],
          stretch: 1.12,
          overrun: 0.4,
        },
      ],
      engine: { id: 'flite', tier: 'embedded', quality: 'basic', model_id: 'cmu-us' },
      separation: null,
      background: 'none',
      drift_ms: 0,
      gain_db: 5.1,
      loudness_lufs: -16,
      true_peak_db: -2.2,
      copied_seconds: 42.5,
      rendered_seconds: 0,
    },
    time_map: [{ source: 0, in: [0, 42.5], out: [0, 42.5] }],
  },
  examples: [
    {
      title: 'A plain text, spoken from the start',
      input: {
        video_url: 'https://media.example.com/tour.mp4',
        script: 'Welcome to the tour. This is the harbour, as it was a hundred years ago.',
      },
    },
    {
      title: 'Timed segments over the lowered sound of the video',
      input: {
        video_url: 'https://media.example.com/tour.mp4',
        segments: [
          { start: 0.5, end: 2, text: 'Welcome to the tour.' },
          { start: '00:00:02', text: 'This is the harbour, as it was.', voice_id: 'slt' },
        ],
        voice_id: 'rms',
        bg_source: 'keep',
        pronunciations: { harbour: 'harber' },
      },
    },
  ],
});
