import { describe, expect, test } from 'vitest';
import { diagnose, withoutTags } from '../../../transcoder/ffmpeg/diagnose.ts';
import { bytesToWrite } from '../../../transcoder/media/execute/disk-need.ts';
import { diskFailureIn, diskFailureOf } from '../../../transcoder/model/disk-failure.ts';
import type { Append, Mix, Output } from '../../../transcoder/model/steps.ts';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';

const systemError = (code: string) => Object.assign(new Error(`${code}: write`), { code });

describe('a disk that is full', () => {
  test.each([
    ['ENOSPC', 'out_of_disk'],
    ['EDQUOT', 'out_of_disk'],
    ['EFBIG', 'output_too_large'],
    ['EIO', undefined],
  ])('is told by the code %s, however deep it lies among causes', (code, expected) => {
    const wrapped = new TaskFailure('storage_failed', 'not stored', {
      cause: new Error('upload', { cause: systemError(code) }),
    });
    for (const error of [systemError(code), wrapped]) expect(diskFailureOf(error)?.code).toBe(expected);
  });

  test.each([
    ['av_interleaved_write_frame(): No space left on device', 'out_of_disk'],
    ["ENOSPC: no space left on device, write '/x'", 'out_of_disk'],
    ['write: Disk quota exceeded', 'out_of_disk'],
    ['Error writing trailer: File too large', 'output_too_large'],
    ['Invalid data found when processing input', undefined],
  ])('is told by what a program prints: %s', (text, expected) => {
    expect(diskFailureIn(text)?.code).toBe(expected);
    expect(diagnose({ code: 1, signal: null }, text).code).toBe(expected ?? 'render_failed');
  });

  test('is not read from the tags of a source, which a program prints', () => {
    const printed = [
      "Input #0, mp3, from 'file:/work/a':",
      '  Metadata:',
      '    title           : No space left on device',
      '                    : ENOSPC, File too large',
    ];
    expect(diskFailureIn(withoutTags(printed.join('\n')))).toBeNull();
    const said = withoutTags([...printed, 'a.raw: No space left on device'].join('\n'));
    expect(diskFailureIn(said)?.code).toBe('out_of_disk');
  });

  test('is not told by anything that is no error', () => {
    for (const value of [null, undefined, 'ENOSPC', 7]) expect(diskFailureOf(value)).toBeNull();
  });
});

describe('what a plan will write', () => {
  const plan = {
    steps: [{ kind: 'document', file: 'a', content: {} }],
    duration: 60,
    width: 1920,
    height: 1080,
    fps: 30,
  } as const;

  test('grows with duration and picture, and stays below the largest output', () => {
    const minute = bytesToWrite({ ...plan, steps: [...plan.steps] }, 0, 4e9);
    expect(bytesToWrite({ ...plan, steps: [...plan.steps], duration: 120 }, 0, 4e9)).toBeGreaterThan(
      1.9 * minute,
    );
    expect(bytesToWrite({ ...plan, steps: [...plan.steps], duration: 1e6 }, 0, 4e9)).toBe(4e9);
  });

  test('is about what x264 makes of a minute of 1080p', () => {
    const bytes = bytesToWrite({ ...plan, steps: [...plan.steps] }, 0, 4e9);
    expect(bytes).toBeGreaterThan(20e6);
    expect(bytes).toBeLessThan(100e6);
  });

  const joined = (parts: readonly { file: string }[]): Append => ({
    ...{ kind: 'append', file: 'sound.raw', parts: parts.map(({ file }) => file) },
  });

  test('counts sound that is mixed in parts once, not in its whole length for each part', () => {
    const parts = Array.from({ length: 60 }, (_, index) => ({ file: `part${index}.raw` }));
    const mixes = parts.map(({ file }): Mix => {
      const outputs: Output[] = [{ file, container: 'raw', from: 'a' }];
      return { kind: 'mix', inputs: [], chains: [], outputs, seconds: 60, lead: 0 };
    });
    const sound = { ...plan, duration: 3600, width: null, height: null };
    const bytes = bytesToWrite({ ...sound, steps: [...mixes, joined(parts)] }, 0, 4e9);
    expect(bytes).toBeGreaterThan(3600 * 384_000);
    expect(bytes).toBeLessThan(2e9);
  });

  test('counts sound that is stretched in parts by its samples, until no step reads it', () => {
    const form = { sampleRate: 48_000, channels: 2, samples: 6 * 48_000 };
    const parts = Array.from({ length: 100 }, (_, index) => ({
      ...{ kind: 'stretch' as const, from: `natural${index}.raw`, file: `part${index}.raw`, ...form },
    }));
    const sound = { ...plan, duration: 600, width: null, height: null };
    const bytes = bytesToWrite({ ...sound, steps: [...parts, joined(parts)] }, 0, 4e9);
    expect(bytes).toBeGreaterThan(600 * 384_000);
    expect(bytes).toBeLessThan(4e8);
    const unread = bytesToWrite({ ...sound, steps: parts }, 0, 4e9);
    expect(unread).toBeLessThan(bytes - 500 * 384_000);
  });
});
