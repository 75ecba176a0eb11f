/** Constant bitrates, in kbit/s. */
export const bitrates = [128, 160, 192, 224, 256, 320] as const;
/** Qualities with a bitrate that follows the sound: the setting of LAME (V0 …), and what music takes on average, in kbit/s. */
export const variable = {
  v0: { lame: 0, typical: 245 },
  v2: { lame: 2, typical: 190 },
  v4: { lame: 4, typical: 165 },
} as const;
/** What the sound is encoded with. */
export type Quality = `${(typeof bitrates)[number]}` | keyof typeof variable;
export const SAMPLE_RATES = [48000, 44100, 32000] as const;
/** How many files are converted at once: more would only wait for each other. */
export const AT_ONCE = { fewest: 2, most: 4 };

/** What all files of the list have in common. */
export interface Settings {
  quality: Quality;
  channels: 'source' | 'mono' | 'stereo';
  sampleRate: number | 'source';
}

/** What one file has of its own. */
export interface Choices {
  /** Number of the sound track, from 1. */
  track: number;
  /** Seconds of the source; null: from its start, to its end. */
  from: number | null;
  to: number | null;
  title: string;
  artist: string;
  cover: 'none' | 'source' | 'frame';
  /** Second of the frame that becomes the cover. */
  coverAt: number;
}

/** The rate of the MP3: that of the source if MPEG-1 has it, otherwise the one that it converts to with the least loss. */
export function targetRate(source: number, wanted: Settings['sampleRate']): number {
  if (wanted !== 'source') return wanted;
  const known: readonly number[] = SAMPLE_RATES;
  if (known.includes(source)) return source;
  const related = SAMPLE_RATES.filter((rate) => rate % source === 0 || source % rate === 0);
  const enough = related.find((rate) => rate >= Math.min(source, 44100));
  return enough ?? (source > 44100 ? 48000 : 44100);
}

export function targetChannels(source: number, wanted: Settings['channels']): 1 | 2 {
  if (wanted === 'source') return source === 1 ? 1 : 2;
  return wanted === 'mono' ? 1 : 2;
}

/** Sound that is already MP3 is copied unless it has to change. */
export function canCopy(
  { codec, sampleRate, channels }: { codec: string | null; sampleRate: number; channels: number },
  settings: Settings,
  { from, to }: Pick<Choices, 'from' | 'to'>,
): boolean {
  return (
    codec === 'mp3' &&
    from === null &&
    to === null &&
    (settings.sampleRate === 'source' || settings.sampleRate === sampleRate) &&
    (settings.channels === 'source' || targetChannels(channels, settings.channels) === channels)
  );
}
