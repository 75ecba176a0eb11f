import { describe, expect, test } from 'vitest';
import { anchorsAt, anchorsOf, type Placed, partsOf } from '../../../transcoder/media/verify/anchors.ts';
import { soundLag } from '../../../transcoder/media/verify/audio-lag.ts';
import { type Fingerprint, isRather, mirrored, shows } from '../../../transcoder/media/verify/fingerprint.ts';
import { type Judging, judged, type Sight } from '../../../transcoder/media/verify/judge.ts';
import { stillRuns } from '../../../transcoder/media/verify/still-runs.ts';

const ACROSS = 32;
const CELLS = ACROSS * 18;
const FRAME = 1 / 30;

/** A picture with a bright column that goes to the right with each frame, over a slope. */
const pictureOf = (frame: number): Fingerprint =>
  Float32Array.from({ length: CELLS }, (_, cell) => {
    const column = cell % ACROSS;
    return 60 + column * 2 + (Math.abs(column - (frame % ACROSS)) < 1 ? 90 : 0);
  });

/** The same as an encoder leaves it. */
const coded = (picture: Fingerprint, error = 2): Fingerprint =>
  picture.map((level, cell) => level + error * Math.sin(cell * 12.9898));

describe('a fingerprint', () => {
  test.each([
    ['itself', pictureOf(3), true],
    ['itself as it is encoded', coded(pictureOf(3)), true],
    ['itself in another range and contrast', pictureOf(3).map((level) => 16 + level * 0.86), true],
    ['the next frame', pictureOf(4), false],
    ['its mirror image', mirrored(pictureOf(3), ACROSS), false],
    ['another picture', pictureOf(3).map((_, cell) => (cell * 7919) % 200), false],
    ['nothing', new Float32Array(CELLS), false],
  ])('shows %s or not', (_, found, wanted) => {
    expect(shows(found, pictureOf(3), ACROSS)).toBe(wanted);
  });

  /** Neighbouring cells have nothing in common. */
  const texture = (seed: number) =>
    Float32Array.from({ length: CELLS }, (_, cell) => 128 + 12 * Math.sin((cell + 1) ** 2 * seed));
  const coarse = (picture: Fingerprint) => {
    const noise = texture(0.377);
    return picture.map((level, cell) => 128 + 0.75 * (level - 128) + 0.7 * ((noise[cell] ?? 0) - 128));
  };

  test('of a texture is recognized as coarse quantisation leaves it, but not moved by a cell, and not as another one', () => {
    const found = coarse(texture(0.123));
    expect(shows(found, texture(0.123), ACROSS)).toBe(true);
    expect(
      shows(
        found.map((level, cell) => found[cell + 1] ?? level),
        texture(0.123),
        ACROSS,
      ),
    ).toBe(false);
    expect(shows(found, texture(0.456), ACROSS)).toBe(false);
    const slope = pictureOf(3).map(
      (level, cell) => level + 1.2 * ((coarse(texture(0.123))[cell] ?? 0) - 128),
    );
    expect(shows(slope, pictureOf(3), ACROSS)).toBe(false);
  });

  test('is rather the frame that it shows, and neither of two that cannot be told apart', () => {
    expect(isRather(coded(pictureOf(4)), pictureOf(4), pictureOf(3))).toBe(true);
    expect(isRather(coded(pictureOf(3)), pictureOf(4), pictureOf(3))).toBe(false);
    expect(isRather(coded(pictureOf(3)), coded(pictureOf(3), 1), pictureOf(3))).toBeNull();
  });

  test('of a mirror is mirrored back by another', () => {
    expect(mirrored(mirrored(pictureOf(5), ACROSS), ACROSS)).toEqual(pictureOf(5));
  });
});

const placed = (over: Partial<Placed> = {}): Placed => ({
  map: [
    { source: 0, in: [1, 3], out: [0, 2] },
    { source: 1, in: [0, 2], out: [2, 4] },
  ],
  frames: { sources: [FRAME, FRAME], made: FRAME },
  fades: { in: 0, out: 0 },
  ...over,
});

