import type { z } from 'zod';
import { captionPresetNames, captionPresets } from '../media/caption-presets.ts';
import type { EngineId } from '../media/engines.ts';
import { photoPresetNames, photoPresets } from '../media/photo-presets.ts';
import { visualStyleNames, visualStyles } from '../media/visual-styles.ts';
import { isVoicePreset, voicePresets } from '../media/voice-presets.ts';
import { voiceOf } from '../media/voices.ts';
import type { OperationName, Operations } from '../operations/index.ts';
import { type ExampleSource, exampleSourceNames, exampleSources, saidWhen } from './example-sources.ts';

/** One value of a field, with a request that shows its effect on an example source. */
export interface Example {
  operation: OperationName;
  field: string;
  value: string;
  title: string;
  /** Output file name, unique among examples and sources. */
  file: string;
  /** The source that its page shows. */
  source: ExampleSource;
  /** All sources, in the order in which the operation names them. */
  sources: readonly ExampleSource[];
  /** Whether the example is a picture to look at rather than a sound to listen to. */
  seen: boolean;
  /** Engines that are required to make the example. */
  needs: readonly EngineId[];
  /** Whether it stands for its operation where only one example is shown. */
  featured: boolean;
  /** Second of the frame that is shown before it plays; null without a poster. */
  posterAt: number | null;
  /** The request body. @param base URL prefix of the sources. */
  request: (base: string) => Record<string, unknown>;
}

interface Shown<N extends OperationName, V extends string> {
  field: string;
  titles: Record<V, string>;
  source: ExampleSource;
  /** A second source. */
  other?: ExampleSource;
  extension: 'mp4' | 'm4a';
  seen: boolean;
  engine?: (value: V) => EngineId;
  /** The value that stands for all, and the second of its poster. */
  featured: NoInfer<V>;
  posterAt?: number;
  request: (value: V, url: string, other: string) => z.input<Operations[N]['input']>;
}

function shown<N extends OperationName, V extends string>(operation: N, group: Shown<N, V>): Example[] {
  const {
    field,
    titles,
    source,
    other = source,
    extension,
    seen,
    engine,
    featured,
    posterAt,
    request,
  } = group;
  const sources = [...new Set([source, other])];
  const engines = sources.flatMap((file): readonly EngineId[] => exampleSources[file]);
  return (Object.entries(titles) as [V, string][]).map(([value, title]) => ({
    ...{ operation, field, value, title, source, sources, seen },
    file: `${operation}-${value}.${extension}`.replaceAll('_', '-').toLowerCase(),
    needs: [...new Set([...engines, ...(engine ? [engine(value)] : [])])],
    featured: value === featured,
    posterAt: value === featured ? (posterAt ?? null) : null,
    request: (base) => request(value, `${base}/${source}`, `${base}/${other}`),
  }));
}

const titled = <K extends string>(names: readonly K[], title: (name: K) => string) =>
  Object.fromEntries(names.map((name) => [name, title(name)])) as Record<K, string>;

/** Small files, because one page loads all of them. */
const small = { width: 480, height: 270, fps: 24, quality: { crf: 29 } };

/** One voice of each built-in engine, in a few languages. */
const scripts = {
  rms: 'This is how I read your script.',
  slt: 'This is how I read your script.',
  awb: 'This is how I read your script.',
  'espeak_en-us': 'This is how I read your script.',
  espeak_de: 'So lese ich deinen Text vor.',
  espeak_fr: 'Voici comment je lis votre texte.',
} as const;
type Speaker = keyof typeof scripts;

function speaker(id: Speaker) {
  const voice = voiceOf(id);
  if (!voice) throw new Error(`schema/api/examples.ts: there is no voice ${id}`);
  return voice;
}

