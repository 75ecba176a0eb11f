import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import type { SpokenWord } from '../../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import type { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import { captionsAuto } from '../../../transcoder/operations/captions/captions-auto.ts';
import { transcribe } from '../../../transcoder/operations/captions/transcribe.ts';
import { letters } from '../letters/letters.ts';
import { closed } from './plan-graph.ts';
import { means, source, stillLike } from './sources.ts';

const url = 'https://media.example.com/a';
const song: MediaProbe = { ...source, format: 'mp3', container: 'mp3', video: null };
/** Its video has a codec that is not read. */
const unread: MediaProbe = {
  ...song,
  streams: [{ type: 'video', codec: 'prores_raw' } as MediaProbe['streams'][number]],
};
const captions = [{ start: 1, end: 1.5, text: 'hello' }];

const green = { video_url: url, background: 'green' };
const transparent = { video_url: url, background: 'transparent' };

const captioned = (request: object, probe: MediaProbe) => {
  const input = operations.captions_auto.input.parse(request);
  captionsAuto.analyses(input, [probe], means);
  return closed(captionsAuto.plan({ input, probes: [probe], facts: { letters }, ...means }));
};

function failureOf(work: () => unknown): Pick<TaskFailure, 'code' | 'message'> {
  try {
    work();
  } catch (error) {
    return error as TaskFailure;
  }
  return expect.unreachable('it was expected to fail');
}

describe('captions of sound', () => {
  test('given as `audio_url` come without a warning, in place of a video with one', () => {
    expect(captioned({ audio_url: url, captions }, song).warnings).toEqual([]);
    expect(captioned({ audio_url: url, captions }, source).warnings).toEqual([]);
    expect(captioned({ video_url: url, captions }, song).warnings.map(({ code }) => code)).toEqual([
      'video_missing',
    ]);
    expect(captioned({ video_url: url, captions, burn: false }, song).warnings).toHaveLength(1);
  });

  test.each<[string, object, MediaProbe]>([
    ['captions are to be drawn', { burn: true }, song],
    ['a subtitle track is asked for', { embed: 'soft' }, song],
    ['there would be no output', { outputs: [] }, song],
    ['captions stand alone', { background: 'green' }, song],
    ['the video cannot be read', {}, unread],
    ['the source is a still picture', {}, stillLike({})],
  ])('are refused where %s', (_, request, probe) => {
    expect(failureOf(() => captioned({ video_url: url, captions, ...request }, probe)).code).toBe(
      'source_no_video',
    );
  });

  test.each([
    [{}, 'Give either `video_url` or `audio_url`.'],
    [{ audio_url: url, video_url: url }, 'Give either `video_url` or `audio_url`.'],
    [{ audio_url: url, burn: true }, '`audio_url` has no picture'],
    [{ audio_url: url, embed: 'soft' }, '`embed: soft` needs a video'],
    [{ audio_url: url, outputs: [] }, 'The request has no output.'],
    [{ video_url: url, burn: false, outputs: [] }, 'The request has no output.'],
    [
      { audio_url: url, background: 'green' },
      '`background: green` needs the size and the frames of a video.',
    ],
    [{ ...green, burn: false }, '`background: green` draws the captions. Remove `burn`'],
    [{ ...green, embed: 'soft' }, '`background: green` has no subtitle track. Remove `embed`'],
    [transparent, '`mp4` has no transparency. Use `mov` (ProRes 4444) or `webm` (VP9).'],
    [{ ...transparent, format: 'mov', codec: 'h264' }, 'are ProRes 4444 in `mov`. Leave `codec` out.'],
    [{ ...transparent, format: 'webm', codec: 'av1' }, 'are VP9 in `webm`. Leave `codec` out.'],
  ])('%j is refused as a request', (request, message) => {
    const { error } = operations.captions_auto.input.safeParse(request);
    expect(error?.issues.map((issue) => issue.message).join('\n')).toContain(message);
  });
});

describe('a transcript', () => {
  const heard = (text: string, gap: number): SpokenWord[] =>
    text.split(' ').map((each, index) => ({
      ...{ text: each, start: index * (0.2 + gap), end: index * (0.2 + gap) + 0.2 },
      ...{ glued: false, confidence: 0.9 },
    }));
  const planOf = (request: object, words: SpokenWord[], engine: 'pocketsphinx' | 'parakeet') => {
    const input = operations.transcribe.input.parse({ audio_url: url, ...request });
    const facts = { words: { engine, words, missed: 0 } };
    return closed(transcribe.plan({ input, probes: [song], facts, ...means }));
  };

  test('of an engine without punctuation has sentences, in paragraphs at long pauses', () => {
    const words = [...heard('hello there', 0.1), ...heard('we go', 0.1).map(later(3))];
    const { data, steps } = planOf({}, words, 'pocketsphinx');
    expect(data).toMatchObject({
      text: 'Hello there.\n\nWe go.',
      ...{ word_count: 4, cue_count: 2, language: 'en', times: 'heard' },
    });
    expect(steps[0]).toMatchObject({ text: 'Hello there.\n\nWe go.\n' });
  });

  test('of an engine with punctuation, and of a script, is not changed', () => {
    const words = heard('hello there', 0.1);
    expect(planOf({}, words, 'parakeet').data.text).toBe('hello there');
    const { data, warnings } = planOf({ script: 'hello there' }, words, 'pocketsphinx');
    expect(data).toMatchObject({ text: 'hello there', times: 'aligned' });
    expect(warnings.map(({ code }) => code)).toEqual(['language_assumed']);
  });

  test('takes a script without times alone', () => {
    const srt = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';
    const { error } = operations.transcribe.input.safeParse({ audio_url: url, script: srt });
    expect(error?.issues[0]).toMatchObject({ path: ['script'] });
    const input = operations.transcribe.received.parse({ audio_url: url, script: srt });
    expect(failureOf(() => transcribe.analyses(input, [song], means))).toMatchObject({
      code: 'captions_invalid',
      message: expect.stringContaining('must be plain text without times'),
    });
  });
});

const later = (seconds: number) => (word: SpokenWord) => ({
  ...word,
  ...{ start: word.start + seconds, end: word.end + seconds },
});
