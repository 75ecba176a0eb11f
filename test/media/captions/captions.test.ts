import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaptionPreset, captionPresetNames } from '../../../schema/media/caption-presets.ts';
import { parseCaptions } from '../../../schema/media/captions.ts';
import { parseSubtitles } from '../../../schema/media/subtitles.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses, readTimes, streamOf } from '../../fixtures/barcode.ts';
import { farFromGolden } from '../../fixtures/golden-frames.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints, likeness } from '../../fixtures/packets.ts';
import { sampled, thorough } from '../../sampled.ts';
import { failureOf, operateOn, range } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-captions-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const captioned = (request: object, source = 'plain.mp4', options = {}) =>
  operateOn('captions_auto', [source], { video_url: 'https://media.example.com/a.mp4', ...request }, options);

const srt = (...cues: [string, string, string][]) =>
  cues
    .map(([from, to, text], index) => `${index + 1}\n00:00:0${from} --> 00:00:0${to}\n${text}\n`)
    .join('\n');

const large = { font_size_percent: 14 };
const middle = srt(['2,500', '3,500', 'Hello there.']);

/** The picture at a second, small and grey. */
async function pictureAt(path: string, second: number, width = 96, height = 54): Promise<Buffer> {
  const file = join(directory, 'picture');
  const scale = `scale=${width}:${height}:flags=area,format=gray`;
  const raw = ['-frames:v', '1', '-f', 'rawvideo', '-y', file];
  await run(programs, 'ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    '-ss',
    `${second}`,
    '-i',
    path,
    '-vf',
    scale,
    ...raw,
  ]);
  return readFile(file);
}

