/** Everything that a file holds besides its packets, as ffprobe of the installed ffmpeg names it. */
export interface Contents {
  tags: Tags;
  tracks: ContentTrack[];
  chapters: Chapter[];
}

/** Names as ffmpeg gives them, such as `title`. */
export type Tags = Readonly<Record<string, string>>;

/** Most chapters of a source that are read; a guide of a day has fewer. */
export const MOST_CHAPTERS = 1000;

export interface Chapter {
  /** Seconds, in the file's timestamps. */
  start: number;
  end: number;
  title: string;
}

export interface ContentTrack {
  index: number;
  type: 'video' | 'audio' | 'subtitle' | 'data' | 'attachment' | 'cover';
  codec: string;
  /** Four characters of the container, such as `gpmd`. */
  tag: string;
  tags: Tags;
  /** Of Opus: seconds that decoders skip at its beginning. */
  preSkip?: number;
  /** Names of the flags that are set, such as `default` and `forced`. */
  flags: string[];
}
