import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_STREAMS } from '../../../schema/api/plans.ts';
import type { Demuxer } from '../../../schema/media/demuxers.ts';
import { openArguments } from '../../../transcoder/ffmpeg/arguments.ts';
import { streamArguments } from '../../../transcoder/ffmpeg/inspect.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';

/** A demuxer outside the table that opens the files that its input names, as if a playlist had got past the sniffing. */
const hls = 'hls' as Demuxer;

let directory: string;
let playlist: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-opening-'));
  playlist = join(directory, 'playlist.mp4');
  const segment = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:d=1', '-c:v', 'mpeg2video', 'private.ts'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...segment], { cwd: directory });
  const lines = ['#EXTM3U', '#EXT-X-TARGETDURATION:1', '#EXTINF:1,', 'private.ts', '#EXT-X-ENDLIST'];
  await writeFile(playlist, lines.join('\n'));
});
afterAll(() => rm(directory, { recursive: true }));

/** What ffprobe finds with these arguments, as one text. */
const probed = (args: readonly string[]) =>
  run(programs, 'ffprobe', args).then(
    ({ stdout }) => stdout,
    () => 'refused',
  );

/** The arguments without the demuxer that they force, so that ffmpeg chooses one itself. */
function unforced(args: readonly string[]): string[] {
  const at = args.indexOf('-f');
  return args.filter((_, index) => index !== at && index !== at + 1);
}

const shown = ['-v', 'error', '-show_streams'];

describe('a playlist opens none of the files that it names', () => {
  test('with the bare program it would, which shows that the following cases prove something', async () => {
    expect(await probed([...shown, `file:${playlist}`])).toContain('mpeg2video');
  });

  test('where its own demuxer is the one chosen: the demuxer may open no other', async () => {
    expect(await probed(streamArguments({ path: playlist, format: hls }))).toBe('refused');
  });

  test('where no demuxer is forced: it is not among those allowed', async () => {
    expect(await probed(unforced(streamArguments({ path: playlist, format: 'mov' })))).toBe('refused');
  });

  test('where every demuxer is allowed: the one that was chosen is forced', async () => {
    const args = streamArguments({ path: playlist, format: 'mov' });
    const at = args.indexOf('-format_whitelist');
    expect(await probed(args.toSpliced(at, 2))).toBe('refused');
  });

  test('in libav, where its own demuxer is the one chosen', async () => {
    const module = join(import.meta.dirname, '../../../transcoder/media/libav/child/read/input.ts');
    const code = `
      const { openFile } = await import(${JSON.stringify(module)});
      const file = ${JSON.stringify({ path: playlist, format: hls })};
      const opened = await openFile(file, [0]).then(({ streams }) => streams.length, () => 'refused');
      process.stdout.write(String(opened), () => process.exit());`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
    expect(stdout).toBe('refused');
  });
});

test('no protocol but that of files is spoken, whatever an input is called', async () => {
  let connections = 0;
  const server = createServer((_, response) => response.end()).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mp4`;
  expect(await probed([...shown, url])).toBe('refused');
  expect(connections, 'the bare program connects').toBeGreaterThan(0);
  connections = 0;
  const format: Demuxer = 'mov';
  expect(await probed([...shown, ...openArguments({ path: url, format }), url])).toBe('refused');
  expect(connections).toBe(0);
  server.close();
});

describe('a source that is opened', () => {
  test('has no picture of more pixels than the limit, however small its file is', async () => {
    const path = join(directory, 'large.png');
    await writeFile(path, blackPng(8200, 8200));
    const decoding = ['-nostdin', '-v', 'error', ...openArguments({ path, format: 'png_pipe' })];
    const output = ['-i', `file:${path}`, '-f', 'null', '-'];
    const decoded = run(programs, 'ffmpeg', ['-xerror', ...decoding, ...output]);
    await expect(decoded).rejects.toMatchObject({ name: 'TaskFailure' });
  });

  test('has no more streams than the limit', async () => {
    const path = join(directory, 'streams.mkv');
    const many = Array.from({ length: MAX_STREAMS + 1 }, () => ['-map', '0:a']).flat();
    const sound = ['-f', 'lavfi', '-i', 'anullsrc', '-t', '0.1', ...many, '-c:a', 'pcm_s16le', path];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...sound]);
    expect(await probed([...shown, path])).toContain(`index=${MAX_STREAMS}`);
    const found = await probed(streamArguments({ path, format: 'matroska' }));
    expect(found).not.toMatch(new RegExp(`"index": ?${MAX_STREAMS}\\b`));
  });
});

/** PNG (https://www.w3.org/TR/png-3/) of one bit a pixel. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
