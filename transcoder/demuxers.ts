/** The demuxers that a source may be opened with; nothing else is ever tried. */
export const demuxers = [
  'mov',
  'matroska',
  'mp3',
  'wav',
  'flac',
  'ogg',
  'aac',
  'avi',
  'flv',
  'mpegts',
  'gif',
  'png_pipe',
  'jpeg_pipe',
  'webp_pipe',
] as const;
export type Demuxer = (typeof demuxers)[number];
