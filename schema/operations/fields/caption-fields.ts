import { z } from 'zod';
import { captionLimitsText } from '../../media/caption-limits.ts';
import {
  captionEntranceNames,
  captionEntrances,
  captionFonts,
  captionPresetNames,
  captionPresets,
  PUNCH_SIZE,
  PUNCH_WORDS,
  punchPresets,
} from '../../media/caption-presets.ts';
import { captionWords, parseCaptions } from '../../media/captions.ts';
import { SPEAKER_CHARACTERS } from '../../media/cue-markup.ts';
import { emojiLanguages, isEmoji } from '../../media/emoji.ts';
import { engineField } from '../../media/engines.ts';
import { anchors, color, seconds, sourceUrl } from './fields.ts';
import { fontUrl } from './font.ts';
import { speakers, spokenLanguage, vocabulary } from './speech.ts';

const MAX_TEXT = 200_000;

const MOST_SPEAKERS = 50;

/** Words with an emoji. */
const MOST_PICTURED = 100;

const colorOf = (what: string) => color().optional().meta({ title: '"#rrggbb"', description: what });

const style = z
  .strictObject({
    font_family: z.enum(captionFonts).optional().meta({
      description: 'Font family. Letters that it lacks come from the Noto families, emoji from Twemoji.',
    }),
    font_url: fontUrl().optional(),
    font_size_percent: z.number().min(1).max(20).optional().meta({
      description:
        'Line height in percent of the shorter side of the picture. By default as in the preset; fonts that it does not use get equally high capitals.',
    }),
    color: colorOf('Color of the text.'),
    highlight_color: colorOf('Color that highlights the current word.'),
    highlight_colors: z.array(color()).min(1).max(3).optional().meta({
      description:
        'Up to three highlight colors, which captions use in turn. Use it instead of `highlight_color`.',
    }),
    outline_color: colorOf('Color of the outline.'),
    outline_px: z.number().min(0).max(40).optional().meta({ description: 'Width of the outline in pixels.' }),
    background_color: colorOf('Color of the box behind the text, if the preset has one.'),
    background_opacity: z.number().min(0).max(1).optional().meta({ description: 'Opacity of that box.' }),
    letter_case: z
      .enum(['as_is', 'upper', 'lower'])
      .optional()
      .meta({ description: 'Letter case of the text.' }),
  })
  .default({})
  .meta({
    description:
      'Settings that override the preset. If letters cannot be read with the colors that you choose, they get a black or white outline, unless you choose it too.',
  });

const listOf = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

const entrances = captionEntranceNames.map((name) => `\`${name}\`: ${captionEntrances[name]}`).join('; ');

const presets = captionPresetNames.map((name) => `\`${name}\`: ${captionPresets[name]}`).join('; ');

