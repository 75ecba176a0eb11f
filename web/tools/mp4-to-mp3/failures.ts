/** What can go wrong with a file, with what to do about it. The page adds where Spool's API is. */
export const failures = {
  no_sound: {
    what: 'This file has no sound track.',
    next: 'Choose a file in which you hear something. If the sound is in a file of its own, choose that one.',
  },
  undecodable: {
    what: 'This browser cannot decode the sound of this file ({codec}).',
    next: 'If the file has another sound track, choose that one. Another browser may decode this one.',
  },
  unknown_codec: {
    what: 'The format of the sound ({codec}) is unknown to this page.',
    next: 'If the file has another sound track, choose that one.',
  },
  protected: {
    what: 'The sound of this file is encrypted (DRM).',
    next: 'Only a player that has its key can open it.',
  },
  empty: {
    what: 'This file is empty (0 bytes).',
    next: 'It was probably not copied or downloaded to the end. Get it again.',
  },
  cut_off: {
    what: 'This file ends before its index, without which no player can open it.',
    next: 'A recording or download was interrupted. Get the file again, or repair it with the tool of your camera.',
  },
  already_mp3: {
    what: 'This file is an MP3 already.',
    next: 'There is nothing to convert.',
  },
  not_media: {
    what: 'This is not a media file that this page can read.',
    next: 'It reads MP4, MOV, MKV, WebM, M4A, AAC, WAV, OGG, FLAC and MPEG-TS.',
  },
  broken: {
    what: 'The sound of this file is damaged at {at}.',
    next: 'Get the file again. To keep the sound before that point, set it as the end of the trim.',
  },
  unreadable: {
    what: 'The browser can no longer read this file.',
    next: 'It was moved, changed or is on a disk that was removed. Choose it again.',
  },
  disk_full: {
    what: 'There is not enough disk space for the result.',
    next: 'Make space, then convert the file again.',
  },
  no_folder: {
    what: 'The browser may not write to that folder.',
    next: 'Choose another folder, or convert without one and save the results.',
  },
  nothing_left: {
    what: 'There is no sound between the start and the end of the trim.',
    next: 'Choose another start or end.',
  },
  no_webcodecs: {
    what: 'This browser has no WebCodecs, with which the page decodes sound.',
    next: 'Use Chrome or Edge 94, Firefox 130 or Safari 26, or a newer version. On an address without HTTPS no browser has it.',
  },
  no_encoder: {
    what: 'The MP3 encoder did not start.',
    next: 'Reload the page. A policy of your organization or an extension may forbid WebAssembly.',
  },
  unexpected: {
    what: 'Something unexpected happened.',
    next: 'Reload the page and try this file alone.',
  },
} as const;

export type FailureCode = keyof typeof failures;

export interface Failure {
  code: FailureCode;
  /** What stands in place of the names in braces. */
  codec?: string;
  at?: string;
}

/** An error whose text people may read. */
export class ToolError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

export function failureText({ code, ...values }: Failure): { what: string; next: string } {
  const { what, next } = failures[code];
  return {
    what: what.replace(/\{(codec|at)\}/g, (_, name: 'codec' | 'at') => values[name] ?? 'unknown'),
    next,
  };
}

const codecs: Record<string, string> = {
  ac3: 'AC-3, Dolby Digital',
  eac3: 'E-AC-3, Dolby Digital Plus',
  dts: 'DTS',
  aac: 'AAC',
  alac: 'Apple Lossless',
  vorbis: 'Vorbis',
  opus: 'Opus',
  flac: 'FLAC',
  mp3: 'MP3',
};

/** A name for people of a codec, from the library's name or the code in the file. */
export function codecName(codec: string | null, inFile: string | number | Uint8Array | null): string {
  const known = codec === null ? undefined : (codecs[codec] ?? codec);
  return known ?? (typeof inFile === 'string' ? inFile.replace(/[^\w .-]/g, '?').trim() : 'unknown');
}
