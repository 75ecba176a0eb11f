/** How the voices that need no engine of their own are made of any voice: semitones by which pitch and formants move. */
export const voicePresets = {
  deep: { title: 'Deeper', pitch: -4, formant: -1 },
  bright: { title: 'Brighter', pitch: 3, formant: 1.5 },
  masculine: { title: 'More masculine', pitch: -7, formant: -2.5 },
  feminine: { title: 'More feminine', pitch: 7, formant: 2.5 },
  child: { title: 'A child', pitch: 10, formant: 4.5 },
  giant: { title: 'A giant', pitch: -9, formant: -5 },
} as const satisfies Record<string, { title: string; pitch: number; formant: number }>;

type VoicePreset = keyof typeof voicePresets;

export const isVoicePreset = (id: string): id is VoicePreset => Object.hasOwn(voicePresets, id);

/** Semitones of formants that `formant: 1` asks for. */
export const FORMANT_SEMITONES = 4;
