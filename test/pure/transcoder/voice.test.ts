import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { bothWays, type SampleSource } from '../../../transcoder/engines/hosts/sound-windows.ts';
import { piecesOfSpeech, withContext } from '../../../transcoder/engines/speech/pieces.ts';
import { hasVoice, VOICE_WINDOW, type Voice, voicedSpans } from '../../../transcoder/model/voice.ts';
import { decide } from '../../../transcoder/operations/silence/detect.ts';

/** What a sign stands for: the probability of a voice and the level in dBFS, for 320 ms. */
const signs: Record<string, [probability: number, db: number]> = {
  '.': [0.001, -70],
  S: [0.95, -25],
  s: [0.9, -50],
  /** Weak voices: about as loud as others, far below them, and as quiet as the room. */
  w: [0.08, -28],
  f: [0.02, -50],
  q: [0.3, -69],
  l: [0.3, -45],
  /** A noisy room, and voices in it that the detector is less sure of. */
  n: [0.001, -32],
  N: [0.4, -26],
  m: [0.2, -31],
  /** Typing, chairs, music: loud, but no voice. */
  X: [0.01, -15],
};

function drawn(text: string): {
  voice: Voice;
  levels: { peak: Float32Array; rms: Float32Array };
  seconds: number;
} {
  const of = [...text].map((sign) => signs[sign] ?? [0, -90]);
  const seconds = text.length * 10 * VOICE_WINDOW;
  const probability = Float32Array.from(
    { length: text.length * 10 },
    (_, at) => of[Math.floor(at / 10)]?.[0] ?? 0,
  );
  const rms = Float32Array.from({ length: Math.round(seconds * 100) }, (_, at) => {
    const db = of[Math.min(of.length - 1, Math.floor(at / 32))]?.[1] ?? -90;
    return 10 ** (db / 20);
  });
  return { voice: { probability }, levels: { peak: rms, rms }, seconds };
}

/** Seconds that are kept, with a tenth of a second left out at either end of a span. */
function kept(text: string, { voice: given, ...request }: Record<string, unknown> = {}) {
  const { voice, levels, seconds } = drawn(text);
  const input = operations.silence_process.input.parse({
    audio_url: 'https://media.example.com/a.mp3',
    detector: 'auto',
    ...request,
  });
  const warnings: Warning[] = [];
  const withVoice = given === null ? null : voice;
  const decision = decide(input, { duration: seconds, grid: null }, { levels, voice: withVoice }, warnings);
  const within = (time: number) =>
    decision.segments.some(({ start, end, action }) => action === 'keep' && time >= start && time < end);
  return {
    ...decision,
    warnings,
    text: [...text].map((_, at) => (within((at + 0.5) * 10 * VOICE_WINDOW) ? '#' : '.')).join(''),
  };
}

describe('what is kept', () => {
  const tight = { padding_before: 0, padding_after: 0, min_silence: 0.3, min_clip: 0 };
  test.each([
    ['speech and not the silence', '..SS....SS..', '..##....##..', 'speech'],
    ['speech that is quiet, too', '..SS....ss..', '..##....##..', 'speech'],
    ['no chair, keys or music between words', '..SS.XX.SS.X', '..##....##..', 'speech'],
    ['a weak voice as loud as the others', '..SS..w..SS..', '..##..#..##..', 'speech'],
    ['no weak sound far below the voices', '..SS..f.SS..', '..##....##..', 'speech'],
    ['a likely voice well above the room', '..SS..l..SS..', '..##..#..##..', 'speech'],
    ['no likely voice that is as quiet as the room', '..SS..q.SS..', '..##....##..', 'speech'],
    ['a likely voice in noise', 'nnSSnnNNnnSSnn', '..##..##..##..', 'speech'],
    ['no likely voice that is as quiet as the noise', 'nnSSnnmmnnSSnn', '..##......##..', 'speech'],
    ['likely voices without a pause', 'NNNNNNSSNNNNNN', '##############', 'speech'],
    ['likely voices between certain ones', 'SSSSSSNNNNSSSS', '##############', 'speech'],
    ['every sound where nothing is speech', '..XX....X...', '..##....#...', 'energy'],
  ])('%s: %s', (_, text, expected, detector) => {
    const found = kept(text, tight);
    expect(found.text).toBe(expected);
    expect(found.detector).toBe(detector);
    expect(found.warnings).toEqual([]);
    expect(found.thresholdDb === null).toBe(detector === 'speech');
  });

  test.each([
    ['with a level of the caller', { threshold_db: -40 }],
    ['with the other detector', { detector: 'energy' }],
  ])('is what is loud %s', (_, request) => {
    const found = kept('..SS.XX.ss..', { ...tight, ...request });
    expect(found.detector).toBe('energy');
    expect(found.text.slice(0, 7)).toBe('..##.##');
  });

  test('is what is loud without a detector, and a warning says so; speech alone cannot be found then', () => {
    const found = kept('..SS.XX.SS..', { ...tight, voice: null });
    expect(found.text).toBe('..##.##.##..');
    expect(found.warnings.map(({ code }) => code)).toEqual(['detector_unavailable']);
    expect(() => kept('..SS..', { detector: 'speech', voice: null })).toThrow('unavailable');
    expect(kept('..SS..', { detector: 'energy', voice: null }).warnings).toEqual([]);
  });

  test('is nothing where only speech is wanted and there is none', () => {
    expect(() => kept('..XX....X...', { detector: 'speech' })).toThrow('No speech was found');
  });

  test('pauses that are shorter than allowed', () => {
    expect(kept('....SS.X.SS....', { ...tight, min_silence: 1.2 }).text).toBe('....#######....');
  });
});

