import { Motion } from '../motion.ts';
import { noteLooks, Spectrum } from '../spectrum.ts';
import type { MakeStyle } from '../stage.ts';

/** Nine octaves of semitones, starting at C1. https://en.wikipedia.org/wiki/Scientific_pitch_notation */
const C1 = 32.7032;
const NOTES = 108;
/** Share of the height used by the bars. Their trace uses the rest and scrolls through it in `TRACE_SECONDS`. */
const UPPER = 0.5;
const TRACE_SECONDS = 2.4;

const semitones = (index: number) => C1 * 2 ** (index / 12);

export const cqt: MakeStyle = ({ mask, scene, sound, box, unit, frame, endOf }) => {
  const bands = Array.from({ length: NOTES }, (_, index) => ({
    from: semitones(index - 0.5),
    to: semitones(index + 0.5),
  }));
  const spectrum = new Spectrum(sound, bands, { ...scene, looks: noteLooks });
  const motion = new Motion(NOTES, { frame, smoothing: scene.smoothing });
  const pitch = box.width / NOTES;
  const wide = Math.max(1, pitch * 0.72);
  const floor = Math.round(box.y + box.height * UPPER);
  const [columns, rows] = [
    Math.round(box.width),
    Math.round(box.y + box.height) - floor - Math.round(4 * unit),
  ];
  const trace = new Uint8Array(columns * rows);
  const scroll = Math.max(1, Math.round((rows * frame) / TRACE_SECONDS));
  const [before, after] = [new Float32Array(columns), new Float32Array(columns)];

  /** Current brightness of each column of the trace. */
  function glowing(into: Float32Array): void {
    for (let column = 0; column < columns; column++) {
      const place = ((column + 0.5) / columns) * NOTES;
      const note = Math.floor(place);
      const offCentre = Math.abs(place - note - 0.5) * 2;
      const level = Math.max(0, ((motion.levels[note] ?? 0) - 0.12) / 0.88);
      into[column] = 255 * level ** 1.25 * (1 - 0.75 * offCentre ** 3);
    }
  }

  function lengthen(): void {
    before.set(after);
    glowing(after);
    trace.copyWithin(scroll * columns, 0, (rows - scroll) * columns);
    for (let row = 0; row < Math.min(scroll, rows); row++) {
      const share = (row + 0.5) / scroll;
      for (let column = 0; column < columns; column++) {
        const [newer, older] = [after[column] ?? 0, before[column] ?? 0];
        trace[row * columns + column] = newer + (older - newer) * share;
      }
    }
  }

  return {
    glow: { reach: 20 * unit, strength: 0.4 },
    draw: (at) => {
      motion.follow(spectrum.measure(endOf(at)));
      lengthen();
      const left = Math.round(box.x);
      const top = floor + Math.round(4 * unit);
      for (let row = 0; row < rows; row++) {
        const share = (1 - row / rows) ** 1.1;
        const start = (top + row) * mask.width + left;
        for (let column = 0; column < columns; column++) {
          mask.pixels[start + column] = (trace[row * columns + column] ?? 0) * share;
        }
      }
      mask.roundRect(box.x, floor, box.x + box.width, floor + 1.4 * unit, 0.7 * unit, 0.5);
      for (let note = 0; note < NOTES; note++) {
        const height = (motion.levels[note] ?? 0) ** 1.1 * (floor - box.y - 2 * unit);
        if (height < 1) continue;
        const x = box.x + pitch * (note + 0.5);
        mask.roundRect(x - wide / 2, floor - height, x + wide / 2, floor, wide / 2, 1);
      }
    },
  };
};
