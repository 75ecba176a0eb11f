import type { TransitionName } from '../media/transitions.ts';

/** `value` units of 1/`rate` s, as a `RationalTime` of OpenTimelineIO. */
export interface Time {
  value: number;
  rate: number;
}

/** Lower rates than this count seconds or other long units, not frames. */
export const SLOWEST_FRAMES = 8;

export const secondsOf = ({ value, rate }: Time): number => value / rate;

/** Keys and indices from the root of the document. */
export type Path = readonly (string | number)[];

/** A clip as the document has it: nothing of it has been compared with its media. */
export interface ClipItem {
  kind: 'clip';
  path: Path;
  /** Names under which its media may be given, the most specific one first. */
  names: readonly [string, ...string[]];
  /** `target_url` of its media reference. */
  url: string | null;
  /** Where it begins in its media. Null for the beginning of the media. */
  start: Time | null;
  /** Its length in the track. Null for all of its media. */
  duration: Time | null;
  /** The time that the media's first frame has. */
  mediaStart: Time | null;
  /** Seconds of media per second of the track; 0 holds the first frame. */
  rate: number;
  /** Whether it covers a clip of a lower video track. */
  over: boolean;
}

export interface GapItem {
  kind: 'gap';
  path: Path;
  duration: Time;
}

/** Between the items before and after it: both are shown from `inOffset` before their joint to `outOffset` after it. */
export interface TransitionItem {
  kind: 'transition';
  path: Path;
  type: TransitionName;
  inOffset: Time;
  outOffset: Time;
}

export type Item = ClipItem | GapItem | TransitionItem;

export interface Track {
  path: Path;
  items: readonly Item[];
}

/** An OpenTimelineIO document with what can be rendered of it. */
export interface Timeline {
  /** Null for sound alone. */
  picture: Track | null;
  /** Tracks that are heard together. */
  sound: readonly Track[];
  /** Names under which the media of any clip may be given, also of those that are disabled or covered. */
  names: ReadonlySet<string>;
}

/** What is wrong with a document, and where. */
export interface Fault {
  path: Path;
  message: string;
}

/** A path as people write it, such as `otio.tracks.children[0]`. */
export const pathText = (path: Path): string =>
  path.reduce<string>((text, key) => `${text}${typeof key === 'number' ? `[${key}]` : `.${key}`}`, 'otio');
