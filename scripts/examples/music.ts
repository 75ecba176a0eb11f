/** Three seconds of a small band, with each instrument at its position between left and right. */
export const RATE = 48_000;
export const SECONDS = 3;

const BEAT = 0.5;
/** One second each: A minor, F, G. */
const chords = [
  [220, 261.63, 329.63],
  [174.61, 220, 261.63],
  [196, 246.94, 293.66],
];

interface Instrument {
  /** 0 is left, 1 is right. */
  place: number;
  level: number;
  /** Amplitude (−1 to 1) at a time in seconds. */
  plays: (at: number, chord: readonly number[]) => number;
}

const sine = (frequency: number, at: number) => Math.sin(2 * Math.PI * frequency * at);

const drum: Instrument = {
  place: 0.4,
  level: 0.5,
  plays: (at) => {
    const since = at % BEAT;
    return Math.exp(-13 * since) * sine(46 + 70 * Math.exp(-32 * since), since);
  },
};

const bass: Instrument = {
  place: 0.65,
  level: 0.22,
  plays: (at, [root = 0]) => {
    const since = at % (BEAT / 2);
    return Math.exp(-5 * since) * (sine(root / 2, at) + 0.4 * sine(root, at));
  },
};

const organ = (place: number, shift: number): Instrument => ({
  place,
  level: 0.1,
  plays: (at, chord) => {
    const swell = 0.7 + 0.3 * sine(2, at + shift);
    return (
      swell * chord.reduce((sum, note) => sum + sine(note + shift, at) + 0.3 * sine(2 * note + shift, at), 0)
    );
  },
});

const harp = (place: number, offset: number): Instrument => ({
  place,
  level: 0.2,
  plays: (at, chord) => {
    const step = Math.floor(at / (BEAT / 4));
    if (step % 2 !== offset) return 0;
    const note = (chord[step % chord.length] ?? 0) * 4;
    const since = at % (BEAT / 4);
    return (
      Math.exp(-12 * since) * (sine(note, since) + 0.5 * sine(2 * note, since) + 0.2 * sine(3 * note, since))
    );
  },
});

/** Noise that is identical in every run. */
function cymbal(): Instrument {
  let state = 1;
  return {
    place: 0.25,
    level: 0.3,
    plays: (at) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.exp(-20 * ((at + BEAT / 2) % BEAT)) * (state / 2 ** 31 - 1);
    },
  };
}

/** Interleaved stereo as 32-bit floats. */
export function music(): Float32Array {
  const band = [drum, bass, organ(0.1, 0.4), organ(0.9, -0.4), harp(0.15, 0), harp(0.85, 1), cymbal()];
  const samples = new Float32Array(2 * RATE * SECONDS);
  for (let index = 0; index < RATE * SECONDS; index++) {
    const at = index / RATE;
    const chord = chords[Math.floor(at)] ?? [];
    const end = Math.min(1, (SECONDS - at) / 0.1);
    let [left, right] = [0, 0];
    for (const { place, level, plays } of band) {
      const heard = level * end * plays(at, chord);
      left += heard * Math.cos((place * Math.PI) / 2);
      right += heard * Math.sin((place * Math.PI) / 2);
    }
    samples[2 * index] = Math.tanh(left);
    samples[2 * index + 1] = Math.tanh(right);
  }
  return samples;
}
