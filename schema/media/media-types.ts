/** Media types of the files that tasks produce, by the container or format in which they are written. */
export const videoMediaTypes = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/matroska',
} as const;

export const audioMediaTypes = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  webm: 'audio/webm',
  mkv: 'audio/matroska',
} as const;

export const pictureMediaTypes = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' } as const;

/** Captions, edit lists and reports. */
export const textMediaTypes = {
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
  ass: 'text/x-ssa',
  txt: 'text/plain',
  edl: 'text/plain',
  csv: 'text/csv',
  fcpxml: 'application/xml',
  otio: 'application/json',
  json: 'application/json',
} as const;

const all = [videoMediaTypes, audioMediaTypes, pictureMediaTypes, textMediaTypes].flatMap(
  (types): OutputMediaType[] => Object.values(types),
);

/** Every media type that a file of a task can have. */
export const outputMediaTypes = [...new Set(all)];

type ValueOf<T> = T[keyof T];
export type OutputMediaType =
  | ValueOf<typeof videoMediaTypes>
  | ValueOf<typeof audioMediaTypes>
  | ValueOf<typeof pictureMediaTypes>
  | ValueOf<typeof textMediaTypes>;
