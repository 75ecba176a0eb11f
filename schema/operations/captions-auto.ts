import { z } from 'zod';
import { captionLimitsText } from '../media/caption-limits.ts';
import { captionFonts, captionPresetNames, captionPresets } from '../media/caption-presets.ts';
import { parseCaptions, timedWord, timedWords } from '../media/captions.ts';
import { engineField, engineUsed } from '../media/engines.ts';
import { idPattern } from '../task/ids.ts';
import {
  anchors,
  checkCodec,
  codec,
  color,
  format,
  quality,
  seconds,
  sourceUrl,
  videoUrl,
} from './fields/fields.ts';
import { operation } from './operation.ts';

const MAX_TEXT = 200_000;

const captionOutputs = ['srt', 'vtt', 'ass', 'txt', 'words_json'] as const;
export type CaptionOutput = (typeof captionOutputs)[number];

/** Of the words in `output.data`; all of them are in the file `words_json`. */
export const MOST_WORDS_TOLD = 2000;

const colorOf = (what: string) => color().optional().meta({ title: '"#rrggbb"', description: what });

const style = z
  .strictObject({
    font_family: z.enum(captionFonts).optional().meta({
      description: 'The letters; scripts that they lack are taken from the Noto families.',
    }),
    font_size_percent: z.number().min(1).max(20).optional().meta({
      description: 'Height of a line in percent of the shorter side of the picture.',
    }),
    color: colorOf('Colour of the letters.'),
    highlight_color: colorOf('Colour of what marks the spoken word.'),
    outline_color: colorOf('Colour of the outline.'),
    outline_px: z.number().min(0).max(40).optional().meta({ description: 'Width of the outline in pixels.' }),
    background_color: colorOf('Colour of the box behind the letters, where the preset has one.'),
    background_opacity: z.number().min(0).max(1).optional().meta({ description: 'Of that box.' }),
    letter_case: z.enum(['as_is', 'upper', 'lower']).optional().meta({ description: 'Case of the letters.' }),
  })
  .default({})
  .meta({ description: 'What is different from the preset.' });

const presets = captionPresetNames.map((name) => `\`${name}\`: ${captionPresets[name]}`).join('; ');