describe('burnt in', () => {
  test('frames that show a caption are rendered, all others are those of the source', async () => {
    const done = await captioned({ captions: middle, style: large });
    const alike = await likeness(done.path, fixture('plain.mp4'));
    expect(alike).toHaveLength(180);
    const same = alike.flatMap((db, frame) => (db === Number.POSITIVE_INFINITY ? [frame] : []));
    expect(same).toEqual(expect.arrayContaining([...range(0, 70), ...range(120, 180)]));
    for (const frame of range(75, 105)) expect([frame, (alike[frame] ?? 99) < 30]).toEqual([frame, true]);
    for (const [frame, db] of alike.entries()) {
      if (frame < 75 || frame > 105) expect([frame, db > 38]).toEqual([frame, true]);
    }
    expect(await readNumbers(done.path)).toEqual(range(0, 180));
    expect(await complaints(done.path)).toBe('');
    expect(Number(done.data.copied_seconds)).toBeGreaterThan(4);
    expect(done.warnings).toEqual([]);
  });

  thorough(
    'captions come and go on time while the source holds a frame, and after its last one',
    async () => {
      const chosen = ['-vf', "select='lt(mod(n,90),20)'", '-fps_mode', 'vfr', '-c:v', 'libx264', '-bf', '2'];
      const source = join(directory, 'bursts.mp4');
      const from = ['-v', 'error', '-y', '-i', fixture('plain.mp4')];
      await run(programs, 'ffmpeg', [...from, ...chosen, '-c:a', 'copy', source]);
      const cues = srt(
        ['0,210', '1,500', 'One two.'],
        ['2,000', '3,100', 'Three.'],
        ['4,500', '5,500', 'Four.'],
      );
      const done = await captioned({ captions: cues, style: large }, source);
      expect(done.warnings.map(({ code }) => code)).toEqual(['source_vfr']);
      const seen: boolean[] = [];
      const moments = [0.1, 0.4, 1.4, 1.6, 1.9, 2.1, 2.8, 3.3, 4.4, 4.6, 5.4, 5.6];
      for (const at of moments) {
        const held = at < 3 ? Math.min(at, 0.63) : Math.min(at, 3.63);
        const [drawn, bare] = [await pictureAt(done.path, at), await pictureAt(fixture('plain.mp4'), held)];
        seen.push(drawn.some((value, index) => Math.abs(value - (bare[index] ?? 0)) > 60));
      }
      const [no, yes] = [false, true];
      expect(seen).toEqual([no, yes, yes, no, no, yes, yes, no, no, yes, yes, no]);
      const shown = await readNumbers(done.path);
      expect(shown.slice(0, 179)).toEqual(
        range(0, 179).map((frame) => (frame % 90 < 20 ? frame : frame < 90 ? 19 : 109)),
      );
    },
  );

  test('picture and sound stay where they were, the packets of the sound too', async () => {
    const done = await captioned({
      captions: srt(['0,000', '2,000', 'First.'], ['3,000', '5,900', 'Second.']),
    });
    expect(await readTimes(done.path)).toEqual(await readTimes(fixture('plain.mp4')));
    const [pulses, wanted] = [await readPulses(done.path), await readPulses(fixture('plain.mp4'))];
    const apart = pulses.map((at, index) => Math.abs(at - (wanted[index] ?? 0)) * 1000);
    console.log(`captions: sound off by ${Math.max(...apart).toFixed(2)} ms over ${pulses.length} pulses`);
    expect(pulses).toHaveLength(wanted.length);
    expect(Math.max(...apart)).toBeLessThanOrEqual(10);
    const bytes = async (path: string) => {
      const args = ['-v', 'error', '-i', path, '-map', '0:a', '-c', 'copy', '-f', 'md5', '-'];
      return (await run(programs, 'ffmpeg', args)).stdout;
    };
    expect(await bytes(done.path)).toBe(await bytes(fixture('plain.mp4')));
  });

  test.each(
    sampled(
      [
        ['hevc.mp4', 'hevc', 'mp4'],
        ['vp9.webm', 'vp9', 'webm'],
        ['vfr.mkv', 'h264', 'mkv'],
        ['no-sound.mp4', 'h264', 'mp4'],
        ['late.ts', 'h264', 'mp4'],
      ],
      3,
    ),
  )('%s keeps its codec and its frames', async (source, codec, format) => {
    const done = await captioned({ captions: middle, format }, source);
    expect((await streamOf(done.path, 'v')).codec_name).toBe(codec);
    expect(await readNumbers(done.path)).toEqual(await readNumbers(fixture(source)));
  });

  test.each(
    sampled(
      [
        ['rotated.mp4', 320, 180],
        ['wide-pixels.mp4', 320, 180],
      ],
      3,
    ),
  )('%s shows them as players turn and stretch it', async (source, width, height) => {
    const done = await captioned({ captions: middle, style: large }, source);
    const shown = async (path: string) => pictureAt(path, 3, 96, Math.round((96 * height) / width));
    const plain = await captioned({ captions: middle, style: large });
    const [found, wanted] = [await shown(done.path), await shown(plain.path)];
    const far = found.reduce((sum, level, at) => sum + Math.abs(level - (wanted[at] ?? 0)), 0) / found.length;
    expect(far).toBeLessThan(4);
  });

  test('without libav all is rendered, and what is said of it is the same', async () => {
    const done = await captioned({ captions: middle, style: large, outputs: ['vtt'] }, 'plain.mp4', {
      libav: null,
    });
    expect(await readNumbers(done.path)).toEqual(range(0, 180));
    expect(done.data).toMatchObject({ copied_seconds: 0, word_count: 2, times: 'given', engine: null });
    expect((await likeness(done.path, fixture('plain.mp4'))).slice(80, 100).every((db) => db < 30)).toBe(
      true,
    );
  });
});

