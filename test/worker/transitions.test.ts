import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../../schema/api/problem.ts';
import { transitionNames } from '../../schema/media/transitions.ts';
import { previewFrames, previewSeconds } from '../../scripts/previews/clip.ts';
import { pictureOf, size } from '../../scripts/previews/picture.ts';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { programs } from '../fixtures/make.ts';
import { type Service, startService } from '../harness.ts';
import { sampled } from '../sampled.ts';

const MAX_BYTES = 40_000;

let service: Service;
let directory: string;
let pure: Record<'A' | 'B', Uint8Array>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-previews-'));
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
  const pixelsOf = (letter: 'A' | 'B') => pictureOf(letter).subarray(-size.width * size.height * 3);
  pure = { A: pixelsOf('A'), B: pixelsOf('B') };
});

afterAll(async () => {
  await service.close();
  await rm(directory, { recursive: true });
});

/** Every frame of a clip as RGB. */
async function framesOf(path: string): Promise<Uint8Array[]> {
  const raw = `${path}.rgb`;
  const matrix = ['-vf', 'scale=in_color_matrix=smpte170m,format=rgb24'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-xerror', '-i', path, ...matrix, '-f', 'rawvideo', raw]);
  const bytes = await readFile(raw);
  await rm(raw);
  const length = size.width * size.height * 3;
  return Array.from({ length: bytes.length / length }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  );
}

/** Mean difference of levels, 0 … 255. */
function distance(a: Uint8Array | undefined, b: Uint8Array | undefined): number {
  if (!a || !b) return Number.NaN;
  return a.reduce((sum, level, index) => sum + Math.abs(level - (b[index] ?? 0)), 0) / a.length;
}

describe('the preview of', () => {
  it.each(sampled(transitionNames, 4))(
    '%s is a small mp4 from the one picture to the other',
    async (name) => {
      const response = await service.request(`/transitions/${name}.mp4`);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4']);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(bytes.length).toBeLessThan(MAX_BYTES);
      const text = Buffer.from(bytes).toString('latin1');
      expect(text.indexOf('moov')).toBeLessThan(text.indexOf('mdat'));
      const path = join(directory, `${name}.mp4`);
      await writeFile(path, bytes);
      const { stdout } = await run(programs, 'ffprobe', [
        ...['-v', 'error', '-of', 'json', '-show_entries'],
        ...['format=duration:stream=codec_name,pix_fmt,width,height', path],
      ]);
      const { streams, format } = JSON.parse(stdout);
      expect(streams).toEqual([{ codec_name: 'h264', pix_fmt: 'yuv420p', ...size }]);
      expect(Number(format.duration)).toBeCloseTo(previewSeconds, 3);
      const frames = await framesOf(path);
      expect(frames).toHaveLength(previewFrames);
      expect(distance(frames[0], pure.A)).toBeLessThan(4);
      expect(distance(frames.at(-1), pure.B)).toBeLessThan(4);
      const middle = frames[previewFrames / 2];
      expect(Math.min(distance(middle, pure.A), distance(middle, pure.B))).toBeGreaterThan(4);
    },
  );
});

describe('a preview', () => {
  it('is served by range, by HEAD and by entity tag, and may be kept for a day', async () => {
    const whole = await service.request('/transitions/fade.mp4');
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.headers.get('cache-control')).toBe('public, max-age=86400');
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    const part = await service.request('/transitions/fade.mp4', { headers: { range: 'bytes=100-199' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200));
    const head = await service.request('/transitions/fade.mp4', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${bytes.length}`]);
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"/);
    const again = await service.request('/transitions/fade.mp4', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    const beyond = await service.request('/transitions/fade.mp4', { headers: { range: 'bytes=9999999-' } });
    expect(beyond.status).toBe(416);
  });

  it.each([
    '/transitions/none.mp4',
    '/transitions/fade',
    '/transitions/..%2Fstatic%2Fdocs.mp4',
    '/transitions/',
  ])('%s is a 404 problem', async (path) => {
    const response = await service.request(path);
    expect(response.status).toBe(404);
    expect(problem.parse(await response.json()).code).toBe('not_found');
  });

  it('is named for each transition by /capabilities and shown by its page', async () => {
    const { transitions } = (await (await service.request('/capabilities')).json()) as {
      transitions: { name: string; preview_url: string }[];
    };
    expect(transitions.map(({ preview_url }) => preview_url)).toEqual(
      transitionNames.map((name) => `${service.url.origin}/transitions/${name}.mp4`),
    );
    const page = await (await service.request('/docs/transitions')).text();
    const shown = [...page.matchAll(/<video src="\/transitions\/([a-z]+)\.mp4"/g)].map((match) => match[1]);
    expect(shown.sort()).toEqual([...transitionNames].sort());
  });
});
