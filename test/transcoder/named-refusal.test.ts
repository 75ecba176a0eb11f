import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeSource } from '../../transcoder/media/execute/complete-source.ts';
import { TaskFailure } from '../../transcoder/model/task-failure.ts';
import { demuxerOfFile, garbageBefore, needsStripping } from '../../transcoder/source/sniff.ts';
import { stripGarbage } from '../../transcoder/source/strip-garbage.ts';
import { namedRefusal } from '../../transcoder/task/explain-unreadable-source.ts';
import { ofSoundAlone } from '../../transcoder/task/sound-alone.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-refusal-'));
});
afterAll(() => rm(directory, { recursive: true }));

const ffmpeg = (...args: string[]) =>
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: directory });
const film = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:d=1', '-c:v', 'libx264'];
const sound = ['-f', 'lavfi', '-i', 'sine=d=2', '-c:a', 'libmp3lame'];
const damaged = new TaskFailure('source_damaged', 'The source is damaged.', { sourceIndex: 0 });

async function refusalOf(name: string, reason: TaskFailure) {
  const source = await completeSource({ path: join(directory, name), format: 'mov' });
  return namedRefusal(reason, [source]);
}

describe('a source that cannot be read', () => {
  test.each([
    ['front', ['-movflags', '+faststart']],
    ['back', []],
  ])('is named as encrypted, its index at the %s', async (name, flags) => {
    const key = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb'];
    const kid = ['-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8'];
    ffmpeg(...film, ...key, ...kid, ...flags, `${name}.mp4`);
    const refusal = await refusalOf(`${name}.mp4`, damaged);
    expect(refusal).toMatchObject({ code: 'source_not_media', sourceIndex: 0 });
    expect((refusal as Error).message).toContain('encrypted file (DRM)');
  });

  test('is named by its brand where it is a picture in boxes', async () => {
    await writeFile(join(directory, 'a.heic'), Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'));
    const refusal = await refusalOf('a.heic', new TaskFailure('source_not_media', 'x', { sourceIndex: 0 }));
    expect((refusal as Error).message).toContain('HEIC');
  });

  test('is named by its audio where that is IAMF, of which libav shows the substreams alone', async () => {
    ffmpeg('-f', 'lavfi', '-i', 'sine=d=1', '-c:a', 'alac', 'immersive.mp4');
    const bytes = await readFile(join(directory, 'immersive.mp4'));
    const entry = bytes.indexOf('alac', bytes.indexOf('stsd'));
    bytes.write('iamf', entry, 'latin1');
    bytes.write('iacb', bytes.indexOf('alac', entry), 'latin1');
    await writeFile(join(directory, 'immersive.mp4'), bytes);
    const refusal = await refusalOf('immersive.mp4', damaged);
    expect(refusal).toMatchObject({ code: 'source_not_media', sourceIndex: 0 });
    expect((refusal as Error).message).toContain('IAMF');
  });

  test('keeps its reason where it is plain media, and every other failure keeps it too', async () => {
    ffmpeg(...film, 'plain.mp4');
    expect(await refusalOf('plain.mp4', damaged)).toBe(damaged);
    const ours = new TaskFailure('render_failed', 'x');
    expect(await refusalOf('a.heic', ours)).toBe(ours);
  });
});

describe('sound behind garbage', () => {
  const noise = (bytes: number) => {
    let state = 7;
    return Buffer.from(
      Array.from({ length: bytes }, () => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        return state >> 16;
      }),
    );
  };
  const tag = (bytes: number) =>
    Buffer.concat([
      Buffer.from('ID3\x04\0\0'),
      Buffer.from([21, 14, 7, 0].map((shift) => (bytes >> shift) & 0x7f)),
      Buffer.alloc(bytes, 1),
    ]);

  const formats = {
    mp3: ['-c:a', 'libmp3lame', '-id3v2_version', '0'],
    aac: ['-c:a', 'aac'],
    ac3: ['-c:a', 'ac3'],
    eac3: ['-c:a', 'eac3'],
  };
  const befores = [
    ['nothing', Buffer.alloc(0), 0],
    ['200 kB of noise', noise(200_000), 200_000],
    ['256 kB of noise', noise(256 * 1024), 256 * 1024],
    ['a tag with a large picture', tag(400_000), 0],
    ['a tag and 5 kB of noise', Buffer.concat([tag(1000), noise(5000)]), 6010],
    ['a tag and 4 spaces', Buffer.concat([tag(1000), Buffer.from('    ')]), 1014],
    ['300 zeros', Buffer.concat([noise(1), Buffer.alloc(300)]), 301],
  ] as const;

  test.each([
    ...befores.map(([what, before, removed]) => ({ format: 'mp3' as const, what, before, removed })),
    ...befores.map(([what, before, removed]) => ({ format: 'aac' as const, what, before, removed })),
    { format: 'ac3' as const, what: 'a tag', before: tag(1000), removed: 1010 },
    { format: 'ac3' as const, what: 'nothing', before: Buffer.alloc(0), removed: 0 },
    { format: 'eac3' as const, what: 'a tag', before: tag(1000), removed: 1010 },
  ])('$format after $what is found, and what may be taken for sound is removed', async (row) => {
    const { format, before, removed } = row;
    ffmpeg('-f', 'lavfi', '-i', 'sine=d=2', ...formats[format], `bare.${format}`);
    const path = join(directory, `garbage.${format}`);
    const bare = await readFile(join(directory, `bare.${format}`));
    await writeFile(path, Buffer.concat([before, bare]));
    expect(await demuxerOfFile(path)).toBe(format);
    expect(await garbageBefore(path, format)).toBe(removed);
    expect(await needsStripping(path, format)).toBe(removed > 0);
    await stripGarbage({ path, format });
    expect(await readFile(path)).toEqual(removed === 0 ? Buffer.concat([before, bare]) : bare);
  });

  test('is AAC even if only two frames of it are there', async () => {
    ffmpeg('-f', 'lavfi', '-i', 'sine=d=0.03', '-c:a', 'aac', '-frames:a', '2', 'short.aac');
    const path = join(directory, 'two.aac');
    const bare = await readFile(join(directory, 'short.aac'));
    await writeFile(path, Buffer.concat([tag(100), Buffer.from('    '), bare]));
    expect(await demuxerOfFile(path)).toBe('aac');
  });

  test('is not looked for behind more than 256 KiB, nor in an archive that holds one', async () => {
    ffmpeg(...sound, '-id3v2_version', '0', 'bare.mp3');
    const bare = await readFile(join(directory, 'bare.mp3'));
    const path = join(directory, 'far.mp3');
    await writeFile(path, Buffer.concat([noise(300_000), bare]));
    expect(await demuxerOfFile(path)).toBeNull();
    await writeFile(path, Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(26), bare]));
    expect(await demuxerOfFile(path)).toBeNull();
    await writeFile(path, noise(400_000));
    expect(await demuxerOfFile(path)).toBeNull();
  });
});

describe('sound that is given as a video', () => {
  const refused = new TaskFailure('source_no_video', 'The source has audio but no video.', {
    sourceIndex: 0,
  });
  const video_url = 'https://media.example.com/talk.mp3';
  const detailOf = (operation: 'cut' | 'crop' | 'redub', input: Record<string, unknown>) =>
    (ofSoundAlone({ operation, input }, refused) as Error).message;

  test('is asked for in the field that takes it, if there is one', () => {
    const advice = 'The source has audio but no video. Give it as `audio_url` instead of `video_url`.';
    expect(detailOf('cut', { video_url })).toBe(advice);
    expect(detailOf('crop', { video_url })).toBe(refused.message);
    expect(detailOf('redub', { video_url, audio_url: video_url })).toBe(refused.message);
  });

  test('other failures stay as they are', () => {
    expect(ofSoundAlone({ operation: 'cut', input: { video_url } }, damaged)).toBe(damaged);
  });
});
