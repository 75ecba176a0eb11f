import { describe, expect, test } from 'vitest';
import { decodersLack, diagnose, sourceEndedEarly } from '../../../transcoder/ffmpeg/diagnose.ts';
import { joinListText } from '../../../transcoder/ffmpeg/join-list.ts';
import { parseLoudness } from '../../../transcoder/ffmpeg/loudness-meter.ts';
import { progressReader } from '../../../transcoder/ffmpeg/progress.ts';
import { filterText } from '../../../transcoder/model/filter-text.ts';

describe('the end of a process becomes a failure', () => {
  test.each([
    [{ code: 1, signal: null }, 'Invalid data found', 'render_failed'],
    [{ code: null, signal: 'SIGKILL' as const }, '', 'out_of_memory'],
    [{ code: 137, signal: null }, '', 'out_of_memory'],
    [{ code: 1, signal: null }, 'x264 [error]: malloc of size 99 failed', 'out_of_memory'],
    [{ code: null, signal: 'SIGXFSZ' as const }, '', 'output_too_large'],
    [{ code: 153, signal: null }, '', 'output_too_large'],
    [{ code: 1, signal: null }, 'av_interleaved_write_frame(): File too large', 'output_too_large'],
    [{ code: null, signal: 'SIGXCPU' as const }, '', 'timed_out'],
    [{ code: 152, signal: null }, '', 'timed_out'],
    [{ code: 255, signal: null }, 'Exiting normally, received signal 24.', 'timed_out'],
    [{ code: null, signal: 'SIGSEGV' as const }, '', 'render_failed'],
    [{ code: 1, signal: null }, '[aac] Input contains (near) NaN/+-Inf', 'source_damaged'],
    [{ code: 134, signal: null }, 'psymodel.c:576: calc_energy: Assertion `el >= 0', 'source_damaged'],
  ])('%o with "%s" is %s', (exit, stderr, code) => {
    const failure = diagnose(exit, stderr);
    expect(failure.code).toBe(code);
    if (stderr !== '') expect(failure.message).not.toContain(stderr);
  });

  test('a file that ended early is told by what the demuxer says', () => {
    expect(sourceEndedEarly('[mov] stream 1, offset 0x3699d: partial file')).toBe(true);
    expect(sourceEndedEarly('[matroska,webm] File ended prematurely at pos. 5')).toBe(true);
    expect(sourceEndedEarly('deprecated pixel format used')).toBe(false);
  });
});

test('a filter option cannot leave its place', () => {
  expect(filterText({ name: 'pad', options: { color: "red,movie=/etc/passwd[x];'\\:" } })).toBe(
    "pad=color=red\\,movie=/etc/passwd\\[x\\]\\;\\\\\\'\\\\\\\\\\\\:",
  );
});

test('progress is read across chunks and never falls', () => {
  const seen: number[] = [];
  const reader = progressReader((seconds) => seen.push(seconds));
  const push = (text: string) => reader.push(Buffer.from(text));
  // What ffmpeg 5.1 says before its first packet.
  push('frame=0\nout_time_us=-9223372036854775807\nout_time_us=9223372036854342475\n');
  push('frame=1\nout_time_us=500');
  push('000\nout_time_us=400000\nout_time_us=N/A\nprogress=continue\nout_time_us=900000\n');
  expect(seen).toEqual([0.5, 0.9]);
});

test('a list of files says where each next one begins', () => {
  expect(
    joinListText([
      { file: 'a.mp4', seconds: 1.5 },
      { file: 'b.mp4', seconds: null },
    ]),
  ).toBe('ffconcat version 1.0\nfile a.mp4\nduration 1.500000\nfile b.mp4\n');
});

test.each([
  ['ffmpeg 5.1', ''],
  ['ffmpeg 7.1', '[out#0/null @ 0x5] video:0KiB audio:4480KiB\nsize=N/A time=00:00:06.00 speed=30x\n'],
])('loudness is read from what %s prints', (_, after) => {
  const text = (integrated: string) =>
    `    title           : ] Summary: I: -1.0 LUFS\n[Parsed_ebur128_0 @ 0x7] Summary:\n\n  Integrated loudness:\n    I:         ${integrated} LUFS\n    Threshold: -40.3 LUFS\n\n  Loudness range:\n    LRA:         0.7 LU\n    Threshold: -50.3 LUFS\n    LRA low:   -30.9 LUFS\n    LRA high:  -30.2 LUFS\n\n  True peak:\n    Peak:       -0.5 dBFS\n${after}`;
  expect(parseLoudness(text('-30.3'))).toEqual({
    integrated: -30.3,
    range: 0.7,
    truePeak: -0.5,
    threshold: -40.3,
  });
  expect(parseLoudness(text('-70.0'))).toBeNull();
  expect(parseLoudness('')).toBeNull();
});

test.each([
  ['Cannot map stream #0:0 - unsupported type.\nIf you want unsupported types ignored', true],
  ['Decoder (codec vvc) not found for input stream #0:0', true],
  ['[vist#0:0/none] Decoding requested, but no decoder found for: vvc', true],
  ['Error while decoding stream #0:0: Invalid data found when processing input', false],
])('a codec that ffmpeg does not know is no damage: %j (%s)', (stderr, lacks) => {
  expect(decodersLack(stderr)).toBe(lacks);
});
