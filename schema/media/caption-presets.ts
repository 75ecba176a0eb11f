/** Looks of captions that are drawn into the picture. */
export const captionPresets = {
  clean: 'White letters with a thin dark outline',
  karaoke: 'Each word fills with colour while it is spoken',
  highlight: 'The spoken word takes the highlight colour',
  word_pop: 'Large capitals; the spoken word jumps up in the highlight colour',
  bold_box: 'Black capitals on a box of full colour',
  pill: 'A rounded pill of colour behind the spoken word',
  neon: 'Bright letters that glow',
  minimal: 'Small, light letters with a soft shadow',
  broadcast: 'White letters on a dark, half-transparent box, as television has them',
  typewriter: 'Letters of one width that appear as they are spoken',
} as const;

export type CaptionPreset = keyof typeof captionPresets;

export const captionPresetNames = Object.keys(captionPresets) as [CaptionPreset, ...CaptionPreset[]];

/** Families that are installed beside the transcoder; what they lack is taken from the Noto families. */
export const captionFonts = ['Inter', 'Lato', 'Bebas Neue', 'Noto Sans', 'DejaVu Sans Mono'] as const;
export type CaptionFont = (typeof captionFonts)[number];
