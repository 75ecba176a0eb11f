import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleSourceNames } from '../../schema/api/example-sources.ts';
import {
  exampleFiles,
  examplePictures,
  examples,
  examplesAt,
  socialPicture,
} from '../../schema/api/examples.ts';
import { problem } from '../../schema/api/problem.ts';
import { type OperationName, operationNames, operations } from '../../schema/operations/index.ts';
import { Machine } from '../../scripts/examples/machine.ts';
import { probeCapabilities } from '../../transcoder/ffmpeg/capabilities.ts';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { anchorOf, operationPath } from '../../worker/http/docs/paths.ts';
import { programs } from '../fixtures/make.ts';
import { type Service, startService } from '../harness.ts';
import { sampled } from '../sampled.ts';

const MAX_BYTES = 150_000;
const MAX_BYTES_TOGETHER = 4_500_000;

let service: Service;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-examples-'));
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
});

afterAll(async () => {
  await service.close();
  await rm(directory, { recursive: true });
});

const picture = { codec_name: 'h264', width: 480, height: 270 };
const square = { ...picture, width: 270 };
const sound = { codec_name: 'aac' };

/** Seconds of the examples that are not as long as their source. */
const lengths: Record<string, number> = {
  'cut-precise.mp4': 1.88,
  'cut-keyframe.mp4': 2.92,
  'merge-urls-none.mp4': 6,
};
const lengthOf = (file: string) => lengths[file] ?? (file.startsWith('merge-urls-') ? 5 : 3);

const streams: Partial<Record<OperationName, object[]>> = {
  captions_auto: [picture, sound],
  redub_tts: [picture, sound],
  redub_vc: [sound],
  separate: [sound],
  visualize: [picture, sound],
  photo_animate: [picture],
  crop: [square, sound],
  merge_urls: [picture, sound],
  cut: [picture, sound],
};

const kinds: [file: string, type: string, streams: object[], seconds: number][] = [
  ['photo.jpg', 'image/jpeg', [{ codec_name: 'mjpeg', width: 1280, height: 720 }], Number.NaN],
  ['talk.mp4', 'video/mp4', [picture, sound], 3],
  ['dawn.mp4', 'video/mp4', [picture, sound], 3],
  ['speech.m4a', 'audio/mp4', [sound], 3],
  ['music.m4a', 'audio/mp4', [sound], 3],
  ['song.m4a', 'audio/mp4', [sound], 3],
  ...examples.map(({ file, operation }): (typeof kinds)[number] => {
    const promised = streams[operation] ?? [];
    return [
      file,
      promised.includes(sound) && promised.length === 1 ? 'audio/mp4' : 'video/mp4',
      promised,
      lengthOf(file),
    ];
  }),
];

/** Everything that is seen and heard of each file, in a few letters. */
const contents = new Map<string, string>();
let bytesTogether = 0;

