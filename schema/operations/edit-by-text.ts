import { z } from 'zod';
import { captionLimitsText } from '../media/caption-limits.ts';
import { timedWords } from '../media/captions.ts';
import { engineField, enginesSelected, engineUsed } from '../media/engines.ts';
import { deinterlace } from './fields/deinterlace.ts';
import {
  audioUrl,
  checkCodec,
  codec,
  format,
  quality,
  seconds,
  sourceUrl,
  videoUrl,
} from './fields/fields.ts';
import { madeHow } from './fields/spans.ts';
import { checkVocabulary, spokenLanguage, vocabulary } from './fields/speech.ts';
import { tracks } from './fields/tracks.ts';
import { operation } from './operation.ts';
import { editExports, MAX_SEGMENTS, segmentActions } from './silence-process.ts';

const MAX_TEXT = 200_000;
/** Maximum number of entries in each list of `output.data`. */
export const MOST_EDITS_LISTED = 2000;

const removalReasons = ['filler', 'repeat', 'word', 'phrase', 'range', 'text'] as const;
export type RemovalReason = (typeof removalReasons)[number];

const spoken = (what: string) => z.string().min(1).max(200).meta({ description: what });

const remove = z
  .strictObject({
    fillers: z.boolean().default(false).meta({ description: 'Remove "um", "uh", "er" and the like.' }),
    repeats: z.boolean().default(false).meta({
      description:
        'Remove words and groups of up to four words that are said twice in a row; the last one stays. Doubles that are often meant, such as "very very", stay.',
    }),
    words: z
      .array(spoken('A word, in any letter case.'))
      .max(200)
      .default([])
      .meta({ description: 'Words to remove wherever they are said.' }),
    phrases: z
      .array(spoken('Words in a row, in any letter case and punctuation. Signs such as `%` count.'))
      .max(200)
      .default([])
      .meta({ description: 'Phrases to remove wherever they are said.' }),
    ranges: z
      .array(
        z
          .strictObject({
            start: seconds().meta({ description: 'Start of the range in seconds.' }),
            end: seconds({ min: 0.001 }).meta({ description: 'End of the range in seconds.' }),
          })
          .refine(({ start, end }) => end > start, { error: '`end` must be greater than `start`.' }),
      )
      .max(1000)
      .default([])
      .meta({
        description:
          'Ranges to remove. A word is removed with a range that covers its middle, and kept whole otherwise.',
      }),
  })
  .meta({ description: 'What to remove.' });

