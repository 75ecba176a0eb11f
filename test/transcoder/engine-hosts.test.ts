import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Engines } from '../../transcoder/engines/engines.ts';
import { EngineHost } from '../../transcoder/engines/host.ts';
import type { RecognizeRequest, SynthesizeRequest } from '../../transcoder/engines/hosts/protocol.ts';
import type { ModelManifest } from '../../transcoder/engines/models.ts';
import { findSandbox } from '../../transcoder/ffmpeg/find-sandbox.ts';
import { jsonLog } from '../../transcoder/log.ts';
import { descendantsOf } from '../descendants-of.ts';
import { bytesOf, depth, tokensText, transducer, words } from '../fixtures/engines/tiny-models.ts';
import { signalEach } from '../signal-each.ts';
import { loud, RATE, writeTinyModels } from './tiny-engines.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-engines-'));
const at = (name: string) => join(directory, name);
const options = {
  programs: { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' },
  modelsDir: directory,
  log: jsonLog({}, () => {}),
};

const bwrap = await findSandbox(options.programs, 'bwrap', options.log).catch(() => null);

let engines: Engines;
let speech: RecognizeRequest;
let reading: SynthesizeRequest;

beforeAll(async () => {
  ({ speech, reading } = await writeTinyModels(directory, options.programs));
  engines = await Engines.probe(options);
});
afterAll(() => {
  engines.close();
  rmSync(directory, { recursive: true, force: true });
});

const pixels = [
  { name: 'pixels', type: 'float32' as const, dims: [1, 3, 1, 2], from: { values: [1, 2, 3, 4, 5, 6] } },
];
const picture = () => ({
  model: at('depth.onnx'),
  inputs: pixels,
  outputs: [{ name: 'depth', file: at('depth.f32') }],
});

const codeOf = async (work: Promise<unknown>) => {
  try {
    await work;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return 'done';
};

describe('the real libraries on tiny models', () => {
  test('give the tokens of a piece of sound, in the time of the whole', async () => {
    const { tokens } = await engines.recognize('parakeet', speech);
    expect(tokens.map(({ text }) => text)).toEqual([' one', ' two', 's', ' three']);
    for (const [index, { start, end }] of tokens.entries()) {
      expect(end - start).toBeCloseTo(0.32, 5);
      expect(start).toBeCloseTo((tokens[0]?.start ?? 0) + index * 0.32, 5);
    }
    expect(Math.abs((tokens[0]?.start ?? 0) - 1)).toBeLessThan(0.1);
  });

  test('speak into a file', async () => {
    const said = await engines.synthesize('kokoro', reading);
    expect(said.sampleRate).toBe(24_000);
    expect(said.samples).toBeGreaterThan(24_000 / 2);
    expect((await readFile(reading.file)).length).toBe(said.samples * 4);
  });

  test('take a net from file to file', async () => {
    const { outputs } = await engines.infer('depth_anything', picture());
    expect(outputs).toEqual([{ name: 'depth', dims: [1, 1, 2] }]);
    const { buffer, byteOffset } = await readFile(at('depth.f32'));
    expect([...new Float32Array(buffer.slice(byteOffset, byteOffset + 8))]).toEqual([3, 4]);
  });
});

describe('the detector of voices', () => {
  const heard = async (samples: Int16Array, network = engines) => {
    await writeFile(at('sound.s16'), new Uint8Array(samples.buffer));
    const { windows } = await network.voiceActivity({ sound: at('sound.s16'), to: at('voice.f32') });
    const bytes = await readFile(at('voice.f32'));
    expect(bytes.length).toBe(4 * windows);
    return [...new Float32Array(Uint8Array.from(bytes).buffer)];
  };
  const tone = (seconds: number, loudFrom: number, loudTo: number) =>
    Int16Array.from({ length: seconds * RATE }, (_, index) =>
      index >= loudFrom * RATE && index < loudTo * RATE ? 16_000 * Math.sin(index / 10) : 0,
    );

  test('reads every window once from either side, the last one filled up', async () => {
    const tiny = await Engines.probe({ ...options, voiceNetwork: at('vad.onnx') });
    try {
      const found = await heard(
        tone(3, 1, 2)
          .subarray(0, 2.5 * RATE)
          .slice(),
        tiny,
      );
      expect(found).toHaveLength(Math.ceil((2.5 * RATE) / 512));
      const voiced = found.flatMap((probability, index) => (probability >= 0.5 ? index * 0.032 : []));
      expect(Math.abs((voiced[0] ?? 0) - 1)).toBeLessThan(0.05);
      expect(Math.abs((voiced.at(-1) ?? 0) - 1.97)).toBeLessThan(0.05);
      expect(await heard(new Int16Array(), tiny)).toEqual([]);
    } finally {
      tiny.close();
    }
  });

  test('that npm brings does not take a tone for a voice', async () => {
    expect(engines.present).toContain('silero_vad');
    for (const probability of await heard(tone(3, 1, 2))) expect(probability).toBeLessThan(0.15);
  });

  test('is said to be missing where its package is', async () => {
    const without = await Engines.probe({ ...options, voiceNetwork: null });
    expect(without.states.find(({ id }) => id === 'silero_vad')).toEqual({
      ...{ id: 'silero_vad', available: false, reason: 'its npm package is not installed' },
    });
    without.close();
  });
});

describe('a bad model', () => {
  const withFile = async (name: string, content: Uint8Array | string) => {
    await writeFile(at(name), content);
    return at(name);
  };
  const cases: [string, () => Promise<string>][] = [
    [
      'an encoder that was cut off',
      async () => {
        const encoder = await withFile('bad.onnx', bytesOf(transducer.encoder).subarray(0, 200));
        return codeOf(engines.recognize('parakeet', { ...speech, model: { ...speech.model, encoder } }));
      },
    ],
    [
      'an encoder without metadata',
      async () => {
        const encoder = await withFile('bad.onnx', bytesOf({ ...transducer.encoder, metadata: {} }));
        return codeOf(engines.recognize('parakeet', { ...speech, model: { ...speech.model, encoder } }));
      },
    ],
    [
      'a detector that is another net',
      async () => {
        await writeFile(at('sound.s16'), new Uint8Array(4 * RATE));
        const other = await Engines.probe({ ...options, voiceNetwork: at('depth.onnx') });
        try {
          expect(other.present).toContain('silero_vad');
          const code = await codeOf(other.voiceActivity({ sound: at('sound.s16'), to: at('voice.f32') }));
          expect(other.present).not.toContain('silero_vad');
          return code;
        } finally {
          other.close();
        }
      },
    ],
    [
      'tokens without a blank',
      async () => {
        const tokens = await withFile('bad.txt', tokensText(words.slice(0, -1)));
        return codeOf(engines.recognize('parakeet', { ...speech, model: { ...speech.model, tokens } }));
      },
    ],
    [
      'voices of another length',
      async () => {
        const voices = await withFile('bad.bin', new Uint8Array(40));
        return codeOf(engines.synthesize('kokoro', { ...reading, model: { ...reading.model, voices } }));
      },
    ],
    [
      'an empty file',
      async () => {
        const model = await withFile('bad.onnx', '');
        return codeOf(engines.synthesize('kokoro', { ...reading, model: { ...reading.model, model } }));
      },
    ],
    [
      'a net of noise',
      async () => {
        const model = await withFile('bad.onnx', 'noise '.repeat(100));
        return codeOf(engines.infer('depth_anything', { ...picture(), model }));
      },
    ],
  ];

  test.each(cases)('%s ends as engine_unavailable, and what comes after it is served', async (_, work) => {
    expect(await work()).toBe('engine_unavailable');
    expect((await engines.recognize('parakeet', speech)).tokens).toHaveLength(4);
    expect((await engines.infer('depth_anything', picture())).outputs).toHaveLength(1);
  });

  test('is told apart from a request that a good model cannot take', async () => {
    const inputs = pixels.map((input) => ({ ...input, name: 'image' }));
    expect(await codeOf(engines.infer('depth_anything', { ...picture(), inputs }))).toBe('engine_failed');
    expect(await codeOf(engines.synthesize('kokoro', { ...reading, speaker: 7 }))).toBe('engine_failed');
  });

  test('is not offered for ten minutes, and the reason is said', async () => {
    const files = [{ role: 'model', path: 'depth.onnx', url: 'https://models.example.com/depth.onnx' }];
    const bytes = bytesOf(depth).length;
    const model = {
      ...{ id: 'tiny', engine: 'depth_anything' as const, set: 'photo' as const, dir: 'tiny', memory_mb: 1 },
      license: { spdx: 'Apache-2.0', attribution: 'us', commercial: true },
      files: files.map((file) => ({ ...file, bytes, sha256: '0'.repeat(64) })),
    };
    const manifest: ModelManifest = { hashes_verified: false, models: [{ ...model, dir: '.' }] };
    const own = await Engines.probe({ ...options, manifest });
    try {
      expect(own.present).toContain('depth_anything');
      await own.infer('depth_anything', picture());
      expect(await codeOf(own.infer('depth_anything', { ...picture(), model: at('tokens.txt') }))).toBe(
        'engine_unavailable',
      );
      expect(own.present).not.toContain('depth_anything');
      expect(own.states.find(({ id }) => id === 'depth_anything')?.reason).toBe(
        'its model could not be loaded',
      );
      const later = performance.now() + 11 * 60_000;
      const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
      expect(own.present).toContain('depth_anything');
      clock.mockRestore();
    } finally {
      own.close();
    }
  });
});

describe('the process of a library', () => {
  const pieces = Array.from({ length: 20 }, (_, index) => ({ at: index * 28 * RATE, samples: 28 * RATE }));
  const alive = (pid: number) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  test('stays warm from one request to the next, and goes when it is not asked any more', async () => {
    const host = new EngineHost('onnxruntime', 300);
    await host.ask({ kind: 'run', ...picture() });
    const { pid } = host;
    await host.ask({ kind: 'run', ...picture() });
    expect(host.pid).toBe(pid);
    await expect.poll(() => alive(pid ?? 0), { timeout: 10_000 }).toBe(false);
    expect(host.pid).toBeUndefined();
    await host.ask({ kind: 'run', ...picture() });
    expect(host.pid).not.toBe(pid);
    host.close();
  });

  test('is killed by an abort of the request that runs; a request that waits is served after it', async () => {
    await writeFile(at('long.f32'), loud(600, [1, 599]));
    const long = { ...speech, pieces, sound: { ...speech.sound, file: at('long.f32') } };
    const host = new EngineHost('sherpa');
    await host.start();
    const { pid } = host;
    const abort = new AbortController();
    const progressed = Promise.withResolvers<void>();
    const running = host.ask(
      { kind: 'recognize', ...long },
      { signal: abort.signal, onProgress: () => progressed.resolve() },
    );
    const gaveUp = new AbortController();
    const first = codeOf(running);
    const second = codeOf(host.ask({ kind: 'recognize', ...speech }, { signal: gaveUp.signal }));
    const third = host.ask({ kind: 'recognize', ...speech });
    await progressed.promise;
    gaveUp.abort(new Error('given up'));
    expect(await second).toBe('Error: given up');
    expect(alive(pid ?? 0)).toBe(true);
    abort.abort(new Error('stopped'));
    expect(await first).toBe('Error: stopped');
    await expect.poll(() => alive(pid ?? 0), { timeout: 5000 }).toBe(false);
    expect(await third).toMatchObject({ tokens: [{}, {}, {}, {}] });
    host.close();
  });

  test('that the system kills is a want of memory', async () => {
    await engines.recognize('parakeet', speech);
    const [before] = engines.pids;
    const running = engines.recognize(
      'parakeet',
      { ...speech, pieces, sound: { ...speech.sound, file: at('long.f32') } },
      { onProgress: () => signalEach(engines.pids, 'SIGKILL') },
    );
    expect(await codeOf(running)).toBe('out_of_memory');
    expect((await engines.recognize('parakeet', speech)).tokens).toHaveLength(4);
    expect(engines.pids).not.toContain(before);
  });
});

describe.runIf(bwrap)('hosts in a sandbox', () => {
  let confined: Engines;
  let job: string;
  let exchangeDir: string;
  beforeAll(async () => {
    if (!bwrap) return;
    job = mkdtempSync(join(tmpdir(), 'spool-test-job-'));
    exchangeDir = mkdtempSync(join(tmpdir(), 'spool-test-standby-'));
    confined = await Engines.probe({ ...options, confinement: { sandbox: bwrap }, exchangeDir });
  });
  afterAll(() => {
    confined?.close();
    for (const made of [job, exchangeDir]) rmSync(made, { recursive: true, force: true });
  });
  const own = (name: string) => join(job, name);
  /** What a host sees of the files of jobs, from inside its sandbox. */
  const seen = (kind: string) =>
    confined.pids.flatMap(descendantsOf).flatMap((pid) => {
      const root = join('/proc', `${pid}`, 'root');
      expect(existsSync(join(root, job))).toBe(false);
      const at = join(root, exchangeDir, kind);
      return existsSync(at) ? readdirSync(at) : [];
    });

  test('take sound, speak and infer in files of a job that they do not see', async () => {
    await writeFile(own('sound.f32'), loud(5, [1, 3]));
    const sound = { file: own('sound.f32'), sampleRate: RATE };
    const { tokens } = await confined.recognize('parakeet', { ...speech, sound });
    expect(tokens.map(({ text }) => text)).toEqual([' one', ' two', 's', ' three']);
    const said = await confined.synthesize('kokoro', { ...reading, file: own('spoken.f32') });
    expect((await readFile(own('spoken.f32'))).length).toBe(said.samples * 4);
    await confined.infer('depth_anything', {
      ...picture(),
      outputs: [{ name: 'depth', file: own('depth.f32') }],
    });
    expect((await readFile(own('depth.f32'))).length).toBe(8);
    for (const kind of ['sherpa', 'onnxruntime']) expect(seen(kind)).toEqual([]);
    expect(readdirSync(job).toSorted()).toEqual(['depth.f32', 'sound.f32', 'spoken.f32']);
  });

  test('change a file in its place, and make it where there is none', async () => {
    await writeFile(own('voice.f32'), loud(2, [0, 2]));
    const before = await readFile(own('voice.f32'));
    await confined.tilt({ file: own('voice.f32'), sampleRate: RATE, slope: 6 });
    const after = await readFile(own('voice.f32'));
    expect(after.length).toBe(before.length);
    expect(after.equals(before)).toBe(false);
    await writeFile(own('mix.f32'), loud(2, [0, 2]));
    const music = own('music.f32');
    await confined.part({ from: own('mix.f32'), search: false, voice: null, music });
    expect((await readFile(music)).length).toBeGreaterThan(0);
    expect(seen('signal')).toEqual([]);
  });

  test('that the system kills are a want of memory', async () => {
    await writeFile(own('long.f32'), loud(600, [1, 599]));
    const sound = { file: own('long.f32'), sampleRate: RATE };
    const pieces = Array.from({ length: 20 }, (_, index) => ({ at: index * 28 * RATE, samples: 28 * RATE }));
    const innermost = () =>
      confined.pids.flatMap(descendantsOf).filter((pid) => descendantsOf(pid).length === 0);
    const running = confined.recognize(
      'parakeet',
      { ...speech, pieces, sound },
      { onProgress: () => signalEach(innermost(), 'SIGKILL') },
    );
    expect(await codeOf(running)).toBe('out_of_memory');
    rmSync(own('long.f32'));
  });

  test('leave nothing behind after a request that failed', async () => {
    await expect(
      confined.part({ from: own('nowhere.f32'), search: false, voice: null, music: own('m.f32') }),
    ).rejects.toThrow();
    expect(readdirSync(join(exchangeDir, 'signal'))).toEqual([]);
    expect(existsSync(own('m.f32'))).toBe(false);
  });
});