/** Fields of operations that draw captions. */
export const captionFields = {
  captions: z
    .union([z.string().min(1).max(MAX_TEXT), captionWords], {
      error:
        'must be a script, SubRip, WebVTT, ASS, or words as [{"start": 0.5, "end": 0.8, "text": "Hello"}]',
    })
    .optional()
    .meta({
      description: `Text of the captions: a plain script, which is aligned with the speech, or SubRip, WebVTT, ASS or timed words, whose times are kept. A word may have a \`speaker\`, a \`color\` and be \`bold\` or \`italic\`; WebVTT says the same with \`<v Ann>\`, \`<c.red>\`, \`<b>\` and \`<i>\`. ${captionLimitsText}`,
    }),
  captions_url: sourceUrl('a caption file').optional().meta({
    description:
      'Public https:// URL of a caption file or script, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). Use it instead of `captions`; the same limits apply, and the file has at most 4 MB.',
  }),
  language: spokenLanguage(),
  engine: engineField('asr'),
  preset: z
    .enum(captionPresetNames)
    .default('clean')
    .meta({ description: `Style of the captions. ${presets}. See \`/docs/examples\` for previews.` }),
  style,
  layout: z
    .enum(['auto', 'phrase', 'word', 'line', 'punch'])
    .default('auto')
    .meta({
      description: `What is shown at a time: a \`phrase\`, a single \`word\`, a single \`line\`, or with \`punch\` 1 to ${PUNCH_WORDS} large words in the middle of the picture, their lines ${PUNCH_SIZE.least} to ${PUNCH_SIZE.most} % of the shorter side high. \`auto\` is \`punch\` if captions are burned into a picture that is higher than wide in one of the presets ${listOf(punchPresets)}, and \`max_words\` is not above ${PUNCH_WORDS}. Otherwise it is \`phrase\`. The files have the same division.`,
    }),
  entrance: z
    .enum(captionEntranceNames)
    .default('none')
    .meta({
      description: `How each caption appears. ${entrances}. It takes 0.2 to 0.45 s, at most a quarter of the caption's time, and stays inside the safe area.`,
    }),
  max_words: z
    .number()
    .int()
    .min(1)
    .max(40)
    .optional()
    .meta({
      description: `Maximum number of words per caption. \`layout: punch\` has at most ${PUNCH_WORDS}.`,
    }),
  max_chars_per_line: z.number().int().min(8).max(80).default(42).meta({
    description:
      'Maximum number of characters per line. East Asian characters count as two. Narrow pictures get shorter lines.',
  }),
  max_lines: z
    .number()
    .int()
    .min(1)
    .max(4)
    .default(2)
    .meta({ description: 'Maximum number of lines per caption.' }),
  position: z.enum(anchors).optional().meta({
    description:
      'Position of the captions in the picture. The default is `center` for `layout: punch`, otherwise `bottom`.',
  }),
  safe_area: z.enum(['none', 'tiktok', 'reels', 'shorts']).default('none').meta({
    description: 'Keep captions clear of the controls that this app shows over the picture.',
  }),
  replacements: z
    .array(
      z.strictObject({
        from: z
          .string()
          .min(1)
          .max(100)
          .meta({ description: 'One or more words to replace, in any letter case.' }),
        to: z.string().max(100).meta({ description: 'Replacement; empty to remove the words.' }),
      }),
    )
    .max(200)
    .default([])
    .meta({ description: 'Replacements of words in the captions.' }),
  keywords: z
    .array(
      z.strictObject({
        text: z
          .string()
          .min(1)
          .max(100)
          .meta({ description: 'A word or a phrase, in any letter case and without punctuation.' }),
        color: color(),
      }),
    )
    .max(100)
    .default([])
    .meta({
      description:
        'Words and phrases that have a color of their own. A color that cannot be read in the preset gets a black or white outline.',
    }),
  emoji: z
    .union(
      [
        z.literal('auto'),
        z
          .record(z.string().min(1).max(100), z.string().min(1).max(32))
          .refine((value) => Object.keys(value).length > 0 && Object.keys(value).length <= MOST_PICTURED, {
            error: `Give the emoji of 1 to ${MOST_PICTURED} words.`,
          })
          .meta({ minProperties: 1, maxProperties: MOST_PICTURED }),
      ],
      { error: `must be \`auto\`, or the emoji of 1 to ${MOST_PICTURED} words as {"fire": "🔥"}` },
    )
    .optional()
    .meta({
      description:
        'Emoji that pop up over the captions when a word is said, and below captions at the top: a map of words or phrases, in any letter case, to emoji, or `auto` for a list, at most one emoji in 3 s. The list has some 400 words in English, and the names of 55 to 100 things in 24 other European languages. If neither `language` nor the engine says which one is spoken, it is English. They are drawn, and not in the text of the files.',
    }),
  speakers: speakers(
    ' Captions that have times keep the speakers that they name, and are listened to for `detect` or a number only.',
  ),
  speaker_colors: z
    .union(
      [
        z.array(color()).min(1).max(12),
        z
          .record(z.string().min(1).max(SPEAKER_CHARACTERS), color())
          .refine((value) => Object.keys(value).length > 0 && Object.keys(value).length <= MOST_SPEAKERS, {
            error: `Give the colors of 1 to ${MOST_SPEAKERS} speakers.`,
          })
          .meta({ minProperties: 1, maxProperties: MOST_SPEAKERS }),
      ],
      {
        error: `must be a list of 1 to 12 colors, or the colors of 1 to ${MOST_SPEAKERS} speakers as {"Ann": "#ffd60a"}`,
      },
    )
    .optional()
    .meta({
      description:
        'Colors of what each speaker says: a list, in the order in which they begin to speak, or a map of names to colors. Speakers are the heard ones, `Speaker 1` and so on, as with `speakers: detect`, or those that the captions name: words with a `speaker`, WebVTT with `<v Ann>`, or ASS with names. No caption then has words of two speakers, unless you gave it so. A color that cannot be read in the preset gets a black or white outline.',
    }),
  vocabulary: vocabulary('captions'),
  exclude_ranges: z
    .array(
      z
        .strictObject({
          start: seconds().meta({ description: 'Start of the range in seconds.' }),
          end: seconds({ min: 0.001 }).meta({ description: 'End of the range in seconds.' }),
        })
        .refine(({ start, end }) => end > start, { error: '`end` must be greater than `start`.' }),
    )
    .max(100)
    .default([])
    .meta({ description: 'Ranges of the video that get no captions.' }),
};