describe('every preset looks as it did', () => {
  const wide = join(directory, 'wide.mp4');
  const said = 'The quick brown fox jumps over the lazy dog.'.split(' ').map((text, index) => ({
    ...{ text, start: 0.1 + index * 0.2, end: 0.28 + index * 0.2 },
  }));
  let bare: Buffer = Buffer.alloc(0);
  beforeAll(async () => {
    const graph = 'color=c=0x46525e:s=640x360:r=25:d=2';
    const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', wide];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', graph, ...encode]);
    bare = await pictureAt(wide, 1);
  });
  const TOLERANCE = 3;

  const look = async (name: string, request: object) => {
    const done = await captioned({ outputs: [], ...request }, wide);
    const far = farFromGolden(name, await pictureAt(done.path, 1));
    return { far, plain: farFromGolden(name, bare) };
  };

  test.each(sampled(captionPresetNames, 4))('%s', async (preset: CaptionPreset) => {
    const { far, plain } = await look(preset, { captions: said, preset, style: { font_size_percent: 12 } });
    expect(far).toBeLessThan(TOLERANCE);
    expect(plain).toBeGreaterThan(Math.max(1, 2 * far));
  });

  test.each(
    sampled(
      [
        ['arabic', 'مرحبا بكم في هذا الفيديو القصير'],
        ['chinese', '欢迎来到这个关于城市的短视频'],
        ['hindi', 'नमस्ते, आज हम शहर में घूमेंगे'],
      ],
      3,
    ),
  )('%s', async (name, text) => {
    const request = {
      captions: srt(['0,100', '1,900', text]),
      preset: 'pill',
      style: { font_size_percent: 12 },
    };
    const { far, plain } = await look(name, request);
    expect(far).toBeLessThan(TOLERANCE);
    expect(plain).toBeGreaterThan(Math.max(1, 2 * far));
  });
});

describe('files', () => {
  test('say the same in every format, and can be given back', async () => {
    const captions = srt(['0,500', '2,000', 'Hello there.'], ['2,100', '4,000', 'It is <late>.']);
    const outputs = ['srt', 'vtt', 'ass', 'txt', 'words_json'];
    const done = await captioned({ captions, burn: false, outputs });
    expect(done.files.map(({ role }) => role)).toEqual(outputs.map((name) => `captions_${name}`));
    const texts = await Promise.all(done.files.map(({ path }) => readFile(path, 'utf8')));
    const wanted = [
      { start: 0.5, end: 2, text: 'Hello there.' },
      { start: 2.1, end: 4, text: 'It is .' },
    ];
    for (const text of texts.slice(0, 3)) expect(parseCaptions(text)).toEqual({ kind: 'cues', cues: wanted });
    expect(texts[3]).toBe('Hello there.\nIt is .\n');
    const words = parseCaptions(texts[4] ?? '');
    expect('kind' in words && words.kind === 'words' && words.words.map(({ text }) => text)).toEqual(
      'Hello there. It is .'.split(' '),
    );
    expect(done.data).toMatchObject({ cue_count: 2, copied_seconds: 0, rendered_seconds: 0 });
  });

  test('are without what is replaced or left out', async () => {
    const request = {
      captions: srt(
        ['0,500', '1,500', 'Hello there.'],
        ['2,000', '3,000', 'Not this.'],
        ['4,000', '5,000', 'But this.'],
      ),
      replacements: [{ from: 'there', to: 'everybody' }],
      exclude_ranges: [{ start: 1.9, end: 3.1 }],
      ...{ burn: false, outputs: ['txt'] },
    };
    const done = await captioned(request);
    expect(await readFile(done.path, 'utf8')).toBe('Hello everybody.\nBut this.\n');
  });
});

test('a caption whose beginning is left out is not shown before its rest is said', async () => {
  const request = {
    captions: srt(['1,000', '5,000', 'One two three four']),
    exclude_ranges: [{ start: 0, end: 3 }],
    ...{ burn: false, outputs: ['srt'] },
  };
  const [, from, text] =
    /(\d\d:\d\d:\d\d,\d\d\d) -->.*\n(.*)/.exec(await readFile((await captioned(request)).path, 'utf8')) ?? [];
  expect(text).toBe('three four');
  expect(from?.localeCompare('00:00:02,500')).toBe(1);
});

