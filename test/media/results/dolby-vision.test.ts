import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OperationName } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { failureOf, operate, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: scratch() });

let source: string;
let compatible: string;
beforeAll(async () => {
  const plain = join(scratch(), 'base-layer.mp4');
  await ffmpeg(
    ...['-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=25:d=4', '-f', 'lavfi', '-i', 'sine=d=4'],
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', '-tag:v', 'hvc1'],
    ...['-x265-params', 'log-level=none:keyint=25:min-keyint=25:open-gop=0:scenecut=0', '-c:a', 'aac', plain],
  );
  source = await described(plain, { name: 'profile-5.mp4', entry: 'dvh1', profile: 5, compatible: 0 });
  compatible = await described(plain, { name: 'profile-8.mp4', entry: 'hvc1', profile: 8, compatible: 2 });
});

interface Configuration {
  name: string;
  /** Name of the sample entry. */
  entry: string;
  profile: number;
  compatible: number;
}

/** With the configuration record of Dolby Vision behind that of HEVC, in an mp4 whose index is behind its media. */
async function described(
  path: string,
  { name, entry, profile, compatible: id }: Configuration,
): Promise<string> {
  const file = await readFile(path);
  const record = Buffer.alloc(32);
  record.writeUInt32BE(record.length);
  record.write(profile > 7 ? 'dvvC' : 'dvcC', 4, 'latin1');
  record.set([1, 0, profile << 1, (6 << 3) | 0b101, id << 4], 8);
  const at = file.lastIndexOf('hvcC') - 4;
  const end = at + file.readUInt32BE(at);
  for (const parent of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'hvc1']) {
    const box = file.lastIndexOf(parent, at) - 4;
    file.writeUInt32BE(file.readUInt32BE(box) + record.length, box);
    if (parent === 'hvc1') file.write(entry, box + 4, 'latin1');
  }
  const made = join(scratch(), name);
  await writeFile(made, Buffer.concat([file.subarray(0, end), record, file.subarray(end)]));
  return made;
}

/** How ffprobe describes the video of a file. */
async function descriptionOf(path: string): Promise<string> {
  const { stdout } = await run(programs, 'ffprobe', [
    ...['-v', 'error', '-select_streams', 'v', '-show_streams', path],
  ]);
  return stdout;
}

describe('pictures whose colors only decoders of Dolby Vision know', () => {
  test.each<[string, OperationName, Record<string, unknown>]>([
    ['re-encoded', 'transcode', {}],
    ['drawn', 'frame', { timestamps: [1] }],
    ['drawn at the end', 'frame_last', {}],
    ['cropped', 'crop', { width: 100, height: 100, x: 0, y: 0 }],
    ['cropped around a subject', 'crop', { aspect_ratio: '1:1', follow: 'subject' }],
    ['cut between keyframes', 'cut', { start: 0.5, duration: 2 }],
    [
      'joined from two ranges',
      'cut',
      {
        mode: 'keyframe',
        segments: [
          { start: 0, end: 1 },
          { start: 2, end: 3 },
        ],
      },
    ],
  ])('are not %s, and the failure says what can be done', async (_, name, request) => {
    const { code, detail } = await failureOf(operate(name, source, request));
    expect(code).toBe('codec_unsupported');
    expect(detail).toMatch(/Dolby Vision profile 5.*\/remux/s);
  });

  test('are refused without libav, too', async () => {
    const { code } = await failureOf(operate('transcode', source, {}, { libav: null }));
    expect(code).toBe('codec_unsupported');
  });

  test('are not merged with others', async () => {
    const request = { urls: ['https://a.example.com/1', 'https://a.example.com/2'] };
    const { code } = await failureOf(operateOn('merge_urls', [compatible, source], request));
    expect(code).toBe('codec_unsupported');
  });

  test('are probed, and their sound is used', async () => {
    const probed = await operate('probe', source, {});
    expect(probed.data).toMatchObject({ duration: 4 });
    const sound = await operate('transcode', source, { audio_only: true, format: 'm4a' });
    expect(sound.duration).toBeCloseTo(4, 1);
  });

  test.each(['mp4', 'mkv'])('are copied into %s with what says so', async (format) => {
    const { path } = await operate('remux', source, { format });
    const description = await descriptionOf(path);
    expect(description).toContain('dv_profile=5');
    const back = await operate('remux', path, { format: 'mp4' });
    expect(await descriptionOf(back.path)).toContain('dv_profile=5');
  });

  test('are not copied into mov, whose muxer would leave that out', async () => {
    const { code } = await failureOf(operate('remux', source, { format: 'mov' }));
    expect(code).toBe('codec_unsupported');
  });

  test.each([
    ['mp4', 'keep'],
    ['mp4', 'mute'],
    ['mkv', 'mute'],
  ])('are cut at keyframes into %s, with audio: %s, with what says so', async (format, audio) => {
    const cut = await operate('cut', source, { start: 1, duration: 2, mode: 'keyframe', format, audio });
    expect(cut.data).toMatchObject({ rendered_seconds: 0 });
    const description = await descriptionOf(cut.path);
    expect(description).toContain('dv_profile=5');
  });
});

test('pictures of Dolby Vision that any decoder can show are drawn', async () => {
  const { width } = await operate('frame', compatible, { timestamps: [1] });
  expect(width).toBe(320);
});