const anything = fc
  .array(fc.tuple(fc.constantFrom(...Object.keys(signs)), fc.integer({ min: 1, max: 8 })), {
    minLength: 2,
    maxLength: 30,
  })
  .map((parts) => parts.map(([sign, length]) => sign.repeat(length)).join(''));

describe('for any sound', () => {
  test('no certain voice is cut, and the segments are the whole source', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 5, max: 200 }), (text, silence) => {
        const { voice, seconds } = drawn(text);
        if (!/[Ss]/.test(text)) return;
        expect(hasVoice(voice)).toBe(true);
        const { segments, detector } = kept(text, { min_silence: silence / 100, min_clip: 0 });
        expect(detector).toBe('speech');
        expect(segments[0]?.start).toBe(0);
        expect(segments.at(-1)?.end).toBeCloseTo(seconds, 6);
        for (const [index, { start }] of segments.entries()) {
          if (index > 0) expect(start).toBe(segments[index - 1]?.end);
        }
        for (const [window, probability] of voice.probability.entries()) {
          if (probability < 0.5) continue;
          const [from, to] = [window * VOICE_WINDOW, (window + 1) * VOICE_WINDOW];
          const cut = segments.filter(
            ({ start, end, action }) => action === 'silent' && start < to - 1e-6 && end > from + 1e-6,
          );
          expect(cut).toEqual([]);
        }
      }),
    );
  });

  test('spans are in order and apart', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { voice, levels } = drawn(text);
        const spans = voicedSpans(voice, levels.rms, levels.rms.length);
        for (const [index, { start, end }] of spans.entries()) {
          expect(start).toBeGreaterThan(spans[index - 1]?.end ?? -1);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(levels.rms.length);
        }
      }),
    );
  });
});

describe('pieces for engines', () => {
  const rms = new Float32Array(20_000).fill(0.1);

  test('are where somebody speaks, with a margin, and at most 28 s long', () => {
    expect(
      piecesOfSpeech(
        [
          { start: 100, end: 300 },
          { start: 330, end: 500 },
          { start: 700, end: 900 },
        ],
        rms,
      ),
    ).toEqual([
      { from: 80, to: 520 },
      { from: 680, to: 920 },
    ]);
    for (const { from, to } of piecesOfSpeech([{ start: 0, end: 15_000 }], rms)) {
      expect(to - from).toBeLessThanOrEqual(2800);
    }
  });

  test('are joined to 20 s and more where the pauses allow it', () => {
    const sentences = Array.from({ length: 40 }, (_, index) => ({
      from: index * 400,
      to: index * 400 + 330,
    }));
    const joined = withContext(sentences);
    expect(joined.slice(0, -1).every(({ from, to }) => to - from >= 2000 && to - from <= 2800)).toBe(true);
    expect(joined.at(-1)?.to).toBe(sentences.at(-1)?.to);
    const apart = [
      { from: 0, to: 300 },
      { from: 900, to: 1200 },
    ];
    expect(withContext(apart)).toEqual(apart);
  });
});

describe('windows of a sound', () => {
  test('come from its start and reversed from its end, however long it is', async () => {
    for (const length of [0, 1, 511, 512, 513, 65_536, 70_001]) {
      const sound = Int16Array.from({ length }, (_, at) => (at * 7919) % 30_000);
      const source: SampleSource = {
        samples: length,
        read: async (into, at) => {
          expect(at + into.length).toBeLessThanOrEqual(length);
          into.set(sound.subarray(at, at + into.length));
        },
      };
      const padded = new Float32Array(Math.ceil(length / 512) * 512);
      for (const [at, value] of sound.entries()) padded[at] = value / 32_768;
      const turned = padded.toReversed();
      let index = 0;
      for await (const [forwards, backwards] of bothWays(source, 512)) {
        const at = index++ * 512;
        expect(forwards).toEqual(padded.slice(at, at + 512));
        expect(backwards).toEqual(turned.slice(at, at + 512));
      }
      expect(index).toBe(padded.length / 512);
    }
  });
});
