import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { voicePresets } from '../../../schema/media/voice-presets.ts';
import { presetShift } from '../../../transcoder/media/voice/rubberband.ts';

const madeOf = (name: keyof typeof voicePresets, heard: number) => {
  const shift = presetShift(voicePresets[name], heard);
  return { ...shift, hertz: heard * 2 ** (shift.pitch / 12) };
};

describe('a preset', () => {
  it.each([
    ['feminine', 120, 7, 180],
    ['feminine', 90, 10.5, 165],
    ['feminine', 220, 1.1, 235],
    ['feminine', 260, 0, 260],
    ['masculine', 110, -4.5, 85],
    ['masculine', 210, -8.3, 130],
    ['child', 100, 12, 200],
    ['giant', 60, -1.5, 55],
    ['deep', 110, -4, 87],
    ['bright', 270, 0.6, 280],
  ] as const)('%s shifts a voice of %d Hz by %d semitones, to %d Hz', (name, heard, semitones, hertz) => {
    const made = madeOf(name, heard);
    expect(made.pitch).toBeCloseTo(semitones, 0);
    expect(Math.abs(made.hertz - hertz)).toBeLessThan(3);
  });

  it('never shifts the other way or by more than an octave, and ends in its range or as near as that allows', () => {
    const names = fc.constantFrom(...(Object.keys(voicePresets) as (keyof typeof voicePresets)[]));
    fc.assert(
      fc.property(names, fc.integer({ min: 50, max: 500 }), (name, heard) => {
        const { pitch, formant, range } = voicePresets[name];
        const made = madeOf(name, heard);
        expect(made.pitch * Math.sign(pitch)).toBeGreaterThanOrEqual(0);
        expect(Math.abs(made.pitch)).toBeLessThanOrEqual(12);
        expect(Math.abs(made.formant)).toBeLessThanOrEqual(Math.abs(formant) + 1e-9);
        expect(made.formant * formant).toBeGreaterThan(0);
        const inside = made.hertz >= range[0] - 1e-6 && made.hertz <= range[1] + 1e-6;
        if (!inside) expect([0, 12]).toContainEqual(Math.round(Math.abs(made.pitch) * 1e6) / 1e6);
      }),
    );
  });

  it('shifts by its usual amount where no pitch was heard', () => {
    expect(presetShift(voicePresets.deep, null)).toEqual({ pitch: -4, formant: -1 });
  });
});
