export interface PresetShift {
  /** Usual shift of pitch and formants, in semitones. */
  pitch: number;
  formant: number;
  /** The new voice has its median pitch in this range, in Hz, if a shift of at most an octave reaches it. */
  range: readonly [lowest: number, highest: number];
}

/** Presets that shift the pitch and formants of any voice; a voice that is high or low enough already is shifted less. */
export const voicePresets = {
  deep: { title: 'Deeper', pitch: -4, formant: -1, range: [65, 180] },
  bright: { title: 'Brighter', pitch: 3, formant: 1.5, range: [90, 280] },
  masculine: { title: 'More masculine', pitch: -7, formant: -2.5, range: [85, 130] },
  feminine: { title: 'More feminine', pitch: 7, formant: 2.5, range: [165, 235] },
  child: { title: 'Child', pitch: 10, formant: 4.5, range: [240, 320] },
  giant: { title: 'Giant', pitch: -9, formant: -5, range: [55, 85] },
} as const satisfies Record<string, PresetShift & { title: string }>;

type VoicePreset = keyof typeof voicePresets;

export const isVoicePreset = (id: string): id is VoicePreset => Object.hasOwn(voicePresets, id);

/** Formant shift of `formant: 1`, in semitones. */
export const FORMANT_SEMITONES = 4;