/** Rules of the fields that say what captions are and how they look. */
export function checkCaptions(
  input: {
    captions?: unknown;
    captions_url?: string | undefined;
    style: z.output<typeof style>;
    keywords: readonly { text: string }[];
    replacements: readonly { from: string }[];
    emoji?: 'auto' | Readonly<Record<string, string>> | undefined;
    language: string;
    layout: string;
    max_words?: number | undefined;
  },
  issue: (path: (string | number)[], message: string) => void,
): void {
  if (input.captions !== undefined && input.captions_url !== undefined) {
    issue(['captions_url'], 'Give either `captions` or `captions_url`, not both.');
  }
  if (input.style.highlight_color !== undefined && input.style.highlight_colors !== undefined)
    issue(['style', 'highlight_colors'], 'Give either `highlight_color` or `highlight_colors`, not both.');
  if (input.style.font_family !== undefined && input.style.font_url !== undefined)
    issue(['style', 'font_url'], 'Give either `font_family` or `font_url`, not both.');
  for (const [index, { text }] of input.keywords.entries()) {
    if (!/[\p{L}\p{N}]/u.test(text))
      issue(['keywords', index, 'text'], '`text` must contain at least one letter or digit.');
  }
  const [spoken = ''] = input.language.toLowerCase().split('-');
  if (input.emoji === 'auto' && !['auto', ...emojiLanguages].includes(spoken))
    issue(
      ['emoji'],
      `\`emoji: auto\` knows no words in the language \`${input.language}\`. Give a map such as {"fuego": "🔥"}.`,
    );
  for (const [text, emoji] of Object.entries(typeof input.emoji === 'object' ? input.emoji : {})) {
    if (!/[\p{L}\p{N}]/u.test(text))
      issue(['emoji', text], 'A word must contain at least one letter or digit.');
    else if (!isEmoji(emoji)) issue(['emoji', text], `"${emoji}" is not one emoji. Give one, such as "🔥".`);
  }
  for (const [index, { from }] of input.replacements.entries()) {
    if (!/[\p{L}\p{N}]/u.test(from))
      issue(['replacements', index, 'from'], '`from` must contain at least one letter or digit.');
  }
  if (input.layout === 'punch' && (input.max_words ?? 0) > PUNCH_WORDS)
    issue(
      ['max_words'],
      `\`layout: punch\` shows at most ${PUNCH_WORDS} words at a time. Give fewer, or use \`layout: phrase\`.`,
    );
}

/** Why the text of captions cannot be read; null if it can. */
export function captionsProblem(captions: unknown): string | null {
  if (typeof captions !== 'string') return null;
  const parsed = parseCaptions(captions);
  return 'problem' in parsed ? parsed.problem : null;
}
