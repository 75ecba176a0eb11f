import { z } from 'zod';
import { didYouMean } from '../api/nearest-name.ts';
import { captionLimits } from '../media/caption-limits.ts';
import { parseCaptions } from '../media/captions.ts';
import { enginesFor, enginesSelected, engineUsed } from '../media/engines.ts';
import { spokenLanguage, wrongLanguage } from '../media/spoken-language.ts';
import { isSayable } from '../media/spoken-text.ts';
import { voiceOf, voices } from '../media/voices.ts';
import { checkCodec, codec, format, mustFollow, quality, seconds, videoUrl } from './fields/fields.ts';
import {
  backgroundFields,
  backgrounds,
  checkBackground,
  loudnessFound,
  normalizeLufs,
} from './fields/redub.ts';
import { madeHow } from './fields/spans.ts';
import { operation } from './operation.ts';

const MAX_SEGMENTS = 1000;
/** Of a plain text. Each is synthesized and reported by itself. */
export const MAX_SENTENCES = 5000;
const MAX_SCRIPT = 100_000;
const NOTHING = 'The text has nothing to speak. Give at least one letter or digit.';

/** Engine tiers by their public names, then engines. */
const ttsProviders = ['auto', 'builtin', 'local', ...enginesFor('tts')] as const;

const voiceId = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be a voice id of 1 to 64 letters, digits, `_` or `-`' })
    .optional();

const span = z.tuple([z.number(), z.number()]);

