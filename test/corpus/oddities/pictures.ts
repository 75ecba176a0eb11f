import { join } from 'node:path';
import { turn } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { AAC, MASTER, made, type Oddity, SECONDS, x264, x265 } from './oddity.ts';

const scaled = (size: string, format = 'yuv420p') => ['-vf', `scale=${size},setsar=1,format=${format}`];
const shown = (format: string) => ['-pix_fmt', format];
const vp9 = ['-c:v', 'libvpx-vp9', '-b:v', '300k', '-cpu-used', '8', '-deadline', 'realtime', '-g', '30'];
const av1 = ['-c:v', 'libsvtav1', '-preset', '12', '-g', '30'];
const hdr = (transfer: string) => [
  ...['-pix_fmt', 'yuv420p10le', '-color_primaries', 'bt2020', '-color_trc', transfer],
  ...['-colorspace', 'bt2020nc', '-color_range', 'tv'],
];
const interlaced = ['-vf', 'scale=160:96,interlace=lowpass=off', '-flags', '+ildct+ilme'];

function turned(name: string, degrees: 90 | 180): Oddity {
  return {
    name,
    make: async ({ directory, ffmpeg }) => {
      await ffmpeg(...MASTER, ...SECONDS, ...x264(), ...AAC, name);
      await turn(join(directory, name), degrees);
    },
  };
}

/** Odd sizes, formats of pixels, codecs and groups of pictures. */
export const pictures: readonly Oddity[] = [
  made('intra-refresh.mp4', ...x264(45, 0, 'intra-refresh=1'), ...AAC),
  made('intra-refresh.mkv', ...x264(45, 2, 'intra-refresh=1'), ...AAC),
  made('intra-refresh.ts', ...x264(60, 0, 'intra-refresh=1'), ...AAC),
  made('open-gop.mp4', ...x264(30, 3, 'open-gop=1'), ...AAC),
  made('open-gop-flac.mkv', ...x264(30, 3, 'open-gop=1'), '-c:a', 'flac'),
  made('open-gop-hevc.mp4', ...x265('open-gop=1:bframes=3'), ...AAC),
  made('one-gop.mp4', ...x264(1000, 3), ...AAC),
  made('every-frame-a-key.mov', ...x264(1, 0), ...AAC),
  made('pyramid.mkv', ...x264(30, 8, 'b-pyramid=normal:ref=6'), ...AAC),
  made('161x91.mkv', ...scaled('161:91', 'yuv444p'), ...x264(), ...shown('yuv444p'), ...AAC),
  made('161x91.webm', ...scaled('161:91'), ...vp9, '-c:a', 'libopus'),
  made('1x1.mkv', ...scaled('1:1', 'yuv444p'), '-c:v', 'ffv1', ...AAC),
  made('2x2.mp4', ...scaled('2:2'), ...x264(), ...AAC),
  made('18x320.mp4', ...scaled('18:320'), ...x264(), ...AAC),
  made('wide-pixels.mp4', '-vf', 'scale=120:90,setsar=4/3', ...x264(), ...AAC),
  turned('turned-90.mp4', 90),
  turned('turned-180.mov', 180),
  made('hdr10.mp4', ...x265('hdr10=1'), ...hdr('smpte2084'), ...AAC),
  made('hlg.mkv', ...x265(), ...hdr('arib-std-b67'), ...AAC),
  made('interlaced.mp4', ...interlaced, ...x264(25, 2, 'tff=1'), ...AAC),
  made('interlaced.ts', ...interlaced, '-c:v', 'mpeg2video', '-b:v', '2M', '-c:a', 'mp2'),
  made('10-bit-422.mp4', ...x264(), ...shown('yuv422p10le'), ...AAC),
  made('10-bit.mkv', ...x264(), ...shown('yuv420p10le'), ...AAC),
  made('prores.mov', '-c:v', 'prores_ks', '-c:a', 'pcm_s16le'),
  made('prores-4444.mov', '-c:v', 'prores_ks', ...shown('yuva444p10le'), '-c:a', 'pcm_s24le'),
  made('mjpeg.mov', '-c:v', 'mjpeg', ...shown('yuvj420p'), '-c:a', 'pcm_s16be'),
  made('ffv1.mkv', '-c:v', 'ffv1', '-c:a', 'flac'),
  made('grey.mp4', ...x264(), ...shown('gray'), ...AAC),
  made('full-range.mp4', '-vf', 'scale=out_range=pc', ...x264(), ...shown('yuvj420p'), ...AAC),
  made('alpha.webm', '-vf', 'format=yuva420p', ...vp9, ...shown('yuva420p'), '-c:a', 'libopus'),
  made('vp8.webm', ...VP8, '-b:v', '300k', '-c:a', 'libvorbis'),
  made('vp9.mp4', ...vp9, ...AAC),
  made('av1.mp4', ...av1, ...AAC),
  made('av1.mkv', ...av1, '-c:a', 'libopus'),
  made('hev1.mp4', ...x265(), '-tag:v', 'hev1', ...AAC),
  made('one-frame.mp4', '-frames:v', '1', '-an', ...x264()),
  made('two-frames.mp4', '-frames:v', '2', '-an', ...x264(25, 0)),
  made('one-frame.gif', '-frames:v', '1', '-an'),
  made('animation.gif', '-vf', 'fps=10', '-an'),
  made('animation-of-two.gif', '-frames:v', '2', '-vf', 'fps=10', '-an'),
  made('animation.png', '-vf', 'fps=10', '-an', '-f', 'apng', '-plays', '0'),
  made('animation.webp', '-vf', 'fps=10', '-an', '-c:v', 'libwebp_anim', '-loop', '0'),
];
