import type { AudioEncoding, VideoEncoder, VideoEncoding } from '../model/encoding.ts';
import { svtMastering, x265Mastering } from '../model/mastering.ts';
import { nearestFraction } from '../model/numbers/nearest-fraction.ts';
import type { CopiedVideo, Output, Pixels, Still } from '../model/steps.ts';

/**
 * The slowest presets that sustain 1080p30 on two cores. Slower ones cost more CPU than they save in bits; measured in
 * bench/ENCODERS.md.
 */
const speed: Record<VideoEncoder, string[]> = {
  libx264: ['-preset', 'veryfast'],
  libx265: ['-preset', 'superfast'],
  'libvpx-vp9': ['-deadline', 'realtime', '-cpu-used', '7', '-row-mt', '1', '-auto-alt-ref', '0'],
  libsvtav1: ['-preset', '10'],
  'libaom-av1': ['-usage', 'realtime', '-cpu-used', '8', '-row-mt', '1'],
  // With a constant quantiser it does not search for one in each slice, which takes a third of the time.
  prores_ks: ['-profile:v', '4444', '-alpha_bits', '8', '-vendor', 'apl0'],
};

export function videoArguments(
  encode: VideoEncoding | { copy: CopiedVideo },
  container: Output['container'],
): string[] {
  if ('copy' in encode) {
    const { codec, packets, alpha, dolbyVision } = encode.copy;
    // Matroska would show what comes before the first sound of an encoder, and be late by that.
    const prior = container === 'mkv' || container === 'webm' ? '-copypriorss' : '-copypriorss:v';
    return [
      ...['-c:v', 'copy', prior, '0'],
      // `-frames:v` would end the sound, too, as soon as the last picture is written: before what lies behind it in the file.
      ...(packets === null ? [] : ['-bsf:v', `noise=drop=gte(n\\,${packets})`]),
      ...(alpha ? ['-metadata:s:v:0', 'alpha_mode=1'] : []),
      // The muxers leave out its configuration otherwise.
      ...(dolbyVision ? ['-strict', '-2'] : []),
      ...tagArguments(codec, container, dolbyVision),
    ];
  }
  const { encoder } = encode;
  return [
    ...['-c:v', encoder, ...speed[encoder], ...rateArguments(encode)],
    ...['-pix_fmt', encode.pixelFormat, '-g', `${encode.keyframeInterval}`],
    ...['-fps_mode', 'passthrough', '-enc_time_base:v', encode.timeBase.replace('/', ':')],
    ...(encode.reorder ? [] : ['-bf', '0']),
    ...(encode.fields ? ['-flags', '+ildct+ilme'] : []),
    ...privateArguments(encode),
    ...tagArguments(encoder === 'libx265' ? 'hevc' : '', container),
  ];
}

function rateArguments({ encoder, rate, pixelFormat }: VideoEncoding): string[] {
  if ('kbps' in rate) return averageArguments(encoder, rate, pixelFormat);
  if ('qp' in rate) return quantiserArguments(encoder, rate.qp, pixelFormat);
  const crf = ['-crf', `${rate.crf}`];
  if (encoder === 'libvpx-vp9' || encoder === 'libaom-av1') {
    return [...crf, '-b:v', rate.maxKbps === null ? '0' : `${rate.maxKbps}k`];
  }
  if (rate.maxKbps === null) return crf;
  if (encoder === 'libsvtav1') return crf;
  return [...crf, '-maxrate', `${rate.maxKbps}k`, '-bufsize', `${rate.maxKbps * 2}k`];
}

/** x265 has a parameter instead of an option. */
function quantiserArguments(encoder: VideoEncoder, qp: number, pixelFormat: string): string[] {
  if (encoder === 'libx265') return [];
  if (encoder === 'prores_ks') return ['-qscale:v', `${qp}`];
  return ['-qp', `${ofDepth(qp, pixelFormat)}`];
}

/** x264 counts from the finest quantiser of the bit depth. */
const ofDepth = (qp: number, pixelFormat: string) => (pixelFormat.includes('10') ? qp + 12 : qp);

/**
 * One-pass average bitrate. libvpx stays up to a third below its target unless minrate and maxrate pin it. Pinned, it
 * would start at its worst quantiser, 63, and lose 2 dB overall; with a maximum of 56 even a starved picture keeps its
 * bitrate.
 */
