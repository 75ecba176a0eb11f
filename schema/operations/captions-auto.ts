import { z } from 'zod';
import { spokenWord } from '../media/captions.ts';
import { enginesSelected, engineUsed } from '../media/engines.ts';
import { idPattern, taskIdText } from '../task/ids.ts';
import { captionFields, captionsProblem, checkCaptions } from './fields/caption-fields.ts';
import { deinterlace } from './fields/deinterlace.ts';
import {
  audioUrl,
  checkCodec,
  codec,
  format,
  quality,
  type VideoCodec,
  type VideoContainer,
  videoUrl,
} from './fields/fields.ts';
import { fontSource } from './fields/font.ts';
import { madeHow } from './fields/spans.ts';
import { checkVocabulary, speakerEngines, speakersFound } from './fields/speech.ts';
import { operation } from './operation.ts';

const { captions, captions_url, language, engine, preset, style, layout, entrance } = captionFields;
const { max_words, max_chars_per_line, max_lines, position, safe_area } = captionFields;
const { replacements, keywords, emoji, speakers, speaker_colors, vocabulary, exclude_ranges } = captionFields;

const captionOutputs = ['srt', 'vtt', 'ass', 'txt', 'words_json'] as const;
export type CaptionOutput = (typeof captionOutputs)[number];

const captionBackgrounds = ['video', 'transparent', 'green'] as const;

/** Maximum number of words in `output.data`; the file `words_json` has all of them. */
export const MOST_WORDS_TOLD = 2000;

interface Backed {
  background: (typeof captionBackgrounds)[number];
  audio_url?: string | undefined;
  burn?: boolean | undefined;
  embed: 'none' | 'soft';
  format: VideoContainer;
  codec: 'auto' | VideoCodec;
}

/** Captions alone need a picture to be laid over, and transparency a codec that has it. */
function checkBackground(
  { background, audio_url, burn, embed, format, codec }: Backed,
  issue: (path: string[], message: string) => void,
): void {
  if (background === 'video') return;
  const asked = `\`background: ${background}\``;
  if (audio_url !== undefined)
    issue(['background'], `${asked} needs the size and the frames of a video. Give it in \`video_url\`.`);
  if (burn === false)
    issue(['burn'], `${asked} draws the captions. Remove \`burn\`, or use \`background: video\`.`);
  if (embed === 'soft')
    issue(['embed'], `${asked} has no subtitle track. Remove \`embed\`, or use \`background: video\`.`);
  if (background === 'green') return;
  if (format === 'mp4')
    issue(['format'], '`mp4` has no transparency. Use `mov` (ProRes 4444) or `webm` (VP9).');
  else if (codec !== 'auto' && (format === 'mov' || codec !== 'vp9'))
    issue(
      ['codec'],
      `Captions on a transparent background are ${format === 'mov' ? 'ProRes 4444 in `mov`' : `VP9 in \`${format}\``}. Leave \`codec\` out.`,
    );
}