/** Every example, in display order. */
export const examples: readonly Example[] = [
  ...shown('merge_urls', {
    field: 'transition',
    titles: {
      clock: 'The hand of a clock',
      fade: 'A cross-fade',
      slideleft: 'Slides to the left',
      none: 'A hard cut',
    },
    source: 'talk.mp4',
    other: 'dawn.mp4',
    extension: 'mp4',
    seen: true,
    featured: 'clock',
    posterAt: 2.5,
    request: (transition, first, second) => ({
      ...{ urls: [first, second], transition, quality: small.quality },
    }),
  }),
  ...shown('captions_auto', {
    field: 'preset',
    titles: titled(captionPresetNames, (name) => captionPresets[name]),
    source: 'talk.mp4',
    extension: 'mp4',
    seen: true,
    featured: 'karaoke',
    posterAt: 1.1,
    request: (preset, video_url) => ({ video_url, preset, captions: saidWhen, quality: small.quality }),
  }),
  ...shown('redub_tts', {
    field: 'voice_id',
    titles: titled(Object.keys(scripts) as Speaker[], (id) => speaker(id).title),
    source: 'talk.mp4',
    extension: 'mp4',
    seen: false,
    engine: (id) => speaker(id).engine,
    featured: 'slt',
    posterAt: 0.5,
    request: (voice_id, video_url) => {
      const language = speaker(voice_id).language;
      return { video_url, voice_id, language, script: scripts[voice_id] };
    },
  }),
  ...shown('redub_vc', {
    field: 'voice_id',
    titles: titled(Object.keys(voicePresets).filter(isVoicePreset), (id) => voicePresets[id].title),
    source: 'speech.m4a',
    extension: 'm4a',
    seen: false,
    engine: () => 'rubberband',
    featured: 'deep',
    request: (voice_id, audio_url) => ({ audio_url, voice_id, consent: true }),
  }),
  ...shown('separate', {
    field: 'stems',
    titles: { vocals: 'Voice only', music: 'Music only' },
    source: 'song.m4a',
    extension: 'm4a',
    seen: false,
    engine: () => 'centre_mask',
    featured: 'vocals',
    request: (stem, audio_url) => ({
      ...{ audio_url, stems: [stem], engine: 'centre_mask', format: 'm4a', bitrate_kbps: 128 },
    }),
  }),
  ...shown('visualize', {
    field: 'style',
    titles: titled(visualStyleNames, (name) => visualStyles[name].title),
    source: 'music.m4a',
    extension: 'mp4',
    seen: true,
    featured: 'ring',
    posterAt: 1.5,
    request: (style, audio_url) => ({ audio_url, style, ...small }),
  }),
  ...shown('photo_animate', {
    field: 'preset',
    titles: titled(
      photoPresetNames.filter((name) => name !== 'parallax'),
      (name) => photoPresets[name],
    ),
    source: 'photo.jpg',
    extension: 'mp4',
    seen: true,
    featured: 'ken_burns',
    posterAt: 1.5,
    request: (preset, photo_url) => ({ photo_url, preset, duration: 3, ...small }),
  }),
  ...shown('crop', {
    field: 'fill',
    titles: {
      crop: 'Crops the picture',
      pad: 'Adds bars',
      blur: 'Puts the picture on a blurred copy of itself',
    },
    source: 'talk.mp4',
    extension: 'mp4',
    seen: true,
    featured: 'blur',
    posterAt: 1.5,
    request: (fill, video_url) => ({
      video_url,
      aspect_ratio: '1:1',
      fill,
      output_width: 270,
      quality: small.quality,
    }),
  }),
  ...shown('cut', {
    field: 'mode',
    titles: { precise: 'Exact to the frame', keyframe: 'From the keyframe before it, all copied' },
    source: 'talk.mp4',
    extension: 'mp4',
    seen: true,
    featured: 'precise',
    posterAt: 0.5,
    request: (mode, video_url) => ({ video_url, start: 0.91, end: 2.79, mode, quality: small.quality }),
  }),
];

/** URL prefix of the examples and their sources. */
export const examplesAt = (publicUrl: string) => `${publicUrl}/examples`;

export const exampleFiles: [string, ...string[]] = [
  ...exampleSourceNames,
  ...examples.map(({ file }) => file),
];

/** The example that stands for an operation; undefined if it has none. */
export const featuredOf = (name: OperationName): Example | undefined =>
  examples.find(({ operation, featured }) => operation === name && featured);

const withPoster = examples.filter(({ posterAt }) => posterAt !== null);

/** The picture that is shown before an example plays. */
export const posterOf = ({ file }: Pick<Example, 'file'>) => file.replace(/\.\w+$/, '.jpg');

/** Shown by sites that link to this one, 1200 × 630. */
export const socialPicture = 'social.jpg';

/** Pictures of the pages, which have no request of their own. */
export const examplePictures: readonly string[] = [...withPoster.map(posterOf), socialPicture];

/** Every file under `/examples`. */
export const servedFiles: [string, ...string[]] = [...exampleFiles, ...examplePictures];
