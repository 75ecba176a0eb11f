import type { z } from 'zod';
import { captionPresetNames, captionPresets } from '../media/caption-presets.ts';
import type { EngineId } from '../media/engines.ts';
import { photoPresetNames, photoPresets } from '../media/photo-presets.ts';
import { visualStyleNames, visualStyles } from '../media/visual-styles.ts';
import { isVoicePreset, voicePresets } from '../media/voice-presets.ts';
import { voiceOf } from '../media/voices.ts';
import type { OperationName, Operations } from '../operations/index.ts';

const mediaTypes = { mp4: 'video/mp4', m4a: 'audio/mp4', jpg: 'image/jpeg' } as const;

/** What the examples are made of, drawn and synthesised by `scripts/examples/`, with the engines that it takes to make it. */
export const exampleSources = {
  'photo.jpg': [],
  'talk.mp4': ['flite'],
  'speech.m4a': ['flite'],
  'music.m4a': [],
  'song.m4a': ['flite'],
} as const satisfies Record<string, readonly EngineId[]>;

export type ExampleSource = keyof typeof exampleSources;

export const exampleSourceNames = Object.keys(exampleSources) as [ExampleSource, ...ExampleSource[]];

export function isExampleSource(file: string): file is ExampleSource {
  return Object.hasOwn(exampleSources, file);
}

/** A value of a field of a request, and what that request makes of a source of ours. */
export interface Example {
  operation: OperationName;
  field: string;
  value: string;
  title: string;
  /** The name of what was made, which is unique among the examples and their sources. */
  file: string;
  source: ExampleSource;
  /** Whether it is there to be looked at, with or without its sound. */
  seen: boolean;
  /** The engines without which it is not made. */
  needs: readonly EngineId[];
  /** What is sent to the operation. @param base The beginning of the address of the source. */
  request: (base: string) => Record<string, unknown>;
}

interface Shown<N extends OperationName, V extends string> {
  field: string;
  titles: Record<V, string>;
  source: ExampleSource;
  extension: 'mp4' | 'm4a';
  seen: boolean;
  engine?: (value: V) => EngineId;
  request: (value: V, url: string) => z.input<Operations[N]['input']>;
}

function shown<N extends OperationName, V extends string>(operation: N, group: Shown<N, V>): Example[] {
  const { field, titles, source, extension, seen, engine, request } = group;
  return (Object.entries(titles) as [V, string][]).map(([value, title]) => ({
    ...{ operation, field, value, title, source, seen },
    file: `${operation}-${value}.${extension}`.replaceAll('_', '-').toLowerCase(),
    needs: [...new Set([...exampleSources[source], ...(engine ? [engine(value)] : [])])],
    request: (base) => request(value, `${base}/${source}`),
  }));
}

const titled = <K extends string>(names: readonly K[], title: (name: K) => string) =>
  Object.fromEntries(names.map((name) => [name, title(name)])) as Record<K, string>;

/** Small, that a page of them loads quickly. */
const small = { width: 480, height: 270, fps: 24, quality: { crf: 29 } };

/** What is said in `speech.m4a` and `talk.mp4`, by flite's voice slt. */
export const said = 'Every word lights up in the moment it is spoken.';

/** When flite says it: seconds from the beginning. */
const saidWhen: { start: number; end: number; text: string }[] = [
  { start: 0.21, end: 0.57, text: 'Every' },
  { start: 0.57, end: 0.91, text: 'word' },
  { start: 0.91, end: 1.33, text: 'lights' },
  { start: 1.33, end: 1.46, text: 'up' },
  { start: 1.46, end: 1.56, text: 'in' },
  { start: 1.56, end: 1.62, text: 'the' },
  { start: 1.62, end: 2.02, text: 'moment' },
  { start: 2.02, end: 2.11, text: 'it' },
  { start: 2.11, end: 2.18, text: 'is' },
  { start: 2.18, end: 2.79, text: 'spoken.' },
];

/** A voice of each engine that is part of the service, in the languages that it is known for. */
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

/** Every example, in the order in which they are listed. */
export const examples: readonly Example[] = [
  ...shown('captions_auto', {
    field: 'preset',
    titles: titled(captionPresetNames, (name) => captionPresets[name]),
    source: 'talk.mp4',
    extension: 'mp4',
    seen: true,
    request: (preset, video_url) => ({ video_url, preset, captions: saidWhen, quality: small.quality }),
  }),
  ...shown('redub_tts', {
    field: 'voice_id',
    titles: titled(Object.keys(scripts) as Speaker[], (id) => speaker(id).title),
    source: 'talk.mp4',
    extension: 'mp4',
    seen: false,
    engine: (id) => speaker(id).engine,
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
    request: (voice_id, audio_url) => ({ audio_url, voice_id, consent: true }),
  }),
  ...shown('separate', {
    field: 'stems',
    titles: { vocals: 'The voice alone', music: 'The music alone' },
    source: 'song.m4a',
    extension: 'm4a',
    seen: false,
    engine: () => 'centre_mask',
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
    request: (preset, photo_url) => ({ photo_url, preset, duration: 3, ...small }),
  }),
  ...shown('crop', {
    field: 'fill',
    titles: {
      crop: 'The picture is cut',
      pad: 'The picture stands between bars',
      blur: 'The picture stands on a blurred copy of itself',
    },
    source: 'talk.mp4',
    extension: 'mp4',
    seen: true,
    request: (fill, video_url) => ({
      video_url,
      aspect_ratio: '1:1',
      fill,
      output_width: 270,
      quality: small.quality,
    }),
  }),
];

/** Where the examples and their sources are served, as the beginning of a URL. */
export const examplesAt = (publicUrl: string) => `${publicUrl}/examples`;

export const exampleFiles: [string, ...string[]] = [
  ...exampleSourceNames,
  ...examples.map(({ file }) => file),
];

export function exampleMediaType(file: string): (typeof mediaTypes)[keyof typeof mediaTypes] {
  const type = Object.entries(mediaTypes).find(([extension]) => file.endsWith(`.${extension}`))?.[1];
  if (!type) throw new Error(`schema/api/examples.ts: ${file} is of no known type`);
  return type;
}