describe('anchors', () => {
  test('stand at both ends of each part and in its middle', () => {
    const anchors = anchorsOf(placed());
    expect(anchors.map(({ part, source }) => [part, source])).toEqual([
      ...[0, 0, 0].map((part) => [part, 0]),
      ...[1, 1, 1].map((part) => [part, 1]),
    ]);
    const [first, , last] = anchors;
    expect(first?.made[0]).toBeCloseTo(-FRAME / 2);
    expect(last?.made[1]).toBeCloseTo(2 - FRAME / 2);
    expect(first?.from[0]).toBeLessThan(1 - 2 * FRAME);
  });

  test('leave out what is mixed with another part, and what fades', () => {
    const map = placed().map.with(1, { source: 1, in: [0, 2.5], out: [1.5, 4] });
    const parts = partsOf(placed({ map, fades: { in: 0.5, out: 0.25 } }));
    expect(parts.map(({ in: [from], out }) => [from, ...out])).toEqual([
      [1.5, 0.5, 1.5],
      [0.5, 2, 3.75],
    ]);
  });

  test('are few where joints are many, the first and the last among them', () => {
    const map = Array.from({ length: 100 }, (_, at) => ({
      source: 0,
      in: [2 * at, 2 * at + 1] as [number, number],
      out: [at, at + 1] as [number, number],
    }));
    const parts = new Set(anchorsOf(placed({ map })).map(({ part }) => part));
    expect(parts.size).toBeLessThan(10);
    expect([parts.has(0), parts.has(99)]).toEqual([true, true]);
  });

  test('stand where they are asked for', () => {
    const [anchor] = anchorsAt(placed(), [2.5]);
    expect(anchor).toMatchObject({ part: 1, source: 1 });
    expect(anchorsAt(placed(), [5])).toEqual([]);
  });
});

/** What is seen of a result whose n-th frame shows that frame of its source. */
function sightsOf(shown: (frame: number) => number, over: Partial<Placed> = {}): Sight[] {
  const all = (window: [number, number], picture: (frame: number) => number) =>
    Array.from({ length: 120 }, (_, frame) => frame)
      .filter((frame) => frame * FRAME >= window[0] && frame * FRAME <= window[1])
      .map((frame) => ({ time: frame * FRAME, picture: coded(pictureOf(picture(frame)), 1) }));
  return anchorsOf(placed(over)).map((anchor) => ({
    anchor,
    made: all(anchor.made, shown),
    from: all(anchor.from, (frame) => frame),
    copied: null,
  }));
}

const verdictOn = (
  sights: Sight[],
  over: Partial<Placed> = {},
  unsure: Partial<Pick<Judging, 'grid' | 'overlaid'>> = {},
) =>
  judged(sights, {
    parts: partsOf(placed(over)),
    frames: placed(over).frames,
    grid: [false, false],
    overlaid: [],
    across: ACROSS,
    ...unsure,
  });

/** Frame n of the result is n + 30 of the first source, then n − 60 of the second. */
const right = (frame: number) => (frame < 60 ? frame + 30 : frame - 60);

describe('a result', () => {
  test('with the frames that were planned is proven', () => {
    const { problem, frames } = verdictOn(sightsOf(right));
    expect(problem).toBeNull();
    expect(frames).toBeGreaterThanOrEqual(18);
  });

  test.each<[string, (frame: number) => number]>([
    ['a frame late', (frame) => right(frame) - 1],
    ['a frame early', (frame) => right(frame) + 1],
    ['frozen at its beginning', (frame) => right(Math.max(2, frame))],
    ['frozen at a joint', (frame) => right(frame === 60 ? 59 : frame)],
    ['with its parts swapped', (frame) => right((frame + 60) % 120)],
    ['of one source alone', (frame) => frame + 30],
  ])('that is %s is refused', (_, shown) => {
    expect(verdictOn(sightsOf(shown)).problem).toMatch(/^At \d/);
  });

  test('is not judged where something is drawn over it, or where frames are put at even distances', () => {
    const late = sightsOf((frame) => right(frame) - 1);
    expect(verdictOn(late, {}, { overlaid: [[0, 4]] }).problem).toBeNull();
    expect(verdictOn(late, {}, { grid: [true, true] }).problem).toBeNull();
    expect(verdictOn(late, {}, { overlaid: [[0, 1]], grid: [false, true] }).problem).toMatch(/^At \d/);
  });

  /** The same with frames that differ by less than what a good encoder leaves out. */
  const faint = (shown: (frame: number) => number) =>
    sightsOf(shown).map((sight) => {
      const still = (seen: Sight['made'], of: (time: number) => number) =>
        seen.map(({ time }) => {
          const low = pictureOf(0).map((level) => level);
          const at = of(Math.round(time / FRAME));
          return { time, picture: low.map((level, cell) => level + (cell % 97 === at % 97 ? 12 : 0)) };
        });
      return { ...sight, made: still(sight.made, shown), from: still(sight.from, (frame) => frame) };
    });

  test('may repeat a frame that hardly differs from the next one, but not be late by one everywhere', () => {
    expect(verdictOn(faint(right)).problem).toBeNull();
    expect(verdictOn(faint((frame) => right(frame === 30 ? 29 : frame))).problem).toBeNull();
    expect(verdictOn(faint((frame) => right(frame) - 1)).problem).toMatch(/^At \d/);
  });

  test.each([
    ['first', 61],
    ['second', 60],
  ])('may show the %s of two parts that meet in the middle of a frame', (_, begin) => {
    const joint = 2 + FRAME / 2;
    const map: Placed['map'] = [
      { source: 0, in: [1, 1 + joint], out: [0, joint] },
      { source: 1, in: [0, 1.9], out: [joint, joint + 1.9] },
    ];
    const shown = (frame: number) => (frame < begin ? frame + 30 : frame - begin);
    expect(verdictOn(sightsOf(shown, { map }), { map }).problem).toBeNull();
    const late = (frame: number) => shown(frame < begin ? frame : frame + 1);
    expect(verdictOn(sightsOf(late, { map }), { map }).problem).toMatch(/^(At \d|The output lacks)/);
  });

  test.each([
    ['up to 0.3 frames early', 0.3, null],
    ['a frame later', -0.7, /^At \d/],
  ])('of clips at nearly the rate of the result may show frames %s', (_, early, problem) => {
    const own = 1.001 / 30;
    const over = {
      map: [{ source: 0, in: [0, 25], out: [0, 25] }] as Placed['map'],
      frames: { sources: [own], made: FRAME },
    };
    const all = (window: [number, number], step: number, picture: (frame: number) => number) =>
      Array.from({ length: 760 }, (_, frame) => frame)
        .filter((frame) => frame * step >= window[0] && frame * step <= window[1])
        .map((frame) => ({ time: frame * step, picture: coded(pictureOf(picture(frame)), 1) }));
    const shown = (frame: number) => Math.max(0, Math.floor((frame * FRAME) / own + early + 1e-6));
    const sights = anchorsOf(placed(over)).map((anchor) => ({
      ...{ anchor, copied: null, made: all(anchor.made, FRAME, shown) },
      from: all(anchor.from, own, (frame) => frame),
    }));
    const found = verdictOn(sights, over, { grid: [false] }).problem;
    if (problem === null) expect(found).toBeNull();
    else expect(found).toMatch(problem);
  });

  test('without its last frame is refused', () => {
    const sights = sightsOf(right).map((sight) => ({
      ...sight,
      made: sight.made.filter(({ time }) => time < 119 * FRAME - 0.01),
    }));
    expect(verdictOn(sights).problem).toBe('The output lacks the frame of the source at 1.967 s.');
  });

  test('whose packets are those of other frames is refused, and proven where they are the same', () => {
    const copied = (late: number) =>
      sightsOf(right).map((sight) => ({
        ...sight,
        made: [],
        copied: sight.made.map(({ time }) => {
          const [from] = placed().map[sight.anchor.part]?.in ?? [0];
          const [out] = placed().map[sight.anchor.part]?.out ?? [0];
          return { time, from: [from + time - out - late] };
        }),
      }));
    expect(verdictOn(copied(0)).problem).toBeNull();
    expect(verdictOn(copied(FRAME)).problem).toMatch(/^At \d.* shows the source at/);
  });
});