export const editByText = operation('edit_by_text', {
  path: '/edit_by_text',
  group: 'video',
  title: 'Edit by text',
  summary:
    'Remove fillers, repeats, words or sentences from a video or audio file by its words, and mask profanity.',
  search: {
    title: 'Edit a video by its text',
    lead: 'Delete words, fillers and repeats from the transcript, and the video or podcast is cut at the gaps between them.',
  },
  tool: {
    name: 'edit_by_text',
    description:
      'Cut words out of a talk: fillers, repeats, phrases, or all but a text. For pauses use remove_silence. Returns the edited file.',
    fields: {
      video_url: 'Source video',
      audio_url: 'Source audio instead',
      remove: 'fillers, repeats, words[], phrases[]',
      keep_text: 'What stays instead',
      profanity: 'Mute or bleep swear words',
    },
  },
  description:
    'Finds the words of the speech and cuts some of them out. The words are recognized, or come from you with their times: in `words`, or in `words_url`, such as the file `words_json` of `/transcribe`. Your own OpenAI-compatible transcription API recognizes them if you send its address in the header `X-Speech-Api-Url`, with a key and model as for `/captions/auto`. `remove` names what goes; `keep_text` is what stays, for example the text of `/transcribe` from which you have deleted sentences. Cuts lie in the gaps between words, at the nearest frame: up to `padding` seconds of a gap stay on either side, and a word that stays is never cut. Words without a gap between them are parted where one ends. `profanity` mutes words or covers them with a tone, and leaves the picture as it is. The result has a decision list in `output.data.segments`, which `/silence_process` applies as well; `mode: detect` returns it without making a video. Change it, then apply it. Cutting is that of `/silence_process`: packets are copied, and only a few frames at each joint are re-encoded. Captions of the source move along with `time_map_task` of `/captions/auto`.',
  work: 'The audio is decoded once to recognize the words, unless they are given. The kept parts are cut as by `/cut`. `mode: detect` and masking re-encode no picture.',
  feature: 'captions',
  speechApi: true,
  fields: {
    video_url: videoUrl().optional(),
    audio_url: audioUrl().optional(),
    mode: z.enum(['remove', 'detect']).default('remove').meta({
      description: '`remove` makes the edited file, `detect` only lists what would be cut.',
    }),
    words: timedWords.optional().meta({
      description: `The words of the source with their times, instead of recognition. ${captionLimitsText}`,
    }),
    words_url: sourceUrl('a JSON file of words with times').optional().meta({
      description:
        'Public https:// URL of a JSON file of words with times, as in `words_json` of `/transcribe`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks, such as `/transcribe` with `outputs: ["words_json"]` (the new task waits for it to end). Use it instead of `words`.',
    }),
    language: spokenLanguage(),
    engine: engineField('asr'),
    vocabulary: vocabulary('words'),
    remove: remove.optional(),
    keep_text: z.string().min(1).max(MAX_TEXT).optional().meta({
      description:
        'What stays, instead of `remove`: words of the source in their order, in any letter case and punctuation. All other words are removed.',
    }),
    profanity: z.enum(['none', 'mute', 'bleep']).default('none').meta({
      description:
        'What happens to profanity that stays, if the words are English: `mute` silences it, `bleep` covers it with a tone. In other languages, only `mask_words` are masked.',
    }),
    mask_words: z
      .array(spoken('A word, in any letter case.'))
      .max(200)
      .default([])
      .meta({ description: 'Further words that `profanity` masks, such as names.' }),
    padding: z.number().min(0).max(1).default(0.1).meta({
      description: 'Most seconds of a gap to keep on each side of a cut.',
    }),
    audio_fade_ms: z.number().min(0).max(200).default(10).meta({
      description: 'Audio fade at each cut, in milliseconds.',
    }),
    export: z
      .array(z.enum(editExports))
      .max(editExports.length)
      .default([])
      .meta({ description: 'Export the edit for editing programs. The format is the role of the file.' }),
    tracks: tracks(),
    quality: quality(),
    codec: codec(),
    deinterlace: deinterlace(),
    format: format(),
  },
  refine: (input, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if ((input.video_url === undefined) === (input.audio_url === undefined))
      issue(['video_url'], 'Give either `video_url` or `audio_url`.');
    if (input.words !== undefined && input.words_url !== undefined)
      issue(['words_url'], 'Give either `words` or `words_url`, not both.');
    if (input.remove !== undefined && input.keep_text !== undefined)
      issue(['keep_text'], 'Give either `remove` or `keep_text`, not both.');
    const { remove } = input;
    const removes =
      remove &&
      (remove.fillers ||
        remove.repeats ||
        [remove.words, remove.phrases, remove.ranges].some((list) => list.length > 0));
    if (!removes && input.keep_text === undefined && input.profanity === 'none')
      issue(
        ['remove'],
        'The request changes nothing. Name something in `remove`, such as {"fillers": true}, give `keep_text`, or set `profanity`.',
      );
    if (input.mask_words.length > 0 && input.profanity === 'none')
      issue(['mask_words'], '`mask_words` needs `profanity` to be `mute` or `bleep`.');
    const speakable = (path: (string | number)[], texts: readonly string[]) => {
      for (const [index, text] of texts.entries())
        if (!/[\p{L}\p{N}]/u.test(text)) issue([...path, index], 'must contain at least one letter or digit');
    };
    speakable(['remove', 'words'], remove?.words ?? []);
    speakable(['remove', 'phrases'], remove?.phrases ?? []);
    speakable(['mask_words'], input.mask_words);
    if (input.keep_text !== undefined && !/[\p{L}\p{N}]/u.test(input.keep_text))
      issue(['keep_text'], 'must contain at least one word');
    if (new Set(input.export).size < input.export.length) issue(['export'], 'Give each format only once.');
    checkVocabulary(input.vocabulary, context);
    checkCodec(input, context);
  },
  data: z.strictObject({
    segments: z
      .array(z.strictObject({ start: z.number(), end: z.number(), action: z.enum(segmentActions) }))
      .meta({
        description: `The decision list: the whole source in time order, in seconds. \`silent\` parts are removed; \`segments\` of \`/silence_process\` takes it. Of a list with more than ${MAX_SEGMENTS} entries, send only the \`silent\` ones: other parts are kept.`,
      }),
    removed: z
      .array(
        z.strictObject({
          start: z.number(),
          end: z.number(),
          text: z.string(),
          because: z.enum(removalReasons).meta({
            description:
              'Entry of `remove` that asked for it; `text` if `keep_text` does not have it. The first of several.',
          }),
        }),
      )
      .max(MOST_EDITS_LISTED)
      .meta({ description: `The first ${MOST_EDITS_LISTED} removed words with their times in the source.` }),
    masked: z
      .array(z.strictObject({ start: z.number(), end: z.number(), text: z.string() }))
      .max(MOST_EDITS_LISTED)
      .meta({ description: `The first ${MOST_EDITS_LISTED} masked words with their times in the source.` }),
    word_count: z.number().int().meta({ description: 'Number of words in the source.' }),
    removed_count: z.number().int().meta({ description: 'Number of removed words.' }),
    masked_count: z.number().int().meta({ description: 'Number of masked words.' }),
    saved_seconds: z
      .number()
      .meta({ description: 'How many seconds shorter than the source the output is, or would be.' }),
    engine: engineUsed
      .nullable()
      .meta({ description: 'Engine that recognized the words; null if they were given.' }),
    ...madeHow(),
  }),
  engines: ({ words, words_url, engine }) =>
    words === undefined && words_url === undefined
      ? [{ pointer: '/engine', engines: enginesSelected('asr', engine) }]
      : [],
  untrusted: ['/removed/*/text', '/masked/*/text'],
  sources: (input) => [
    input.video_url !== undefined
      ? { pointer: '/video_url', url: input.video_url }
      : { pointer: '/audio_url', url: input.audio_url ?? '' },
    ...(input.words_url === undefined
      ? []
      : [{ pointer: '/words_url', url: input.words_url, kind: 'text' as const }]),
  ],
  errors: [
    'source_no_video',
    'source_no_audio',
    'captions_invalid',
    'no_speech_found',
    'all_silent',
    'time_out_of_range',
    'engine_unavailable',
    'engine_failed',
    'provider_rejected_key',
  ],
  exampleResult: {
    file_name: 'edit_by_text.mp4',
    role: 'video',
    media_type: 'video/mp4',
    duration: 11.5,
    width: 1920,
    height: 1080,
    fps: 30,
    data: {
      segments: [
        { start: 0, end: 4.2, action: 'keep' },
        { start: 4.2, end: 4.9, action: 'silent' },
        { start: 4.9, end: 12.2, action: 'keep' },
      ],
      removed: [{ start: 4.31, end: 4.8, text: 'um', because: 'filler' }],
      masked: [],
      ...{ word_count: 31, removed_count: 1, masked_count: 0, saved_seconds: 0.7 },
      engine: null,
      copied_seconds: 10.2,
      rendered_seconds: 1.3,
      spans: [
        { out: [0, 4], frames: 120, copied: true, rendered_because: null },
        { out: [4, 4.2], frames: 6, copied: false, rendered_because: 'cut' },
        { out: [4.2, 5.3], frames: 33, copied: false, rendered_because: 'cut' },
        { out: [5.3, 11.5], frames: 186, copied: true, rendered_because: null },
      ],
    },
    time_map: [
      { source: 0, in: [0, 4.2], out: [0, 4.2] },
      { source: 0, in: [4.9, 12.2], out: [4.2, 11.5] },
    ],
  },
  examples: [
    {
      title: 'Remove fillers from a talk',
      input: { video_url: 'https://media.example.com/talk.mp4', remove: { fillers: true } },
    },
    {
      title: 'Keep a part of the transcript of a podcast',
      input: {
        audio_url: 'https://media.example.com/podcast.mp3',
        words_url: 'https://media.example.com/podcast-words.json',
        keep_text: 'Welcome back. Today we build a kite.',
      },
    },
    {
      title: 'Bleep profanity and a name',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        profanity: 'bleep',
        mask_words: ['Okonkwo'],
      },
    },
  ],
});
