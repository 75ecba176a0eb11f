import { z } from 'zod';
import { captionLimitsText } from '../media/caption-limits.ts';
import { parseCaptions, spokenWord } from '../media/captions.ts';
import { engineField, enginesSelected, engineUsed } from '../media/engines.ts';
import { MOST_WORDS_TOLD } from './captions-auto.ts';
import { audioUrl, videoUrl } from './fields/fields.ts';
import {
  checkVocabulary,
  speakerEngines,
  speakers,
  speakersFound,
  spokenLanguage,
  vocabulary,
} from './fields/speech.ts';
import { operation } from './operation.ts';

const MAX_TEXT = 200_000;

/** Maximum number of characters of the text in `output.data`; the file `txt` has all of it. */
export const MOST_TEXT_TOLD = 20_000;

const transcriptOutputs = ['txt', 'srt', 'vtt', 'words_json'] as const;

/** The problem of a script that has times. */
export const timedScript =
  'must be plain text without times. To convert or burn in captions that have times, use `captions` of `/captions/auto`.';

export const transcribe = operation('transcribe', {
  path: '/transcribe',
  group: 'captions',
  title: 'Transcribe',
  summary:
    'Transcribe an audio or video file: text, SRT, WebVTT, and every word with its time and confidence.',
  search: {
    title: 'Transcribe audio and video to text',
    lead: 'The words of a podcast, call or video, each with its time and confidence, as text, SRT, WebVTT and JSON.',
  },
  tool: {
    name: 'transcribe_media',
    description:
      'Text, SRT and timed words of a podcast or video. To draw them use caption_video. Returns text files.',
    fields: {
      audio_url: 'Source audio',
      video_url: 'Source video instead',
      language: 'Such as en',
      outputs: 'Files',
    },
  },
  description:
    'Recognizes the speech with the time and confidence of every word, or aligns the text in `script` with it. Returns plain text with paragraphs, SubRip, WebVTT and the words as JSON; no video is made. If the service can tell voices apart, words and turns name who speaks. If the engine gives words without punctuation, as PocketSphinx does, sentences get a capital and a full stop at pauses; commas and question marks are not guessed. Captions in the SubRip and WebVTT files follow the rules of `/captions/auto`, which can also draw them. The built-in engine PocketSphinx recognizes clear English only; Parakeet, if `GET /capabilities` lists it as available, recognizes 25 languages. To use your own OpenAI-compatible transcription API, send its address in the header `X-Speech-Api-Url`, with a key and model as for `/captions/auto`. `output.data.engine` is the engine that was used. A dry run also recognizes the speech.',
  work: 'Recognition reads the audio only; no frame is decoded.',
  feature: 'captions',
  speechApi: true,
  fields: {
    video_url: videoUrl().optional(),
    audio_url: audioUrl().optional(),
    language: spokenLanguage(),
    engine: engineField('asr'),
    script: z
      .string()
      .min(1)
      .max(MAX_TEXT)
      .optional()
      .meta({
        description: `What is said, as plain text: its words get the times at which they are spoken, and keep their spelling. ${captionLimitsText}`,
      }),
    vocabulary: vocabulary('script'),
    speakers: speakers(
      ' A change of speaker begins a paragraph of the text. If there are several, it begins with the name, such as `Speaker 2: `.',
    ),
    outputs: z
      .array(z.enum(transcriptOutputs))
      .min(1)
      .max(transcriptOutputs.length)
      .refine((value) => new Set(value).size === value.length, { error: 'Give each format only once.' })
      .default([...transcriptOutputs])
      .meta({ description: 'Files to return; the first one is the main file.' }),
    max_chars_per_line: z.number().int().min(8).max(80).default(42).meta({
      description:
        'Maximum number of characters per line in `srt` and `vtt`. East Asian characters count as two.',
    }),
    max_lines: z
      .number()
      .int()
      .min(1)
      .max(4)
      .default(2)
      .meta({ description: 'Maximum number of lines per caption in `srt` and `vtt`.' }),
  },
  refine: (input, context) => {
    if ((input.video_url === undefined) === (input.audio_url === undefined))
      context.addIssue({
        code: 'custom',
        path: ['video_url'],
        message: 'Give either `video_url` or `audio_url`.',
      });
    checkVocabulary(input.vocabulary, context);
  },
  checkText: ({ script }, context) => {
    if (script === undefined) return;
    const parsed = parseCaptions(script);
    const problem = 'problem' in parsed ? parsed.problem : parsed.kind === 'script' ? null : timedScript;
    if (problem !== null) context.addIssue({ code: 'custom', path: ['script'], message: problem });
  },
  data: z.strictObject({
    text: z.string().meta({
      description: `The first ${MOST_TEXT_TOLD.toLocaleString('en-US')} characters of the text; the file \`txt\` has all of it. Paragraphs are separated by an empty line.`,
    }),
    words: z
      .array(spokenWord)
      .max(MOST_WORDS_TOLD)
      .meta({
        description: `The first ${MOST_WORDS_TOLD} words with their times; the file \`words_json\` has all of them. \`confidence\` is the probability of a recognized word. It is null for words of a script and for words inserted by \`vocabulary\`.`,
      }),
    word_count: z.number().int().meta({ description: 'Number of words.' }),
    cue_count: z.number().int().meta({ description: 'Number of captions in `srt` and `vtt`.' }),
    language: z
      .string()
      .nullable()
      .meta({ description: 'Language of the request, or of the engine; null if unknown.' }),
    engine: engineUsed,
    times: z.enum(['heard', 'aligned']).meta({
      description: 'Origin of the words: `heard` (recognition) or `aligned` (a script).',
    }),
    speakers: speakersFound(),
  }),
  engines: ({ script, engine, speakers: asked }) => [
    { pointer: '/engine', engines: enginesSelected(script === undefined ? 'asr' : 'align', engine) },
    ...speakerEngines(asked, '/speakers'),
  ],
  untrusted: ['/text', '/words/*/text', '/speakers/turns/*/text'],
  sources: (input) =>
    input.video_url !== undefined
      ? [{ pointer: '/video_url', url: input.video_url }]
      : [{ pointer: '/audio_url', url: input.audio_url ?? '' }],
  errors: [
    'source_no_video',
    'source_no_audio',
    'captions_invalid',
    'no_speech_found',
    'engine_unavailable',
    'engine_failed',
    'provider_rejected_key',
  ],
  exampleResult: {
    file_name: 'transcribe.txt',
    role: 'transcript_txt',
    media_type: 'text/plain',
    duration: null,
    width: null,
    height: null,
    fps: null,
    data: {
      text: 'Welcome back.',
      words: [
        { start: 0.42, end: 0.71, text: 'Welcome', confidence: 0.874 },
        { start: 0.71, end: 1.02, text: 'back.', confidence: 1 },
      ],
      word_count: 2,
      cue_count: 1,
      language: 'en',
      engine: { id: 'pocketsphinx', tier: 'embedded', quality: 'basic', model_id: 'en-us' },
      times: 'heard',
      speakers: null,
    },
    time_map: [],
  },
  examples: [
    { title: 'Transcribe a podcast', input: { audio_url: 'https://media.example.com/podcast.mp3' } },
    {
      title: 'Subtitles of a video with known names',
      input: {
        video_url: 'https://media.example.com/interview.mp4',
        language: 'en',
        vocabulary: ['Kubernetes', 'Anneliese Okonkwo'],
        outputs: ['srt', 'words_json'],
      },
    },
    {
      title: 'Who says what in a conversation of two',
      input: { audio_url: 'https://media.example.com/podcast.mp3', language: 'en', speakers: 2 },
    },
    {
      title: 'When each word of a script is said',
      input: {
        audio_url: 'https://media.example.com/podcast.mp3',
        script: 'Every word lights up in the moment it is spoken.',
        outputs: ['words_json'],
      },
    },
  ],
});
