import { VP8 } from '../../fixtures/vp8.ts';
import { AAC, edited, MASTER, made, type Oddity, SECONDS, x264, x265 } from './oddity.ts';
import { repeatPictures } from './repeated-pictures.ts';

const asp = (b: number) => ['-c:v', 'mpeg4', '-q:v', '4', '-bf', `${b}`, '-g', '25'];
const mp3 = ['-c:a', 'libmp3lame', '-b:a', '64k'];
const h264 = [...x264(), ...AAC];
const mpeg2 = ['-c:v', 'mpeg2video', '-b:v', '2M', '-bf', '2', '-g', '15'];
const theora = ['-c:v', 'libtheora', '-q:v', '6', '-g', '30'];
const small = ['-vf', 'scale=80:48'];
const at = (share: number) => (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share));
const atRate = (frame: string) => [
  '-vf',
  `settb=${frame},setpts=N`,
  '-r',
  frame.split('/').reverse().join('/'),
];

/** Width and height, as a tool that records the screen of a phone writes them first. */
const screenSize = Buffer.from('0000043800000960', 'hex');

/** Containers and codecs that came before mp4, raw streams, and files that end early. */
export const containers: readonly Oddity[] = [
  made('asp.avi', ...asp(0), ...mp3),
  made('asp-b-frames.avi', ...asp(2), ...mp3),
  made('asp-mute.avi', ...asp(1), '-an'),
  made('h264.avi', ...x264(25, 0), ...mp3),
  made('h264-b-frames.avi', ...x264(25, 2), '-c:a', 'pcm_s16le'),
  made('film.avi', ...atRate('1001/24000'), ...asp(2), ...mp3),
  made('mjpeg.avi', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le'),
  made('msmpeg4.avi', '-c:v', 'msmpeg4', '-q:v', '4', ...mp3),
  made('ffv1.avi', '-c:v', 'ffv1', '-c:a', 'pcm_s16le'),
  made('h264.flv', ...h264, '-ar', '44100'),
  made('sorenson.flv', '-c:v', 'flv1', '-q:v', '4', ...mp3, '-ar', '44100'),
  made('h263.3gp', '-vf', 'scale=176:144', '-c:v', 'h263', '-q:v', '4', ...AAC, '-ac', '1', '-ar', '16000'),
  made('asp.3gp', ...asp(0), ...AAC),
  made('theora-of-long-gops.ogv', ...theora, '-c:a', 'libvorbis'),
  made('theora.ogv', '-c:v', 'libtheora', '-q:v', '6', '-c:a', 'libvorbis'),
  edited('repeats-pictures.ogv', [...theora, '-c:a', 'libvorbis'], repeatPictures),
  edited('repeats-pictures-mute.ogv', [...theora, '-an'], repeatPictures),
  made('mpeg1.mpg', '-c:v', 'mpeg1video', '-b:v', '1M', '-bf', '2', '-c:a', 'mp2'),
  made('mpeg2.vob', ...mpeg2, '-c:a', 'ac3'),
  made('mpeg2.m2v', '-an', ...mpeg2),
  made('mpeg2.ts', ...mpeg2, '-c:a', 'mp2'),
  made('blu-ray.m2ts', ...h264, '-mpegts_m2ts_mode', '1'),
  made('h264.mxf', ...x264(25, 0), '-c:a', 'pcm_s16le', '-ar', '48000'),
  edited('behind-run-in.mxf', [...mpeg2, '-c:a', 'pcm_s16le', '-ar', '48000'], (bytes) =>
    Buffer.concat([Buffer.alloc(8), bytes]),
  ),
  made('wmv2.wmv', '-c:v', 'wmv2', '-q:v', '4', '-c:a', 'wmav2'),
  made('raw.h264', '-an', ...x264()),
  made('raw-hevc.h265', '-an', ...x265()),
  edited('behind-size.h264', ['-an', ...x264()], (bytes) => Buffer.concat([screenSize, bytes])),
  made('vp9.ivf', '-an', '-c:v', 'libvpx-vp9', '-b:v', '300k', '-cpu-used', '8', '-deadline', 'realtime'),
  {
    name: 'dv.dv',
    make: async ({ ffmpeg }) => {
      const pal = ['-vf', 'scale=720:576', '-r', '25', '-pix_fmt', 'yuv420p', '-target', 'pal-dv'];
      await ffmpeg('-t', '1.5', ...MASTER, ...pal, 'dv.dv');
    },
  },
  made('asp.mp4', ...asp(2), ...AAC),
  made('two-pictures.mkv', '-map', '0:v', '-map', '0:v', '-map', '0:a', ...h264, '-filter:v:1', 'negate'),
  made('chapters-and-tags.mkv', ...h264, '-metadata', 'title=Title', '-cues_to_front', '1'),
  edited('truncated.mp4', [...h264, '-movflags', 'faststart'], at(0.7)),
  edited('truncated.mkv', h264, at(0.7)),
  edited('truncated.ts', h264, at(0.7)),
  edited('truncated.webm', [...SECONDS, ...VP8, '-b:v', '300k', '-c:a', 'libopus'], at(0.7)),
  edited('truncated.avi', [...asp(0), ...mp3], at(0.7)),
  // Without its index, libav takes every packet for a keyframe.
  edited('truncated-wmv1.avi', ['-c:v', 'wmv1', '-q:v', '4', '-g', '50', ...mp3], at(0.7)),
  edited('truncated-wmv2.avi', ['-c:v', 'wmv2', '-q:v', '4', '-g', '50', ...mp3], at(0.7)),
  edited('truncated-msvideo1.avi', [...small, '-c:v', 'msvideo1', '-g', '50', ...mp3], at(0.7)),
  edited('truncated.flac', ['-vn', '-c:a', 'flac'], at(0.7)),
  edited('truncated.wav', ['-vn'], at(0.7)),
  edited('no-index.mp4', h264, at(0.7)),
];
