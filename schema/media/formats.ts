import { audioContainers, codecsOf, containers } from '../operations/fields/fields.ts';
import { audioCodecsOf } from '../operations/transcode.ts';

/** A container format that can be read. */
export interface ReadFormat {
  /** Name in the output of `/probe`. */
  name: string;
  title: string;
  extensions: string[];
  /** Common codecs; every other codec that ffmpeg can decode is read too. */
  video: readonly string[];
  audio: readonly string[];
}

const mpeg = ['h264', 'hevc', 'mpeg4', 'mpeg2video', 'mpeg1video'] as const;
const web = ['vp8', 'vp9', 'av1'] as const;
const common = ['aac', 'mp3', 'opus', 'ac3', 'eac3', 'flac', 'alac', 'pcm'] as const;

/** Formats that can be read, detected by content and not by file name. */
export const readFormats: readonly ReadFormat[] = [
  {
    ...{ name: 'mp4', title: 'MP4, M4A, 3GP, 3G2', extensions: ['mp4', 'm4v', 'm4a', 'm4b', '3gp', '3g2'] },
    ...{ video: [...mpeg, ...web, 'h263'], audio: [...common, 'amr_nb', 'amr_wb', 'mp2'] },
  },
  {
    ...{ name: 'mov', title: 'QuickTime', extensions: ['mov', 'qt'] },
    ...{ video: [...mpeg, 'prores', 'dnxhd', 'mjpeg', 'dvvideo'], audio: [...common, 'mp2'] },
  },
  {
    ...{ name: 'mkv', title: 'Matroska', extensions: ['mkv', 'mka'] },
    ...{ video: [...mpeg, ...web, 'ffv1', 'mjpeg', 'theora'], audio: [...common, 'vorbis', 'dts', 'truehd'] },
  },
  {
    ...{ name: 'webm', title: 'WebM', extensions: ['webm', 'weba'] },
    ...{ video: [...web], audio: ['opus', 'vorbis'] },
  },
  {
    ...{ name: 'avi', title: 'AVI', extensions: ['avi', 'divx'] },
    ...{ video: ['mpeg4', 'h264', 'mjpeg', 'msmpeg4v3', 'dvvideo'], audio: ['mp3', 'ac3', 'pcm'] },
  },
  {
    ...{ name: 'flv', title: 'Flash Video', extensions: ['flv'] },
    ...{ video: ['h264', 'flv1', 'vp6f'], audio: ['aac', 'mp3', 'speex'] },
  },
  {
    ...{ name: 'mpegts', title: 'MPEG transport stream', extensions: ['ts', 'mts', 'm2ts', 'tp'] },
    ...{ video: [...mpeg], audio: ['aac', 'mp2', 'mp3', 'ac3', 'eac3', 'dts'] },
  },
  {
    ...{ name: 'mpg', title: 'MPEG program stream, VOB', extensions: ['mpg', 'mpeg', 'vob', 'm2p', 'dat'] },
    ...{ video: ['mpeg2video', 'mpeg1video', 'h264'], audio: ['mp2', 'mp3', 'ac3'] },
  },
  {
    ...{ name: 'asf', title: 'Windows Media (ASF)', extensions: ['wmv', 'asf', 'wma'] },
    ...{
      video: ['wmv1', 'wmv2', 'wmv3', 'vc1', 'msmpeg4v3', 'h264'],
      audio: ['wmav1', 'wmav2', 'wmapro', 'mp3', 'aac'],
    },
  },
  {
    ...{ name: 'mxf', title: 'MXF', extensions: ['mxf'] },
    ...{ video: ['mpeg2video', 'h264', 'dnxhd', 'prores', 'dvvideo', 'jpeg2000'], audio: ['pcm'] },
  },
  { name: 'dv', title: 'DV', extensions: ['dv', 'dif'], video: ['dvvideo'], audio: ['pcm'] },
  { name: 'ivf', title: 'IVF', extensions: ['ivf'], video: [...web], audio: [] },
  {
    name: 'h264',
    title: 'Raw H.264 (Annex B)',
    extensions: ['h264', '264', 'avc'],
    video: ['h264'],
    audio: [],
  },
  {
    name: 'hevc',
    title: 'Raw H.265 (Annex B)',
    extensions: ['h265', '265', 'hevc'],
    video: ['hevc'],
    audio: [],
  },
  {
    ...{ name: 'm2v', title: 'Raw MPEG-1 and MPEG-2 video', extensions: ['m2v', 'm1v', 'mpv'] },
    ...{ video: ['mpeg2video', 'mpeg1video'], audio: [] },
  },
  { name: 'm4v', title: 'Raw MPEG-4 video', extensions: ['cmp'], video: ['mpeg4'], audio: [] },
  { name: 'av1', title: 'Raw AV1 (OBU)', extensions: ['obu'], video: ['av1'], audio: [] },
  { name: 'gif', title: 'GIF', extensions: ['gif'], video: ['gif'], audio: [] },
  { name: 'apng', title: 'Animated PNG', extensions: ['apng', 'png'], video: ['apng'], audio: [] },
  { name: 'mp3', title: 'MP3, MP2', extensions: ['mp3', 'mp2', 'mpga'], video: [], audio: ['mp3', 'mp2'] },
  {
    name: 'wav',
    title: 'WAV, RF64, BW64',
    extensions: ['wav', 'wave'],
    video: [],
    audio: ['pcm', 'adpcm', 'mp3'],
  },
  { name: 'flac', title: 'FLAC', extensions: ['flac'], video: [], audio: ['flac'] },
  {
    ...{ name: 'ogg', title: 'Ogg', extensions: ['ogg', 'oga', 'ogv', 'opus', 'spx'] },
    ...{ video: ['theora'], audio: ['opus', 'vorbis', 'flac', 'speex'] },
  },
  { name: 'aac', title: 'AAC (ADTS)', extensions: ['aac', 'adts'], video: [], audio: ['aac'] },
  { name: 'ac3', title: 'Dolby Digital', extensions: ['ac3'], video: [], audio: ['ac3'] },
  { name: 'eac3', title: 'Dolby Digital Plus', extensions: ['eac3', 'ec3'], video: [], audio: ['eac3'] },
  { name: 'aiff', title: 'AIFF, AIFF-C', extensions: ['aiff', 'aif', 'aifc'], video: [], audio: ['pcm'] },
  { name: 'au', title: 'AU', extensions: ['au', 'snd'], video: [], audio: ['pcm'] },
  { name: 'caf', title: 'Core Audio', extensions: ['caf'], video: [], audio: ['pcm', 'alac', 'aac'] },
  { name: 'wv', title: 'WavPack', extensions: ['wv'], video: [], audio: ['wavpack'] },
  { name: 'amr', title: 'AMR', extensions: ['amr', 'awb'], video: [], audio: ['amr_nb', 'amr_wb'] },
  { name: 'png', title: 'PNG', extensions: ['png'], video: ['png'], audio: [] },
  { name: 'jpeg', title: 'JPEG', extensions: ['jpg', 'jpeg', 'jfif'], video: ['mjpeg'], audio: [] },
  { name: 'webp', title: 'WebP', extensions: ['webp'], video: ['webp'], audio: [] },
];

/** A container format that can be written. */
export interface WrittenFormat {
  name: string;
  /** The first codec of each list is the default of `auto`. */
  video: readonly string[];
  audio: readonly string[];
}

/** Video and audio formats that can be written. Pictures are written as PNG, JPEG and WebP. */
export const writtenFormats: readonly WrittenFormat[] = [
  ...containers.map((name) => ({ name, video: codecsOf[name], audio: audioCodecsOf[name] })),
  ...audioContainers.map((name) => ({ name, video: [], audio: audioCodecsOf[name] })),
];

/** Extensions of caption, timeline and table files. */
const documents = ['srt', 'vtt', 'ass', 'ssa', 'json', 'csv', 'edl', 'fcpxml', 'otio', 'zip'];

/** Lower-case file extensions without the dot. */
export const mediaExtensions: ReadonlySet<string> = new Set([
  ...readFormats.flatMap(({ extensions }) => extensions),
  ...documents,
]);