export const redubTts = operation('redub_tts', {
  path: '/redub_tts',
  group: 'audio',
  title: 'Redub with text to speech',
  summary:
    'Replace the audio of a video by text to speech: a script as plain text, SRT, VTT or timed segments.',
  search: {
    title: 'Dub a video with text to speech',
    lead: 'Send a script as text, SRT, VTT or timed segments. Each line is spoken and fitted into its time in the video.',
  },
  tool: {
    name: 'dub_video',
    description:
      'Speak a script over a video with a synthetic voice; SRT and VTT keep their times. For a recording use replace_audio. Spoken text is not translated. Returns a video and caption files.',
    fields: {
      video_url: 'Source video',
      script: 'Text, SRT or VTT',
      segments: 'Timed lines instead: {start, end, text}',
      voice_id: 'From spool://voices',
      language: 'Of the script; default en',
      bg_source: 'keep: old sound stays under the voice',
    },
  },
  description:
    'Speaks the script over the video, each timed line at its time, with or without background sound. Plain text is spoken from the start, sentence by sentence, with pauses of 0.45 to 0.8 s by punctuation and paragraph, or of at least 0.25 s if the video is short. If a line is longer than its slot: 1. it runs into the following pause (80 ms are kept); 2. it is time-stretched, up to `max_stretch_percent`; 3. it is spoken up to 1.5× faster; 4. the following lines move back. Lines are never slowed down to fill a slot. `output.data.segments` reports what was done for each line; a line that lasts over 0.3 s longer than its slot is a warning. If the speech is longer than the video, the last frame is held. The captions of the speech are added as files; they come from the script, not from recognition. A dry run also synthesizes the speech to know its length. `GET /capabilities` lists the voices. For `provider: elevenlabs`, send your ElevenLabs key in the header `X-ElevenLabs-Key`; it is stored encrypted until the task ends and then deleted. So are the headers `X-Speech-Api-Url`, `X-Speech-Api-Key` and `X-Speech-Api-Model` of your own OpenAI-compatible speech API, for `provider: speech_api_tts`.',
  work: 'The script is spoken line by line, which takes most of the time; the built-in voices are many times faster than real time. The video packets are copied, and the audio is mixed and encoded once.',
  feature: 'redub_tts',
  keyOf: 'elevenlabs',
  speechApi: true,
  fields: {
    video_url: videoUrl(),
    script: z
      .string()
      .min(1)
      .max(MAX_SCRIPT)
      .optional()
      .meta({
        description: `The script: plain text of at most ${MAX_SENTENCES} sentences, or SubRip, WebVTT or ASS with times. At most ${MAX_SEGMENTS} captions of ${captionLimits.cueCharacters} characters each, and ${captionLimits.wordCharacters} characters per word. Captions without a letter or digit, such as ♪, are not spoken.`,
      }),
    segments: z
      .array(
        z.strictObject({
          start: seconds().meta({ description: 'Start of the line in the video, in seconds.' }),
          end: seconds({ min: 0.001 }).optional().meta({
            description:
              'Time at which the line should end, in seconds. Defaults to the start of the next line.',
          }),
          text: z.string().min(1).max(captionLimits.cueCharacters).meta({ description: 'Text to speak.' }),
          voice_id: voiceId().meta({ description: 'Voice of this line. It must belong to the same engine.' }),
        }),
      )
      .min(1)
      .max(MAX_SEGMENTS)
      .optional()
      .meta({ description: 'Timed lines in time order. Use it instead of `script`.' }),
    voice_id: voiceId().meta({
      description:
        'Voice id from `GET /capabilities`, or a voice of the provider. Defaults to a voice of the language.',
    }),
    provider: z.enum(ttsProviders).default('auto').meta({
      description:
        'Engine that speaks. `auto`: the best available engine, or ElevenLabs or your own speech API if you send its headers. `builtin`: an engine without a model. `local`: an engine with an installed model. Or the name of an engine.',
    }),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, { error: wrongLanguage })
      .refine((tag) => spokenLanguage(tag) !== undefined, { error: wrongLanguage })
      .default('en')
      .meta({
        description:
          'Language of the script as a BCP 47 tag, such as `en` or `pt-BR`. `zh` is spoken as Mandarin (`zh-HK` and `zh-MO` as Cantonese), `no` as Bokmål.',
      }),
    speed: z.number().min(0.5).max(2).default(1).meta({ description: 'Speaking rate; 1 is normal.' }),
    fit: z.enum(['stretch', 'none', 'trim']).default('stretch').meta({
      description:
        'What happens to a line that is longer than its slot. `stretch`: it is shortened as described above. `none`: it keeps its length and the following lines move back. `trim`: it is cut off with a fade.',
    }),
    max_stretch_percent: z.number().min(0).max(50).default(25).meta({
      description: 'Maximum time-stretching of a line, in percent.',
    }),
    pronunciations: z
      .record(z.string().min(1).max(60), z.string().min(1).max(120))
      .refine((value) => Object.keys(value).length <= 200, { error: 'must have at most 200 entries' })
      .default({})
      .meta({
        description:
          'Respellings that make words sound right, such as {"Nguyen": "win"}. Captions keep the original words.',
      }),
    ...backgroundFields,
    normalize_lufs: normalizeLufs().default(-16),
    return_captions: z
      .boolean()
      .default(true)
      .meta({ description: 'Add the captions as SRT and WebVTT files.' }),
    quality: quality(),
    codec: codec(),
    format: format(),
  },
  refine: (input, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if ((input.script === undefined) === (input.segments === undefined)) {
      issue(['script'], 'Give either `script` or `segments`.');
    }
    const nothingIn = (text: string) => !isSayable(text, input.pronunciations);
    let last = 0;
    for (const [index, { start, end, text }] of (input.segments ?? []).entries()) {
      if (end !== undefined && end <= start) issue(['segments', index, 'end'], mustFollow(start));
      if (start < last)
        issue(
          ['segments', index, 'start'],
          'Segments must be in time order: `start` must not be before the start of the previous segment.',
        );
      if (nothingIn(text)) issue(['segments', index, 'text'], NOTHING);
      last = start;
    }
    if (!['auto', 'elevenlabs', 'speech_api_tts'].includes(input.provider)) {
      const asked = [
        { path: ['voice_id'], id: input.voice_id },
        ...(input.segments ?? []).map(({ voice_id: id }, index) => ({
          path: ['segments', index, 'voice_id'],
          id,
        })),
      ];
      const known = voices.map(({ id }) => id);
      for (const { path, id } of asked) {
        if (id === undefined || voiceOf(id)) continue;
        const text = `There is no voice \`${id}\`; \`GET /capabilities\` lists the voices.`;
        issue(path, text + didYouMean(id, known));
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
      issue(`The script has ${cues.length} captions; at most ${MAX_SEGMENTS} are allowed`);
    } else if (!texts.some((text) => isSayable(text, pronunciations))) {
      issue(NOTHING);
    }
  },
  data: z.strictObject({
    segments: z
      .array(
        z.strictObject({
          text: z.string(),
          slot: span
            .nullable()
            .meta({ description: 'Slot of the line in the video, in seconds; null for plain text.' }),
          spoken: span.meta({ description: 'Time at which the line is spoken in the output, in seconds.' }),
          stretch: z.number().meta({ description: 'Speed-up factor of the line; 1 is unchanged.' }),
          overrun: z.number().meta({ description: 'Seconds by which the line exceeds its slot.' }),
        }),
      )
      .meta({ description: 'The spoken lines, in order.' }),
    engine: engineUsed,
    separation: engineUsed
      .nullable()
      .meta({ description: 'Engine that removed the voices from the background; null if none was used.' }),
    background: z.enum(backgrounds).meta({ description: 'Background that was used.' }),
    drift_ms: z.number().meta({ description: 'Milliseconds by which the audio ends after the video.' }),
    ...loudnessFound,
    ...madeHow(),
  }),
  engines: ({ provider }) => [{ pointer: '/provider', engines: enginesSelected('tts', provider) }],
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
    file_name: 'redub_tts.mp4',
    role: 'video',
    media_type: 'video/mp4',
    duration: 42.5,
    width: 1920,
    height: 1080,
    fps: 30,
    data: {
      segments: [
        { text: 'Welcome to the tour.', slot: [0.5, 2], spoken: [0.5, 1.86], stretch: 1, overrun: 0 },
        {
          text: 'This is the harbor, as it was.',
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
      spans: [{ out: [0, 42.5], frames: 1275, copied: true, rendered_because: null }],
    },
    time_map: [{ source: 0, in: [0, 42.5], out: [0, 42.5] }],
  },
  examples: [
    {
      title: 'Plain text, spoken from the start',
      input: {
        video_url: 'https://media.example.com/tour.mp4',
        script: 'Welcome to the tour. This is the harbor, as it was a hundred years ago.',
      },
    },
    {
      title: 'Timed lines over the lowered audio of the video',
      input: {
        video_url: 'https://media.example.com/tour.mp4',
        segments: [
          { start: 0.5, end: 2, text: 'Welcome to the tour.' },
          { start: '00:00:02', text: 'This is the harbor, as it was.', voice_id: 'slt' },
        ],
        voice_id: 'rms',
        bg_source: 'keep',
        pronunciations: { harbor: 'harber' },
      },
    },
  ],
});
