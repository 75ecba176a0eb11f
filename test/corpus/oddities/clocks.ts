import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VP8 } from '../../fixtures/vp8.ts';
import { AAC, copied, edited, made, type Oddity, offset, SECONDS, x264, x265 } from './oddity.ts';

const irregular = (times: string) => ['-vf', times, '-fps_mode', 'passthrough'];
const fine = ['-enc_time_base:v', '1:15360'];
const skipping = irregular("select='lt(mod(n,7),1)+between(mod(n,7),2,3)+eq(mod(n,7),6)'");
const paced = (frame: string) => [
  ...irregular(`settb=${frame},setpts=N`),
  ...['-enc_time_base:v', frame.replace('/', ':')],
];
const h264 = [...x264(), ...AAC];
const transport = (...args: string[]) => [...h264, '-muxdelay', '0', '-muxpreload', '0', ...args];
// Without sound, which would begin before the first picture and hide the ones that are missing.
const fromSecondGop = ['-t', '4', '-an'];
const kept = ['-ss', '1.1'];
const asItIs = ['-copyts', '-avoid_negative_ts', 'disabled'];
const mpeg2 = ['-c:v', 'mpeg2video', '-b:v', '1M', '-bf', '2', '-g', '15'];

/** Odd durations, time bases, origins, distances between tracks and between frames. */
export const clocks: readonly Oddity[] = [
  made('no-duration.webm', ...VP8, '-b:v', '300k', '-g', '25', '-c:a', 'libopus', '-live', '1'),
  made('no-duration-h264.mkv', ...h264, '-live', '1'),
  made('no-duration-mute.webm', '-an', '-c:v', 'libvpx-vp9', '-b:v', '300k', '-cpu-used', '8', '-live', '1'),
  made('no-duration.mka', '-vn', '-c:a', 'libopus', '-f', 'matroska', '-live', '1'),
  made('no-duration.flv', ...h264, '-ar', '44100', '-flvflags', 'no_duration_filesize'),
  made('fragmented.mp4', ...h264, '-movflags', 'frag_keyframe+empty_moov+default_base_moof'),
  made(
    'fragments-of-100-ms.mp4',
    ...h264,
    '-movflags',
    'empty_moov+default_base_moof',
    '-frag_duration',
    '100000',
  ),
  made('ticks-of-30.mp4', ...h264, '-video_track_timescale', '30'),
  made('ticks-of-24.mp4', ...paced('1/24'), ...h264, '-video_track_timescale', '24'),
  made('ticks-of-2997.mp4', ...paced('1001/30000'), ...h264, '-video_track_timescale', '30000'),
  made(
    'ticks-of-1000.mp4',
    ...skipping,
    '-enc_time_base:v',
    '1:1000',
    ...h264,
    '-video_track_timescale',
    '1000',
  ),
  made('ticks-of-90000.mov', ...paced('1001/60000'), ...h264, '-video_track_timescale', '90000'),
  made('ntsc.mkv', ...paced('1001/30000'), ...h264),
  made(
    'film.webm',
    ...paced('1001/24000'),
    '-c:v',
    'libvpx-vp9',
    '-cpu-used',
    '8',
    '-g',
    '24',
    '-c:a',
    'libopus',
  ),
  made('wrap-before.ts', ...transport('-output_ts_offset', '95438.3')),
  made('wrap-within.ts', ...transport('-output_ts_offset', '95442')),
  made('origin-700.ts', ...transport('-output_ts_offset', '700')),
  made('origin-700.mkv', ...h264, '-output_ts_offset', '700'),
  made('origin-7.mp4', ...h264, '-output_ts_offset', '7'),
  made('origin-negative.mp4', ...h264, '-output_ts_offset', '-0.5', '-avoid_negative_ts', 'disabled'),
  edited('begins-within-a-gop.ts', transport(), (bytes) => bytes.subarray(188 * 90)),
  edited('begins-within-a-packet.ts', transport(), (bytes) => bytes.subarray(188 * 90 + 61)),
  edited('begins-within-a-packet.m2ts', [...h264, '-mpegts_m2ts_mode', '1'], (bytes) => bytes.subarray(101)),
  edited('begins-within-a-pack.vob', [...mpeg2, '-c:a', 'mp2'], (bytes) => bytes.subarray(1500)),
  offset('sound-22-ms-late.mp4', 'sound', 0.022, ...h264),
  offset('sound-22-ms-early.mp4', 'picture', 0.022, ...h264),
  offset('sound-7-ms-late.mov', 'sound', 0.007, ...h264),
  offset('sound-500-ms-late.mkv', 'sound', 0.5, ...h264),
  offset('sound-500-ms-early.mp4', 'picture', 0.5, ...h264),
  offset('sound-300-ms-early.ts', 'picture', 0.3, ...transport()),
  offset('sound-15-ms-early.webm', 'picture', 0.015, ...VP8, '-b:v', '300k', '-c:a', 'libopus'),
  made('aac-priming.mkv', ...h264),
  made('opus-priming.mkv', ...x264(), '-c:a', 'libopus'),
  copied('begins-with-open-gop.ts', [...fromSecondGop, ...x264(30, 3, 'open-gop=1')], kept, ...asItIs),
  copied('begins-with-open-gop.flv', [...fromSecondGop, ...x264(30, 3, 'open-gop=1')], kept, ...asItIs),
  copied('begins-with-open-gop-mpeg2.ts', [...fromSecondGop, ...mpeg2], kept, ...asItIs),
  copied('begins-with-open-gop-mpeg2.mpg', [...fromSecondGop, ...mpeg2], kept, ...asItIs),
  copied(
    'begins-with-open-gop-hevc.ts',
    [...fromSecondGop, ...x265('open-gop=1:bframes=3')],
    kept,
    ...asItIs,
  ),
  copied('edit-list.mp4', ['-t', '4', ...h264], ['-ss', '1.2']),
  copied('edit-list-b-frames.mov', ['-t', '4', ...x264(50, 3), ...AAC], ['-ss', '0.71']),
  made('irregular.mp4', ...skipping, ...fine, ...h264),
  made('irregular.mkv', ...skipping, ...h264),
  made('irregular.webm', ...skipping, ...VP8, '-b:v', '300k', '-c:a', 'libopus'),
  // libavcodec takes decoding times for the rest of a stream in which presentation times have once descended.
  made('one-time-descends.mp4', ...h264, '-bsf:v', "setts=pts='if(eq(N,13),DTS+DURATION/2,PTS)'"),
  made('decoding-times.mp4', ...h264, '-bsf:v', 'setts=ts=DTS-STARTDTS'),
  made('decoding-times.flv', ...h264, '-ar', '44100', '-bsf:v', 'setts=ts=DTS-STARTDTS'),
  made('decoding-times.ts', ...transport('-bsf:v', 'setts=ts=DTS-STARTDTS')),
  made('decoding-times-from-edit.mp4', ...x264(25, 3), ...AAC, '-bsf:v', 'setts=pts=DTS'),
  made('frame-held-1.5-s.mp4', ...irregular("select='not(between(n,31,75))'"), ...fine, ...h264),
  made('one-a-second.mp4', ...irregular("select='not(mod(n,30))'"), ...fine, ...h264),
  made('frames-missing.mkv', ...x264(25, 0), ...AAC, '-bsf:v', "noise=drop='between(n,50,74)'"),
  made('sound-missing.mkv', ...h264, '-bsf:a', "noise=drop='between(n,40,60)'"),
  made('sound-missing.ts', ...transport('-bsf:a', "noise=drop='between(n,40,60)'")),
  made('sound-short.mp4', '-af', 'atrim=end=1.7', ...h264),
  made('sound-short.mkv', '-af', 'atrim=end=1.7', ...x264(), '-c:a', 'flac'),
  made('sound-long.mp4', '-vf', 'trim=end=2', ...h264),
  made('sound-long.mkv', '-vf', 'trim=end=2', ...h264),
  made('hevc.ts', ...x265(), ...AAC, '-output_ts_offset', '12'),
  { name: 'captions-long.mp4', make: withCaptions('captions-long.mp4', 'mov_text') },
  { name: 'captions-long.mkv', make: withCaptions('captions-long.mkv', 'srt') },
  edited('lengths-of-0.mp4', h264, withoutLengths),
  edited('lengths-of-0.m4a', ['-vn', ...AAC, '-use_editlist', '0'], withoutLengths),
  made('timecode-track.mov', ...h264, '-timecode', '10:00:00:00'),
];

/** States a duration of 0 in the header of each track's media (`mdhd`), as muxers do that do not return to it. */
function withoutLengths(bytes: Buffer): Buffer {
  for (let at = bytes.indexOf('mdhd'); at > 0; at = bytes.indexOf('mdhd', at + 4))
    bytes.writeUInt32BE(0, at + 4 + 16);
  return bytes;
}

/** The last caption ends nine seconds after picture and sound. */
function withCaptions(name: string, codec: string): Oddity['make'] {
  return async ({ directory, ffmpeg }) => {
    const captions = join(directory, `${name}.srt`);
    await writeFile(
      captions,
      '1\n00:00:00,500 --> 00:00:01,500\nFirst\n\n2\n00:00:02,000 --> 00:00:12,000\nLast\n',
    );
    const inputs = [...SECONDS, '-i', 'master.nut', '-i', captions, '-map', '0', '-map', '1'];
    await ffmpeg(...inputs, ...h264, '-c:s', codec, name);
    await rm(captions);
  };
}
