import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../client/cli/exit-codes.ts';
import { inputOf, optionsOf, readArguments } from '../../../client/cli/flags.ts';
import { commands } from '../../../client/cli/printed/commands.ts';
import { localFile } from '../../../client/src/index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-flags-'));
  for (const name of ['talk.mp4', 'song.mp3', 'a.mp4', 'script.txt'])
    writeFileSync(join(folder, name), `text of ${name}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);

function requestOf(name: string, ...args: string[]): Record<string, unknown> {
  const command = commands.find((one) => one.name === name);
  if (!command) throw new Error(`no command ${name}`);
  const { values, positionals } = readArguments(args, optionsOf(command));
  return inputOf(command, values, positionals);
}

const url = 'https://media.example.com/talk.mp4';

describe('a command line', () => {
  it('takes a list from a file, and a text that begins like one as it is', () => {
    writeFileSync(at('list.json'), '[{"start": 1, "end": 2, "action": "silent"}]');
    expect(requestOf('silence-process', url, '--segments', `@${at('list.json')}`).segments).toEqual([
      { start: 1, end: 2, action: 'silent' },
    ]);
    expect(requestOf('visualize', 'https://a.example/a.mp3', '--title', '[Live] Night Drive').title).toBe(
      '[Live] Night Drive',
    );
  });

  it('becomes a request: numbers, times, words and flags without a value', () => {
    expect(requestOf('cut', url, '--start', '3', '--duration', '00:00:05', '--dry-run')).toEqual({
      video_url: url,
      start: 3,
      duration: '00:00:05',
      dry_run: true,
    });
    expect(requestOf('captions-auto', url, '--no-burn')).toEqual({ video_url: url, burn: false });
    expect(requestOf('silence-process', url, '--threshold-db', '-40')).toEqual({
      video_url: url,
      threshold_db: -40,
    });
    expect(requestOf('crop', url, '--y', '10%').y).toBe('10%');
  });

  it('takes lists by repeated flags, by commas where the values are known, and as JSON', () => {
    for (const outputs of [['srt,vtt'], ['srt', 'vtt'], ['["srt","vtt"]']]) {
      const flags = outputs.flatMap((text) => ['--outputs', text]);
      expect(requestOf('captions-auto', url, ...flags).outputs).toEqual(['srt', 'vtt']);
    }
    expect(requestOf('frame', url, '--timestamps', '1', '--timestamps', '00:02').timestamps).toEqual([
      1,
      '00:02',
    ]);
    expect(requestOf('captions-auto', url, '--vocabulary', 'a, b').vocabulary).toEqual(['a, b']);
    expect(requestOf('separate', url, '--stems', '2').stems).toBe(2);
    expect(requestOf('separate', url, '--stems', 'music').stems).toEqual(['music']);
    expect(requestOf('cut', url, '--quality', '{"crf": 20}').quality).toEqual({ crf: 20 });
  });

  it('takes files wherever it takes URLs, and puts each where its kind belongs', () => {
    expect(requestOf('cut', at('talk.mp4'))).toEqual({ video_url: localFile(at('talk.mp4')) });
    expect(requestOf('cut', at('song.mp3'))).toEqual({ audio_url: localFile(at('song.mp3')) });
    expect(requestOf('cut', 'https://media.example.com/a/song.mp3?x=1')).toHaveProperty('audio_url');
    expect(requestOf('visualize', at('talk.mp4'))).toEqual({ audio_url: localFile(at('talk.mp4')) });
    expect(requestOf('redub', at('talk.mp4'), at('song.mp3'))).toEqual({
      video_url: localFile(at('talk.mp4')),
      audio_url: localFile(at('song.mp3')),
    });
    expect(requestOf('merge-urls', at('talk.mp4'), url, 'task:task_1')).toEqual({
      urls: [localFile(at('talk.mp4')), url, 'task:task_1'],
    });
    expect(requestOf('merge-urls', '--urls', `[{"url":"${at('a.mp4')}","end":2},"${url}"]`)).toEqual({
      urls: [{ url: localFile(at('a.mp4')), end: 2 }, url],
    });
    expect(requestOf('probe', '--url', at('a.mp4'))).toEqual({ url: localFile(at('a.mp4')) });
  });

  it('reads the text of a flag from a file after @', () => {
    expect(requestOf('redub-tts', url, '--script', `@${at('script.txt')}`).script).toBe('text of script.txt');
    writeFileSync(at('russian.srt'), Buffer.from('cff0e8e2e5f2', 'hex'));
    const run = () => requestOf('redub-tts', url, '--script', `@${at('russian.srt')}`);
    expect(run).toThrow(UsageError);
    expect(run).toThrow(/russian\.srt is not in UTF-8\. Save it as UTF-8\.$/);
  });

  it.each<[string, (text: string) => Buffer]>([
    ['UTF-8', (text) => Buffer.from(text)],
    ['UTF-8 with a byte order mark', (text) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 with the high bytes first', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('reads JSON and text from files in %s', (_, bytesOf) => {
    writeFileSync(at('marked.txt'), bytesOf('Tschüß 🎬'));
    writeFileSync(at('marked.json'), bytesOf('[{"start": 1, "end": 2}]'));
    expect(requestOf('redub-tts', url, '--script', `@${at('marked.txt')}`).script).toBe('Tschüß 🎬');
    expect(requestOf('cut', url, '--segments', `@${at('marked.json')}`).segments).toEqual([
      { start: 1, end: 2 },
    ]);
  });

  it.each([
    [['cut', url, '--strat', '3'], /--strat.*Did you mean --start\?/],
    [['cut', url, '--color', '3'], /--color\.$/],
    [['cut', 'no-such-file.mp4'], /no-such-file\.mp4: there is no such file/],
    [['cut', tmpdir()], /is not a file/],
    [['cut', url, url, url], /one source too many/],
    [['cut', url, '--quality', '{crf}'], /--quality: this is not valid JSON/],
    [['cut', url, '--start'], /--start/],
    [['redub-tts', url, '--script', '@nowhere.txt'], /nowhere\.txt cannot be read/],
  ])('says what is wrong with %j', ([name = '', ...args], message) => {
    const run = () => requestOf(name, ...args);
    expect(run).toThrow(UsageError);
    expect(run).toThrow(message);
  });
});
