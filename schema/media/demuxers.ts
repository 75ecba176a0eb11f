/**
 * The only demuxers that a source may be opened with, each with the usual media type of its files. They may hold sound alone, which
 * their first bytes do not say.
 */
export const mediaTypeOf = {
  mov: 'video/mp4',
  matroska: 'video/x-matroska',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  aac: 'audio/aac',
  avi: 'video/x-msvideo',
  flv: 'video/x-flv',
  mpegts: 'video/mp2t',
  gif: 'image/gif',
  apng: 'image/apng',
  png_pipe: 'image/png',
  jpeg_pipe: 'image/jpeg',
  webp_pipe: 'image/webp',
  aiff: 'audio/aiff',
  au: 'audio/basic',
  caf: 'audio/x-caf',
  wv: 'audio/x-wavpack',
  amr: 'audio/amr',
  ac3: 'audio/ac3',
  eac3: 'audio/eac3',
  asf: 'video/x-ms-asf',
  mpeg: 'video/mpeg',
  ivf: 'video/x-ivf',
  dv: 'video/dv',
  mxf: 'application/mxf',
  mpegvideo: 'video/mpeg',
  m4v: 'video/mpeg4',
  h264: 'video/h264',
  hevc: 'video/h265',
  obu: 'video/av1',
} as const;

export type Demuxer = keyof typeof mediaTypeOf;
export const demuxers = Object.keys(mediaTypeOf) as Demuxer[];
