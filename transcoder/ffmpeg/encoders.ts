import type {
  AudioEncoding,
  Color,
  CopiedVideo,
  Output,
  Rate,
  Still,
  VideoEncoder,
  VideoEncoding,
} from './step.ts';

/**
 * Presets with which two cores keep up with 1080p30: the slower ones cost more CPU than they save bits. Measured in
 * bench/ENCODERS.md.
 */
const speed: Record<VideoEncoder, string[]> = {
  libx264: ['-preset', 'veryfast'],
  libx265: ['-preset', 'superfast'],
  'libvpx-vp9': ['-deadline', 'realtime', '-cpu-used', '7', '-row-mt', '1', '-auto-alt-ref', '0'],
  libsvtav1: ['-preset', '10'],
  'libaom-av1': ['-usage', 'realtime', '-cpu-used', '8', '-row-mt', '1'],
};

export function videoArguments(
  encode: VideoEncoding | { copy: CopiedVideo },
  container: Output['container'],
): string[] {
  if ('copy' in encode) {
    const { codec, packets } = encode.copy;
    return [
      ...['-c:v', 'copy', '-copypriorss', '0'],
      ...(packets === null ? [] : ['-frames:v', `${packets}`]),
      ...tagArguments(codec, container),
    ];
  }
  const { encoder, rate, color } = encode;
  return [
    ...['-c:v', encoder, ...speed[encoder], ...rateArguments(encoder, rate)],
    ...['-pix_fmt', encode.pixelFormat, '-g', `${encode.keyframeInterval}`],
    ...['-fps_mode', 'passthrough', '-enc_time_base:v', encode.timeBase.replace('/', ':')],
    ...(encode.reorder ? [] : ['-bf', '0']),
    ...colorArguments(color),
    ...privateArguments(encode),
    ...tagArguments(encoder === 'libx265' ? 'hevc' : '', container),
  ];
}

function rateArguments(encoder: VideoEncoder, rate: Rate): string[] {
  if ('kbps' in rate) return averageArguments(encoder, rate.kbps);
  const crf = ['-crf', `${rate.crf}`];
  if (encoder === 'libvpx-vp9' || encoder === 'libaom-av1') {
    return [...crf, '-b:v', rate.maxKbps === null ? '0' : `${rate.maxKbps}k`];
  }
  if (rate.maxKbps === null) return crf;
  if (encoder === 'libsvtav1') return [...crf, '-svtav1-params', `mbr=${rate.maxKbps}`];
  return [...crf, '-maxrate', `${rate.maxKbps}k`, '-bufsize', `${rate.maxKbps * 2}k`];
}

/** One pass at an average bitrate. libvpx stays up to a third below it unless it is told a constant one. */
function averageArguments(encoder: VideoEncoder, kbps: number): string[] {
  const average = ['-b:v', `${kbps}k`];
  if (encoder !== 'libvpx-vp9' && encoder !== 'libaom-av1') return average;
  return [...average, '-minrate', `${kbps}k`, '-maxrate', `${kbps}k`, '-bufsize', `${kbps * 4}k`];
}

function colorArguments(color: Color): string[] {
  return [
    ...(color.space === null ? [] : ['-colorspace', color.space]),
    ...(color.transfer === null ? [] : ['-color_trc', color.transfer]),
    ...(color.primaries === null ? [] : ['-color_primaries', color.primaries]),
    ...(color.range === null ? [] : ['-color_range', color.range]),
  ];
}

function privateArguments({ encoder, mastering, fitting }: VideoEncoding): string[] {
  const profile = fitting?.profile ? ['-profile:v', fitting.profile] : [];
  const fits = fitting?.params ? [fitting.params] : [];
  if (encoder === 'libx265') {
    const hdr = [
      ...(mastering?.display ? [`master-display=${mastering.display}`] : []),
      ...(mastering?.light ? [`max-cll=${mastering.light}`] : []),
    ];
    const own = ['log-level=error', ...(hdr.length > 0 ? ['hdr10=1', ...hdr] : []), ...fits];
    return [...profile, '-x265-params', own.join(':')];
  }
  if (encoder === 'libx264' && fits.length > 0) return [...profile, '-x264-params', fits.join(':')];
  return profile;
}

function tagArguments(codec: string, container: Output['container']): string[] {
  return codec === 'hevc' && (container === 'mp4' || container === 'mov') ? ['-tag:v', 'hvc1'] : [];
}

export function audioArguments(encode: AudioEncoding | 'copy'): string[] {
  if (encode === 'copy') return ['-c:a', 'copy'];
  const rate = encode.kbps === null ? [] : ['-b:a', `${encode.kbps}k`];
  const strict = encode.encoder === 'flac' ? ['-strict', '-2'] : [];
  return ['-c:a', encode.encoder, ...rate, ...strict];
}

/** `quality` is 1–100 on the scale of libjpeg and libwebp; mjpeg counts quantisers from 1 (best) to 31. */
export function stillArguments(output: { container: Still; quality: number }): string[] {
  const { container, quality } = output;
  if (container === 'png') return ['-c:v', 'png'];
  if (container === 'webp') return ['-c:v', 'libwebp', '-quality', `${quality}`];
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  const quantiser = Math.min(31, Math.max(1, Math.round(percent / 10)));
  return ['-c:v', 'mjpeg', '-qmin', '1', '-q:v', `${quantiser}`];
}