function averageArguments(
  encoder: VideoEncoder,
  { kbps, qmax }: { kbps: number; qmax: number | null },
  pixelFormat: string,
): string[] {
  const average = ['-b:v', `${kbps}k`];
  if (encoder !== 'libvpx-vp9' && encoder !== 'libaom-av1') {
    if (qmax === null) return average;
    return [...average, '-qmax', `${encoder === 'libx264' ? ofDepth(qmax, pixelFormat) : qmax}`];
  }
  const constant = ['-minrate', `${kbps}k`, '-maxrate', `${kbps}k`, '-bufsize', `${kbps}k`];
  return [...average, ...constant, '-qmax', '56'];
}

/** In the notation of x264, the only encoder that is used for fields. */
const fieldParams = { top: 'tff=1', bottom: 'bff=1' } as const;

const ownParams: Partial<Record<VideoEncoder, string>> = {
  libx264: '-x264-params',
  libx265: '-x265-params',
  libsvtav1: '-svtav1-params',
};

/** Least and greatest frame rate that an encoder is given. */
const rates: Partial<Record<VideoEncoder, readonly [number, number]>> = {
  libx264: [0.01, 1000],
  libx265: [0.01, 1000],
  libsvtav1: [1, 240],
};

/** Numerators of the rates of NTSC are up to this. */
const MOST_PARTS = 60_000;

/**
 * Encoders distribute bits by the frame rate. Since ffmpeg 6.1, they take the timebase for it once a filter has changed times: x265 then
 * spends half of the bits, and SVT-AV1 refuses.
 */
function frameRateParams({ encoder, frameSeconds }: VideoEncoding): string[] {
  const [least, greatest] = rates[encoder] ?? [];
  if (least === undefined || greatest === undefined) return [];
  const { num, den } = nearestFraction(Math.min(greatest, Math.max(least, 1 / frameSeconds)), MOST_PARTS);
  return encoder === 'libsvtav1' ? [`fps-num=${num}`, `fps-denom=${den}`] : [`fps=${num}/${den}`];
}

/** Options in the encoder's own notation, joined into one argument: ffmpeg uses only the last if there are several. */
function privateArguments(encoding: VideoEncoding): string[] {
  const { encoder, rate, mastering, narrow, fields, fitting } = encoding;
  const bounded = encoder === 'libsvtav1' && 'crf' in rate && rate.maxKbps !== null;
  const params = [
    ...frameRateParams(encoding),
    ...(encoder === 'libx265' ? ['log-level=error', ...x265Mastering(mastering)] : []),
    ...(encoder === 'libx265' && 'qp' in rate ? [`qp=${rate.qp}`] : []),
    ...(encoder === 'libx265' && narrow ? ['cutree=0'] : []),
    ...(encoder === 'libsvtav1' ? svtMastering(mastering) : []),
    ...(fields ? [fieldParams[fields]] : []),
    ...(bounded ? [`mbr=${rate.maxKbps}`] : []),
    ...(fitting?.params ? [fitting.params] : []),
  ];
  const name = ownParams[encoder];
  return [
    ...(fitting?.profile ? ['-profile:v', fitting.profile] : []),
    ...(name && params.length > 0 ? [name, params.join(':')] : []),
  ];
}

function tagArguments(codec: string, container: Output['container'], dolbyVision = false): string[] {
  if (codec !== 'hevc') return [];
  const mp4 = container === 'mp4' || container === 'mov';
  // In mp4, such video keeps its name where the muxer knows that; the one of Matroska refuses it.
  return mp4 === dolbyVision ? [] : ['-tag:v', 'hvc1'];
}

export function audioArguments(encode: AudioEncoding | 'copy'): string[] {
  // ffmpeg calls FLAC in mp4 experimental up to version 5.
  if (encode === 'copy') return ['-c:a', 'copy', '-strict', '-2'];
  const rate = encode.kbps === null ? [] : ['-b:a', `${encode.kbps}k`];
  // Experimental, too, are 32 bits a sample, which newer versions would use and older players cannot read.
  const strict = encode.encoder === 'flac' ? ['-strict', '-2', '-bits_per_raw_sample:a', '24'] : [];
  return ['-c:a', encode.encoder, ...rate, ...strict];
}

export function stillArguments(output: { container: Still | Pixels; quality: number }): string[] {
  const { container, quality } = output;
  if (container === 'png' || container === 'ppm' || container === 'pgmyuv') return ['-c:v', container];
  if (container === 'webp') return ['-c:v', 'libwebp', '-quality', `${quality}`];
  return ['-c:v', 'mjpeg', '-qmin', '1', '-q:v', `${quantiser(quality)}`];
}

/** Maps `quality` (1–100, the scale of libjpeg and libwebp) to mjpeg's quantiser, from 1 (best) to 31. */
export function quantiser(quality: number): number {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return Math.min(31, Math.max(1, Math.round(percent / 10)));
}
