import { describe, expect, it } from 'vitest';
import { textOfTrack } from '../../../transcoder/operations/plan/tracks/text-of-track.ts';

const cue = (start: number, end: number, text: string) => ({ start, end, text });

/** The cues of a SubRip text, as `start-end text`. */
const shownIn = (text: string) =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const [, times = '', ...lines] = block.trimEnd().split('\n');
      const [start, end] = times
        .split(' --> ')
        .map((time) => Number(time.slice(3, 5)) * 60 + Number(time.slice(6).replace(',', '.')));
      return `${start}-${end} ${lines.join('|')}`;
    });

describe('texts that are shown at the same time', () => {
  it.each([
    ['one within another', [cue(0, 5, 'a'), cue(1, 2, 'b')], ['0-1 a', '1-2 a|b', '2-5 a']],
    ['two that begin together', [cue(6, 7, 'a'), cue(6, 7.5, 'b')], ['6-7 a|b', '7-7.5 b']],
    ['the same text twice, as in layers', [cue(0, 1, 'a'), cue(0, 1, 'a'), cue(1, 2, 'a')], ['0-2 a']],
    ['one after another', [cue(0, 1, 'a'), cue(1, 2, 'b'), cue(3, 4, 'b')], ['0-1 a', '1-2 b', '3-4 b']],
    ['less than a millisecond apart', [cue(0, 1.0004, 'a'), cue(1, 2, 'b')], ['0-1 a', '1-2 b']],
  ])('are one text in mp4: %s', (_, cues, expected) => {
    expect(shownIn(textOfTrack(cues, 'mov_text'))).toEqual(expected);
    expect(shownIn(textOfTrack(cues, 'subrip'))).toHaveLength(cues.length);
  });

  it('are the latest eight of a drawn sign, in linear time', () => {
    const cues = Array.from({ length: 50_000 }, (_, index) => cue(index / 100, 1000, `${index}`));
    const shown = shownIn(textOfTrack(cues, 'mov_text'));
    expect(shown[100]).toBe('1-1.01 93|94|95|96|97|98|99|100');
    expect(shown).toHaveLength(50_000);
  });
});
