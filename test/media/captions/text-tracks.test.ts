import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operate, operateOn } from '../operate.ts';
import { ffmpeg } from '../results/tracked.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-text-tracks-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const at = (name: string) => join(directory, name);

/** The texts of the cues as the file has them. */
function payloads(path: string, format: 'webvtt' | 'srt'): string[] {
  ffmpeg('-i', path, '-map', '0:s:0', '-c', 'copy', '-f', format, at('read'));
  const blocks = readFileSync(at('read'), 'utf8').trim().split('\n\n');
  return blocks.flatMap(
    (block) => (block.includes('-->') ? block.split('-->')[1]?.split(/\r?\n/).slice(1) : []) ?? [],
  );
}

describe('a text track in WebVTT', () => {
  beforeAll(() => {
    const cues = [
      '00:01.000 --> 00:02.000\n&gt;&gt; <v Ann>Tom &amp; <b>Jerry</b>',
      '00:02.000 --> 00:03.000\nso<00:00:02.500><c> we</c> say',
      '00:03.000 --> 00:04.000\n<ruby>東京<rt>とうきょう</rt></ruby>へ',
      '00:04.000 --> 00:05.000\nI &lt;3 it, if 1 &lt; 2',
    ];
    writeFileSync(at('cues.vtt'), ['WEBVTT', ...cues].join('\n\n'));
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=25:d=6', '-i', at('cues.vtt')];
    ffmpeg(...picture, '-c:v', 'libx264', '-c:s', 'copy', at('cues.mkv'));
  });

  test.each([
    ['mkv', 'srt', ['>> Tom & Jerry', 'so we say', '東京へ', 'I <3 it, if 1 < 2']],
    ['webm', 'webvtt', ['&gt;&gt; Tom &amp; Jerry', 'so we say', '東京へ', 'I &lt;3 it, if 1 &lt; 2']],
  ] as const)('is kept without its markup in %s', async (format, read, texts) => {
    const done = await operate('cut', at('cues.mkv'), { start: 0, duration: 5.5, format });
    expect(payloads(done.path, read)).toEqual(texts);
  });
});

test('a text track in ASS is kept with its lines, without tags and drawings', async () => {
  const event = (from: number, text: string) =>
    `Dialogue: 0,0:00:0${from}.00,0:00:0${from + 1}.00,Default,,0,0,0,,${text}`;
  const script = [
    '[Script Info]\nScriptType: v4.00+\n\n[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    event(1, '{\\an8}Hello, {\\i1}you\\Nthere'),
    event(2, '{\\p1}m 0 0 l 100 0 100 100 0 100{\\p0}'),
    event(3, '{\\pos(9,9)\\p2}m 0 0 l 9 9{\\p0}Behind a box'),
    event(4, 'a { and b'),
  ];
  writeFileSync(at('cues.ass'), `${script.join('\n')}\n`);
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=25:d=6', '-i', at('cues.ass')];
  ffmpeg(...picture, '-c:v', 'libx264', '-c:s', 'copy', at('ass.mkv'));
  const done = await operate('cut', at('ass.mkv'), { start: 0, duration: 5.5, format: 'mkv' });
  expect(payloads(done.path, 'srt')).toEqual(['Hello, you', 'there', 'Behind a box', 'a { and b']);
});

test('a text track in ASS is kept without its overrides and drawings, and with the braces that libass shows', async () => {
  const texts = ['f\\{x\\} = {\\b1}1{y{\\b0}', 'two\\nparts', '{\\p1}m 0 0 l 9 9{\\p0}drawn'];
  const events = texts.map(
    (text, index) => `Dialogue: 0,0:00:0${index + 1}.00,0:00:0${index + 2}.00,Default,,0,0,0,,${text}`,
  );
  writeFileSync(at('braces.ass'), ['[Script Info]', '[Events]', ...events].join('\n'));
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=25:d=6', '-i', at('braces.ass')];
  ffmpeg(...picture, '-c:v', 'libx264', '-c:s', 'copy', at('braces.mkv'));
  const done = await operate('cut', at('braces.mkv'), { start: 0, duration: 5.5, format: 'mkv' });
  expect(payloads(done.path, 'srt')).toEqual(['f{x} = 1', 'two parts', 'drawn']);
});

test.each([{}, { libav: null }])('captions as a track of WebM are escaped: %j', async (options) => {
  const captions = '1\n00:00:01,000 --> 00:00:02,000\nI <3 it, if 1 < 2 & so\n';
  const request = { video_url: 'https://media.example.com/a.webm', captions, burn: false, embed: 'soft' };
  const done = await operateOn(
    'captions_auto',
    ['vp9.webm'],
    { ...request, outputs: [], format: 'webm' },
    options,
  );
  expect(payloads(done.path, 'webvtt')).toEqual(['I &lt;3 it, if 1 &lt; 2 &amp; so']);
});
