import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTimeline } from '../../../../schema/otio/document.ts';
import { clip, gap, range, timeline, track } from './otio-documents.ts';

/** A name for each frame of the picture: its file and its number there. Null for none. */
function framesOf(document: unknown): (string | null)[] {
  const { timeline: read, faults } = readTimeline(document);
  expect(faults).toEqual([]);
  return (read?.picture?.items ?? []).flatMap((item) => {
    if (item.kind === 'transition') throw new Error('there is none');
    const of = (index: number) =>
      item.kind === 'clip' ? `${item.names[0]} ${(item.start?.value ?? 0) + index}` : null;
    return Array.from({ length: item.duration?.value ?? 0 }, (_, index) => of(index));
  });
}

/** Clips of a file and gaps. */
const childrenOf = (file: string) =>
  fc.array(
    fc
      .tuple(fc.boolean(), fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 40 }))
      .map(([isClip, start, frames]) =>
        isClip ? clip({ source_range: range(start, frames) }, file) : gap(frames),
      ),
    { minLength: 1, maxLength: 8 },
  );

test('a range of a track shows the frames that it shows of the whole track', () => {
  fc.assert(
    fc.property(
      childrenOf('one.mov'),
      fc.integer({ min: -20, max: 330 }),
      fc.integer({ min: 1, max: 350 }),
      (children, from, many) => {
        // The clip before it keeps the track from being empty.
        const whole = framesOf(timeline(track([clip(), ...children]))).slice(20);
        const nested = track(children, { source_range: range(from, many) });
        const shown = framesOf(timeline(track([clip(), nested]))).slice(20);
        const isOther = many === whole.length && (from >= whole.length || from + many <= 0);
        const expected = Array.from({ length: many }, (_, i) => whole[from + i] ?? null);
        expect(shown).toEqual(isOther ? whole : expected);
      },
    ),
  );
});

test('several video tracks show each frame of the uppermost that has one there', () => {
  fc.assert(
    fc.property(childrenOf('one.mov'), childrenOf('two.mov'), childrenOf('three.mov'), (...all) => {
      // The clip after it keeps each track from being empty.
      const tracks = all.map((children) => track([...children, clip({}, 'last.mov')]));
      const each = tracks.map((one) => framesOf(timeline(one)));
      const length = Math.max(...each.map((frames) => frames.length));
      const expected = Array.from({ length }, (_, at) =>
        each.reduce<string | null>((below, frames) => frames[at] ?? below, null),
      );
      expect(framesOf(timeline(...tracks))).toEqual(expected);
    }),
  );
});