describe('it fails where it cannot be', () => {
  test('nothing said, no sound, captions behind the end, no engine for the language', async () => {
    const codes = [
      captioned({}, 'mute.mp4'),
      captioned({}, 'no-sound.mp4'),
      captioned({ captions: srt(['7,000', '8,000', 'Late.']) }),
      captioned({ language: 'de' }),
      captioned({ captions: 'Something that nobody says in it.' }, 'speech.mp4'),
    ].map(failureOf);
    const failures = await Promise.all(codes);
    expect(failures.map(({ code }) => code)).toEqual([
      'no_speech_found',
      'source_no_audio',
      'time_out_of_range',
      'engine_unavailable',
      'no_speech_found',
    ]);
    expect(failures[3]?.detail).toContain('No engine for the language');
  });

  test.each(
    sampled(
      [
        [{ exclude_ranges: [{ start: 2, end: 4 }] }, '`exclude_ranges`'],
        [{ replacements: [{ from: 'hello there', to: '' }] }, '`replacements`'],
      ],
      3,
    ),
  )('no caption is left by %j', async (request, named) => {
    expect(await failureOf(captioned({ captions: middle, ...request }))).toEqual({
      code: 'captions_invalid',
      detail: `No caption is left: ${named} remove all words.`,
    });
  });

  test('words behind the end are left out, and said', async () => {
    const done = await captioned({
      captions: srt(['1,000', '2,000', 'In time.'], ['7,000', '8,000', 'Late.']),
    });
    expect(done.warnings.map(({ code }) => code)).toEqual(['captions_dropped']);
    expect(done.data).toMatchObject({ word_count: 2, cue_count: 1 });
  });
});

describe('as a track of the video', () => {
  const cues = srt(['0,500', '2,000', 'Hello there.'], ['2,000', '4,000', 'It is\nlate.']);

  test.each(
    sampled(
      [
        ['plain.mp4', 'mp4', 'mov_text'],
        ['plain.mp4', 'mov', 'mov_text'],
        ['no-sound.mp4', 'mp4', 'mov_text'],
        ['vfr.mkv', 'mkv', 'subrip'],
        ['vp9.webm', 'webm', 'webvtt'],
        ['vp9.webm', 'mkv', 'subrip'],
      ],
      3,
    ),
  )('%s in %s has them as %s, and nothing else is another', async (source, format, codec) => {
    const request = { captions: cues, burn: false, embed: 'soft', outputs: [], format, language: 'en-GB' };
    for (const options of [{}, { libav: null }]) {
      const done = await captioned(request, source, options);
      const whole = { video_url: 'https://media.example.com/a.mp4', end: 5.9, format };
      const bare = await operateOn('cut', [source], whole, options);
      const track = await streamOf(done.path, 's');
      expect(track).toMatchObject({ codec_name: codec, tags: { language: 'eng' } });
      const args = ['-v', 'error', '-i', done.path, '-map', '0:s', '-f', 'srt', '-'];
      const read = await run(programs, 'ffmpeg', args);
      const times = parseSubtitles(read.stdout) ?? [];
      // Matroska may count from the first sample that an encoder leads by; the picture begins as late then.
      const late = (await readTimes(done.path))[0] ?? 0;
      expect(times.map(({ text }) => text)).toEqual(['Hello there.', 'It is late.']);
      const moments = times.flatMap(({ start, end }) => [start - late, end - late]);
      for (const [index, at] of [0.5, 2, 2, 4].entries())
        expect(Math.abs((moments[index] ?? 0) - at)).toBeLessThan(0.03);
      expect(await readNumbers(done.path)).toEqual(await readNumbers(fixture(source)));
      if (source !== 'no-sound.mp4') {
        const wanted = await readPulses(bare.path);
        // A cut starts its sound with the first frame; a pulse cut in two by that edge is not compared.
        const [from = 0] = bare.time_map[0]?.in ?? [];
        for (const at of (await readPulses(done.path)).filter((time) => time > from + 0.05)) {
          expect(Math.min(...wanted.map((one) => Math.abs(at - from - one)))).toBeLessThan(0.001);
        }
      }
    }
    const copied = await captioned(request, source);
    expect(Number(copied.data.rendered_seconds)).toBeLessThan(0.1);
  });

  test('beside those that are drawn', async () => {
    const done = await captioned({ captions: cues, embed: 'soft', style: large });
    expect((await streamOf(done.path, 's')).codec_name).toBe('mov_text');
    expect((await likeness(done.path, fixture('plain.mp4'))).slice(20, 100).every((db) => db < 35)).toBe(
      true,
    );
  });
});