test('frames that stand still are where packets are small, not where all of them are', () => {
  const packets = (size: (at: number) => number) =>
    Array.from({ length: 60 }, (_, at) => ({ time: at * FRAME, bytes: size(at), key: at % 30 === 0 }));
  expect(stillRuns(packets((at) => (at > 20 && at < 29 ? 30 : 900)))).toEqual([25 * FRAME]);
  expect(stillRuns(packets(() => 30))).toEqual([]);
  expect(stillRuns(packets((at) => (at % 2 ? 30 : 900)))).toEqual([]);
});

describe('the sound of a passage', () => {
  const BESIDE = 200;
  const voice = (at: number) => Math.sin(at * 0.11 + 8 * Math.sin(at / 90)) * (1 + Math.sin(at / 37));
  const sound = (samples: number, of: (at: number) => number) =>
    Float32Array.from({ length: samples }, (_, at) => of(at));
  const from = (of: (at: number) => number) => sound(1000 + 2 * BESIDE, (at) => of(at - BESIDE));

  test.each([0, 3, 80, -80, 200, -200])('is found %i samples late', (late) => {
    const made = sound(1000, (at) => -0.3 * voice(at - late));
    const lag = soundLag({ made: made.map((level) => -level), from: from(voice), beside: BESIDE }, 30);
    expect(lag).toMatchObject({ samples: late, likeness: expect.closeTo(1, 3) });
    if (Math.abs(late) > 30) expect(lag?.due).toBeLessThan(0.8);
    else expect(lag?.due).toBeCloseTo(1, 3);
  });

  test('tells nothing where it is silent', () => {
    expect(soundLag({ made: sound(1000, () => 0), from: from(voice), beside: BESIDE }, 30)).toBeNull();
  });

  // Shifted by parts of a sample, a peak lies between samples.
  test.each([
    [0.7, 100],
    [0.9, 0.45],
    [1.57, 0.45],
    [2.3, 0.45],
    [2.9, 0.45],
  ])('is where it should be as well, if it is a tone of %d a sample', (pitch, late) => {
    const tone = (at: number) => Math.sin(at * pitch);
    const lag = soundLag(
      { made: sound(1000, (at) => tone(at - late)), from: from(tone), beside: BESIDE },
      30,
    );
    expect(lag?.due).toBeGreaterThan(0.98);
  });
});