export const captionsAuto = operation('captions_auto', {
  path: '/captions/auto',
  group: 'speech',
  title: 'Captions',
  summary:
    'Captions of a video by recognition, or from a script or captions of yours, drawn into the picture and as files.',
  description:
    'Hears what is said, with the time of every word, or takes what you give in `captions`: a plain script is aligned with what is said; SubRip, WebVTT, ASS and words with times keep theirs and nothing is heard. Words are divided into captions by their meaning: lines of at most `max_chars_per_line`, 0.83 to 7 seconds, at most 20 characters a second, broken at the end of sentences and clauses and not behind an article or preposition; captions of yours stay as they are divided, unless they are longer than what fits. They are drawn into the picture (`burn`) in one of ten presets, and come as files. Only frames that show a caption are encoded anew where the codec allows it; the sound is copied. Arabic, Hebrew, Chinese, Japanese, Korean and Indic scripts are shaped as they are written. PocketSphinx, which is always part of the service, hears clear English alone; what the operator may add hears 25 languages. `output.data.engine` says what has heard it. A dry run listens too.',
  feature: 'captions',
  fields: {
    video_url: videoUrl(),
    language: z
      .string()
      .regex(/^(auto|[a-z]{2,3}(-[A-Za-z0-9]{2,4})?)$/)
      .default('auto')
      .meta({ description: 'Language of what is said, as a BCP 47 tag such as `en` or `pt-BR`.' }),
    engine: engineField('asr'),
    captions: z
      .union([z.string().min(1).max(MAX_TEXT), timedWords], {
        error: 'Expected a script, SubRip, WebVTT, ASS, or words as [{start, end, text}]',
      })
      .optional()
      .meta({
        description: `What is said: a plain script, which is aligned with the sound; or SubRip, WebVTT, ASS or words with their times, which are taken as they are. ${captionLimitsText}`,
      }),
    captions_url: sourceUrl('a file of captions').optional().meta({
      description:
        'Public https:// URL of a text such as `captions` takes, of at most 4 MB and within the same limits, in its place; or `task:<task_id>`, whose main file it is.',
    }),
    time_map_task: z.string().regex(idPattern('task')).optional().meta({
      description:
        'A completed task of yours, such as a cut: captions with the times of its source are moved to those of its output, and what it has left out is left out.',
    }),
    time_map_source: z.number().int().min(0).max(99).default(0).meta({
      description: 'Which source of that task the captions are of, counted from 0.',
    }),
    burn: z.boolean().default(true).meta({ description: 'Draw the captions into the picture.' }),
    embed: z.enum(['none', 'soft']).default('none').meta({
      description:
        'Whether the video has the captions as a track too, which players show when they are told to: `soft` (mov_text in mp4 and mov, SubRip in mkv, WebVTT in webm). With `burn: false` the packets of the picture are copied.',
    }),
    outputs: z
      .array(z.enum(captionOutputs))
      .max(captionOutputs.length)
      .refine((value) => new Set(value).size === value.length, { error: 'Name each once' })
      .default(['srt'])
      .meta({ description: 'The files to make of the captions; of `ass` the one that is drawn.' }),
    preset: z
      .enum(captionPresetNames)
      .default('clean')
      .meta({ description: `How they look. ${presets}. See \`/docs/examples\`.` }),
    style,
    layout: z.enum(['phrase', 'word', 'line']).default('phrase').meta({
      description: 'What is shown at a time: a phrase, a single word, or a single line.',
    }),
    max_words: z.number().int().min(1).max(40).optional().meta({ description: 'Most words of a caption.' }),
    max_chars_per_line: z.number().int().min(8).max(80).default(42).meta({
      description:
        'Most characters of a line, letters of East Asia counting two; fewer where the picture is narrow.',
    }),
    max_lines: z.number().int().min(1).max(4).default(2).meta({ description: 'Most lines of a caption.' }),
    position: z.enum(anchors).default('bottom').meta({ description: 'Where in the picture they stand.' }),
    safe_area: z.enum(['none', 'tiktok', 'reels', 'shorts']).default('none').meta({
      description: 'Keep clear of what this player lays over the picture.',
    }),
    replacements: z
      .array(
        z.strictObject({
          from: z.string().min(1).max(100).meta({ description: 'One word or more, in any case.' }),
          to: z.string().max(100).meta({ description: 'What stands in their place; empty for nothing.' }),
        }),
      )
      .max(200)
      .default([])
      .meta({ description: 'Words to be replaced in the captions.' }),
    vocabulary: z.array(z.string().min(1).max(100)).max(200).default([]).meta({
      description:
        'Names and terms that are said, as they are written, such as `Kubernetes`. In English, words that sound like one of them, and of which the engine is not sure, are heard again, and replaced by it where that is likelier. In other languages words are replaced whose letters are almost those of a term, which finds fewer. Every other word stays as it was heard, and `replacements` come after. Without effect where `captions` are given: those are written as they are.',
    }),
    exclude_ranges: z
      .array(
        z
          .strictObject({
            start: seconds().meta({ description: 'Second at which it begins.' }),
            end: seconds({ min: 0.001 }).meta({ description: 'Second at which it ends.' }),
          })
          .refine(({ start, end }) => end > start, { error: 'end must be after start' }),
      )
      .max(100)
      .default([])
      .meta({ description: 'Ranges of the video without captions.' }),
    quality: quality(),
    codec: codec(),
    format: format(),
  },
  refine: (input, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if (input.captions !== undefined && input.captions_url !== undefined) {
      issue(['captions_url'], 'Give at most one of captions and captions_url');
    }
    if (
      input.time_map_task !== undefined &&
      input.captions === undefined &&
      input.captions_url === undefined
    ) {
      issue(['time_map_task'], 'time_map_task moves captions or captions_url');
    }
    for (const [index, { from }] of input.replacements.entries()) {
      if (!/[\p{L}\p{N}]/u.test(from))
        issue(['replacements', index, 'from'], 'Give at least one letter or digit');
    }
    for (const [index, term] of input.vocabulary.entries()) {
      if (term !== '' && !/\p{L}/u.test(term)) issue(['vocabulary', index], 'Give at least one letter');
    }
    if (!input.burn && input.embed === 'none' && input.outputs.length === 0)
      issue(['outputs'], 'Nothing is asked for');
    checkCodec(input, context);
  },
  checkText: ({ captions }, context) => {
    if (typeof captions !== 'string') return;
    const parsed = parseCaptions(captions);
    if ('problem' in parsed)
      context.addIssue({ code: 'custom', path: ['captions'], message: parsed.problem });
  },
  data: z.strictObject({
    words: z
      .array(timedWord)
      .max(MOST_WORDS_TOLD)
      .meta({
        description: `The words with their times, the first ${MOST_WORDS_TOLD} of them; \`words_json\` has all. \`confidence\` of a word that was heard is how probable its engine finds it; null for words of a script, of captions that have none, and for those that \`vocabulary\` or \`replacements\` have put there.`,
      }),
    word_count: z.number().int().meta({ description: 'How many words there are.' }),
    cue_count: z.number().int().meta({ description: 'How many captions they make.' }),
    language: z
      .string()
      .nullable()
      .meta({ description: 'As asked for, or as the engine knows it; null where nothing tells.' }),
    engine: engineUsed
      .nullable()
      .meta({ description: 'What has heard it; null where captions with times were given.' }),
    times: z.enum(['heard', 'aligned', 'given']).meta({
      description:
        'Where the times of the words are from: recognition, alignment of a script, or the captions given.',
    }),
    copied_seconds: z.number().meta({ description: 'Seconds of video whose packets were copied.' }),
    rendered_seconds: z.number().meta({ description: 'Seconds of video that were encoded anew.' }),
  }),
  sources: (input) => [
    { pointer: '/video_url', url: input.video_url },
    ...(input.captions_url === undefined
      ? []
      : [{ pointer: '/captions_url', url: input.captions_url, kind: 'text' as const }]),
    ...(input.time_map_task === undefined
      ? []
      : [{ pointer: '/time_map_task', url: `task:${input.time_map_task}`, kind: 'time_map' as const }]),
  ],
  errors: [
    'source_no_video',
    'source_no_audio',
    'captions_invalid',
    'no_speech_found',
    'time_out_of_range',
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
      words: [
        { start: 0.42, end: 0.71, text: 'welcome', confidence: 0.874 },
        { start: 0.71, end: 1.02, text: 'back', confidence: 1 },
      ],
      word_count: 2,
      cue_count: 1,
      language: 'en',
      engine: { id: 'pocketsphinx', tier: 'embedded', quality: 'basic', model_id: 'en-us' },
      times: 'heard',
      copied_seconds: 40.2,
      rendered_seconds: 2.3,
    },
    time_map: [{ source: 0, in: [0, 42.5], out: [0, 42.5] }],
  },
  examples: [
    {
      title: 'What is said, drawn into the picture',
      input: { video_url: 'https://media.example.com/talk.mp4' },
    },
    {
      title: 'A talk whose names are known',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        language: 'en',
        vocabulary: ['Kubernetes', 'Anneliese Okonkwo', 'PostgreSQL'],
        outputs: ['srt', 'words_json'],
      },
    },
    {
      title: 'A script, word by word for a phone',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        captions: 'Welcome back. Today we build a kite.',
        preset: 'word_pop',
        position: 'center',
        safe_area: 'tiktok',
        outputs: ['srt', 'words_json'],
      },
    },
    {
      title: 'Files alone, of captions with times',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        captions: '1\n00:00:00,400 --> 00:00:01,900\nWelcome back.\n',
        burn: false,
        outputs: ['vtt', 'ass'],
        replacements: [{ from: 'welcome', to: 'Hello' }],
      },
    },
  ],
});