describe('an example or its source', () => {
  it.each(kinds)('%s is small and plays from end to end', async (file, type, promised, seconds) => {
    const response = await service.request(`/examples/${file}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.length).toBeLessThan(MAX_BYTES);
    bytesTogether += bytes.length;
    const path = join(directory, file);
    await writeFile(path, bytes);
    const { stdout } = await run(programs, 'ffprobe', [
      ...['-v', 'error', '-of', 'json', '-show_entries'],
      ...['format=duration:stream=codec_name,width,height', path],
    ]);
    const found = JSON.parse(stdout);
    expect(found.streams).toEqual(promised);
    if (!Number.isNaN(seconds)) {
      expect(Math.abs(Number(found.format.duration) - seconds)).toBeLessThan(0.1);
      const text = Buffer.from(bytes).toString('latin1');
      expect(text.indexOf('moov')).toBeLessThan(text.indexOf('mdat'));
    }
    const decoded = await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-xerror', '-nostdin', '-i', path, '-f', 'hash', '-hash', 'md5', '-'],
    ]);
    contents.set(file, decoded.stdout);
  });

  it('is like no other, and all are small together', () => {
    expect([...contents.keys()].sort()).toEqual([...exampleFiles].sort());
    expect(new Set(contents.values()).size).toBe(exampleFiles.length);
    expect(bytesTogether).toBeLessThan(MAX_BYTES_TOGETHER);
  });

  it('is served by range and by entity tag, and may be kept for a day', async () => {
    const whole = await service.request('/examples/music.m4a');
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.headers.get('cache-control')).toBe('public, max-age=86400');
    const part = await service.request('/examples/music.m4a', { headers: { range: 'bytes=100-199' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200));
    const head = await service.request('/examples/music.m4a', {
      method: 'HEAD',
      headers: { range: 'bytes=100-199' },
    });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
    expect(head.headers.get('content-range')).toBeNull();
    const etag = whole.headers.get('etag') ?? '';
    const again = await service.request('/examples/music.m4a', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  it.each([
    '/examples/made.json',
    '/examples/none.mp4',
    '/examples/..%2Ftransitions%2Ffade.mp4',
    '/examples/',
    '/example-sources/photo.jpg',
  ])('is nothing else: %s is a 404 problem', async (path) => {
    const response = await service.request(path);
    expect(response.status).toBe(404);
    expect(problem.parse(await response.json()).code).toBe('not_found');
  });
});

describe('a picture of the examples', () => {
  it.each(sampled(examplePictures, 3))('%s is a small JPEG', async (file) => {
    const response = await service.request(`/examples/${file}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.length).toBeLessThan(file === socialPicture ? 120_000 : 40_000);
    const path = join(directory, file);
    await writeFile(path, bytes);
    const { stdout } = await run(programs, 'ffprobe', [
      ...['-v', 'error', '-of', 'csv=p=0', '-show_entries', 'stream=codec_name,width,height', path],
    ]);
    const size = file === socialPicture ? '1200,630' : file.startsWith('crop-') ? '270,270' : '480,270';
    expect(stdout.trim()).toBe(`mjpeg,${size}`);
  });
});

describe('the examples', () => {
  it('are left out where an engine that they need is not here', async () => {
    const machine = new Machine(programs, await probeCapabilities(programs));
    await machine.demand(['flite', 'centre_mask']);
    await expect(machine.demand(['flite', 'kokoro'])).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: 'Kokoro 82M via sherpa-onnx is not available',
    });
    await machine.close();
  });

  it('are listed by /capabilities with their operation, with requests that parse and sources that are there', async () => {
    const capabilities = (await (await service.request('/capabilities')).json()) as {
      operations: {
        name: OperationName;
        media_examples: { value: string; example_url: string; input: Record<string, string | string[]> }[];
      }[];
    };
    const base = examplesAt(service.url.origin);
    expect(capabilities.operations.map(({ name }) => name)).toEqual(operationNames);
    const listed = capabilities.operations.flatMap(({ name, media_examples }) => {
      for (const { input } of media_examples) {
        operations[name].input.parse(input);
        const urls = [input.video_url ?? input.audio_url ?? input.photo_url ?? input.urls ?? ''].flat();
        for (const url of urls)
          expect(exampleSourceNames.map((source) => `${base}/${source}`)).toContain(url);
      }
      return media_examples.map(({ value, example_url }) => [name, value, example_url]);
    });
    const promised = examples.map(({ operation, value, file }) => [operation, value, `${base}/${file}`]);
    expect(listed.sort()).toEqual(promised.sort());
  });

  it('are shown by their page, each once and beside its request', async () => {
    const page = await (await service.request('/docs/examples')).text();
    const shown = [...page.matchAll(/<(?:video|audio|img) src="\/examples\/([^"]+)"/g)].map(
      ([, file]) => file,
    );
    for (const { file } of examples)
      expect([file, shown.filter((one) => one === file)]).toEqual([file, [file]]);
    // A second source is heard and seen in the results.
    expect(new Set([...shown, 'dawn.mp4'])).toEqual(new Set(exampleFiles));
    expect(page).not.toContain('Not available');
    const media = page.match(/<(video|audio) [^>]*>/g) ?? [];
    expect(media.every((tag) => / preload="none"/.test(tag) && / controls>/.test(tag))).toBe(true);
    const requests = [...page.matchAll(/<code>(\{.*?\})<\/code><\/pre><\/figure><\/details>/gs)].map(
      ([, text = '']) => JSON.parse(text.replaceAll('&quot;', '"')),
    );
    expect(requests).toEqual(examples.map(({ request }) => request(examplesAt(service.url.origin))));
  });

  it('are where the reference sends whoever reads about their operation', async () => {
    for (const name of new Set(examples.map(({ operation }) => operation))) {
      const page = await (await service.request(operationPath(name))).text();
      expect(page).toContain(`href="/docs/examples#${anchorOf(name)}"`);
    }
  });
});