export const captionsAuto = operation('captions_auto', {
  path: '/captions/auto',
  group: 'captions',
  title: 'Captions',
  summary:
    'Add captions to a video from speech recognition, a script or existing captions, burned in or as files (SRT, WebVTT, ASS).',
  search: {
    title: 'Add captions to a video',
    lead: 'From speech recognition, a script or existing captions: burned in word by word, as a track, or as files.',
  },
  tool: {
    name: 'caption_video',
    description:
      'Add captions to a video, recognized from its speech or from your text, burned in or as files. For text alone use transcribe_media; to speak a text, dub_video. Returns a video and caption files.',
    fields: {
      video_url: 'Source video',
      language: 'Such as en',
      captions: 'Script, SRT or VTT instead of recognition',
      preset: 'Style: clean, karaoke, word_pop, pill, podcast, cinema …',
      burn: 'Draw into the picture',
      outputs: 'Caption files',
      safe_area: "Keep clear of an app's buttons",
    },
  },
  description:
    'Recognizes the speech with the time of every word, or uses the text in `captions`. A plain script is aligned with the speech; SubRip, WebVTT, ASS and timed words keep their times and need no recognition. Words are grouped into captions with lines of at most `max_chars_per_line`, a duration of 0.83 to 7 s and at most 20 characters per second. Lines break at the end of sentences and clauses, never after an article or preposition. Captions that you give keep their division unless they do not fit. Captions are burned into the picture (`burn`) in one of twenty presets and returned as files. Only frames that show a caption are re-encoded if the codec allows it; the audio is copied. Arabic, Hebrew, Chinese, Japanese, Korean and Indic scripts are rendered correctly. Sound without a picture gives the files alone. The built-in engine PocketSphinx recognizes clear English only, and its words are made sentences by their pauses; Parakeet, if `GET /capabilities` lists it as available, recognizes 25 languages. To use your own OpenAI-compatible transcription API, send its address in the header `X-Speech-Api-Url`, its key in `X-Speech-Api-Key` and its model in `X-Speech-Api-Model`; they are stored encrypted until the task ends and then deleted. `output.data.engine` is the engine that was used. A dry run also recognizes the speech.',
  work: 'Recognition reads the audio only. With `burn`, only the frames that show a caption are re-encoded if the codec allows it; the packets between them and the audio are copied. Without `burn`, no frame is touched.',
  feature: 'captions',
  speechApi: true,
  fields: {
    video_url: videoUrl().optional(),
    audio_url: audioUrl().optional(),
    language,
    engine,
    captions,
    captions_url,
    time_map_task: z.string().regex(idPattern('task'), { error: taskIdText }).optional().meta({
      description:
        'Id of one of your completed tasks, such as a cut. Captions timed for the source of that task are moved to the times of its output; captions of removed parts are dropped.',
    }),
    time_map_source: z.number().int().min(0).max(99).default(0).meta({
      description: 'Index of the source of that task that the captions belong to, starting at 0.',
    }),
    burn: z.boolean().optional().meta({
      description:
        'Burn the captions into the picture. The default is true for a source with a picture. Sound alone, such as a podcast in `audio_url` or `video_url`, gives the files in `outputs`, and `burn: true` is refused.',
    }),
    background: z.enum(captionBackgrounds).default('video').meta({
      description:
        "What is behind the captions. `transparent` and `green` return the captions alone, to lay them over the video in an editor: every frame has the size and the time of the source's, and there is no sound, because the video has it. `transparent` is ProRes 4444 with `format: mov` and VP9 with `webm` or `mkv`, with straight alpha; `mp4` has no transparency. `green` is flat #00FF00, in any format; green letters, as `word_pop` highlights words, vanish with it. `match_source` is then `high`; ProRes has one quality. Captions that change during a long frame of a variable frame rate make it constant, as when they are burned in, with the warning `source_vfr`.",
    }),
    embed: z.enum(['none', 'soft']).default('none').meta({
      description:
        '`soft` also adds the captions as a subtitle track that viewers can turn on (mov_text in mp4 and mov, SubRip in mkv, WebVTT in webm). With `burn: false`, the video is copied without re-encoding.',
    }),
    outputs: z
      .array(z.enum(captionOutputs))
      .max(captionOutputs.length)
      .refine((value) => new Set(value).size === value.length, { error: 'Give each format only once.' })
      .default(['srt'])
      .meta({
        description:
          'Caption files to return. `ass` is the file that is burned in; for sound alone it is laid out for 1920 × 1080.',
      }),
    preset,
    style,
    layout,
    entrance,
    max_words,
    max_chars_per_line,
    max_lines,
    position,
    safe_area,
    replacements,
    keywords,
    emoji,
    speakers,
    speaker_colors,
    vocabulary,
    exclude_ranges,
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
    if (input.audio_url !== undefined && input.burn === true)
      issue(
        ['burn'],
        '`audio_url` has no picture to burn captions into. Remove `burn`, or give a video in `video_url`.',
      );
    if (input.audio_url !== undefined && input.embed === 'soft')
      issue(
        ['embed'],
        '`embed: soft` needs a video in `video_url`; `audio_url` only gives the files in `outputs`.',
      );
    checkBackground(input, issue);
    if (
      input.time_map_task !== undefined &&
      input.captions === undefined &&
      input.captions_url === undefined
    ) {
      issue(['time_map_task'], '`time_map_task` needs `captions` or `captions_url`.');
    }
    checkCaptions(input, issue);
    checkVocabulary(input.vocabulary, context);
    const draws = input.burn ?? input.video_url !== undefined;
    if (!draws && input.embed === 'none' && input.outputs.length === 0)
      issue(
        ['outputs'],
        'The request has no output. Set `burn` or `embed`, or give at least one format in `outputs`.',
      );
    checkCodec(input, context);
  },
  checkText: ({ captions }, context) => {
    const message = captionsProblem(captions);
    if (message !== null) context.addIssue({ code: 'custom', path: ['captions'], message });
  },
  data: z.strictObject({
    words: z
      .array(spokenWord)
      .max(MOST_WORDS_TOLD)
      .meta({
        description: `The first ${MOST_WORDS_TOLD} words with their times; the file \`words_json\` has all of them. \`confidence\` is the probability of a recognized word. It is null for words of a script, for captions without confidence, and for words inserted by \`vocabulary\` or \`replacements\`.`,
      }),
    word_count: z.number().int().meta({ description: 'Number of words.' }),
    cue_count: z.number().int().meta({ description: 'Number of captions.' }),
    language: z
      .string()
      .nullable()
      .meta({ description: 'Language of the request, or of the engine; null if unknown.' }),
    engine: engineUsed.nullable().meta({
      description: 'Engine that recognized or aligned the speech; null if timed captions were given.',
    }),
    times: z.enum(['heard', 'aligned', 'given']).meta({
      description:
        'Origin of the word times: `heard` (recognition), `aligned` (script aligned with the speech) or `given` (timed captions).',
    }),
    speakers: speakersFound(),
    ...madeHow(),
  }),
  // Captions of the caller may have times, and then need no engine.
  engines: ({ captions, captions_url, engine, speakers: asked }) => [
    ...(captions === undefined && captions_url === undefined
      ? [{ pointer: '/engine' as const, engines: enginesSelected('asr', engine) }]
      : []),
    ...speakerEngines(asked, '/speakers'),
  ],
  untrusted: [
    ...['/words/*/text', '/words/*/speaker'],
    ...['/speakers/turns/*/speaker', '/speakers/turns/*/text'],
  ] as const,
  sources: (input) => [
    input.video_url !== undefined
      ? { pointer: '/video_url', url: input.video_url }
      : { pointer: '/audio_url', url: input.audio_url ?? '' },
    ...(input.captions_url === undefined
      ? []
      : [{ pointer: '/captions_url', url: input.captions_url, kind: 'text' as const }]),
    ...(input.time_map_task === undefined
      ? []
      : [{ pointer: '/time_map_task', url: `task:${input.time_map_task}`, kind: 'time_map' as const }]),
    ...fontSource(input.style, '/style'),
  ],
  errors: [
    'source_no_video',
    'source_no_audio',
    'captions_invalid',
    'font_invalid',
    'no_speech_found',
    'time_out_of_range',
    'engine_unavailable',
    'engine_failed',
    'provider_rejected_key',
  ],
  exampleResult: {
    file_name: 'captions_auto.mp4',
    role: 'video',
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
      speakers: null,
      copied_seconds: 40.2,
      rendered_seconds: 2.3,
      spans: [
        { out: [0, 0.4], frames: 12, copied: true, rendered_because: null },
        { out: [0.4, 2.7], frames: 69, copied: false, rendered_because: 'filtered' },
        { out: [2.7, 42.5], frames: 1194, copied: true, rendered_because: null },
      ],
    },
    time_map: [{ source: 0, in: [0, 42.5], out: [0, 42.5] }],
  },
  examples: [
    {
      title: 'Burn recognized captions into the video',
      input: { video_url: 'https://media.example.com/interview.mp4' },
    },
    {
      title: 'Captions of a podcast as files',
      input: {
        audio_url: 'https://media.example.com/podcast.mp3',
        language: 'en',
        outputs: ['srt', 'vtt', 'txt'],
      },
    },
    {
      title: 'Talk with known names',
      input: {
        video_url: 'https://media.example.com/interview.mp4',
        language: 'en',
        vocabulary: ['Kubernetes', 'Anneliese Okonkwo', 'PostgreSQL'],
        outputs: ['srt', 'words_json'],
      },
    },
    {
      title: 'Script, word by word, for phones',
      input: {
        video_url: 'https://media.example.com/interview.mp4',
        captions: 'Every word lights up in the moment it is spoken.',
        preset: 'word_pop',
        position: 'center',
        safe_area: 'tiktok',
        outputs: ['srt', 'words_json'],
      },
    },
    {
      title: 'Captions alone, to lay over the video in an editor',
      input: {
        video_url: 'https://media.example.com/interview.mp4',
        captions: 'Every word lights up in the moment it is spoken.',
        background: 'transparent',
        format: 'mov',
      },
    },
    {
      title: 'Convert timed captions to other formats',
      input: {
        video_url: 'https://media.example.com/interview.mp4',
        captions: '1\n00:00:00,400 --> 00:00:01,900\nWelcome back.\n',
        burn: false,
        outputs: ['vtt', 'ass'],
        replacements: [{ from: 'welcome', to: 'Hello' }],
      },
    },
  ],
});
