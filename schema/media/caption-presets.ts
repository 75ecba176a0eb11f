/** Styles of burnt-in captions. */
export const captionPresets = {
  clean: 'White text with a thin dark outline',
  karaoke: 'Each word fills with color while it is spoken',
  highlight: 'The current word changes to the highlight color',
  word_pop: 'Large capitals; the current word pops up in the highlight color',
  bold_box: 'Black capitals on a solid colored box',
  pill: 'A rounded colored pill behind the current word',
  neon: 'Bright glowing text',
  minimal: 'Small, light text with a soft shadow',
  broadcast: 'White text on a dark, semi-transparent box, as on television',
  typewriter: 'Monospaced text that appears letter by letter as it is spoken',
  impact: 'Capitals with a thick outline; the current word pops up, in yellow, green and red in turn',
  comic: 'Narrow yellow capitals with a thick black outline; the current word is white',
  candy: 'White text with a purple outline; the current word pops up in yellow',
  marker: 'The current word in black on a yellow marker',
  podcast: 'White text on a dark box; the current word is yellow',
  paper: 'Dark text on a white box; the current word is magenta',
  news: 'White capitals on a solid red box',
  terminal: 'Green monospaced text on a black box that appears as it is spoken',
  cinema: 'White serif text with a soft shadow, as in films',
  elegant: 'Ivory serif text; the current word is gold',
} as const;

export type CaptionPreset = keyof typeof captionPresets;

export const captionPresetNames = Object.keys(captionPresets) as [CaptionPreset, ...CaptionPreset[]];

/** Presets whose captions are `punch` in upright video unless the request says otherwise. */
export const punchPresets: readonly CaptionPreset[] = [
  ...(['highlight', 'word_pop', 'pill', 'neon', 'impact', 'comic', 'candy', 'marker'] as const),
];

/** Most words of a `punch` caption. */
export const PUNCH_WORDS = 4;

/** Line height of `punch` captions, in percent of the shorter side of the picture. */
export const PUNCH_SIZE = { least: 8, most: 11 } as const;

/** How captions appear. */
export const captionEntrances = {
  none: 'at once',
  fade: 'fades in',
  pop: 'grows and overshoots a little',
  slide_up: 'moves up into its place',
  bounce: 'grows and swings around its size',
  blur: 'becomes sharp',
} as const;

export type CaptionEntrance = keyof typeof captionEntrances;

export const captionEntranceNames = Object.keys(captionEntrances) as [CaptionEntrance, ...CaptionEntrance[]];

/** Font families that come with the transcoder, from npm's packages. */
export const packagedFonts = [
  'Montserrat',
  'Poppins',
  'Oswald',
  'Fredoka',
  'Playfair Display',
  'Roboto Slab',
  'Anton',
  'Archivo Black',
  'Bangers',
  'Luckiest Guy',
  'Permanent Marker',
  'Titan One',
] as const;
export type PackagedFont = (typeof packagedFonts)[number];

export const isPackaged = (family: string): family is PackagedFont =>
  (packagedFonts as readonly string[]).includes(family);

/** Font families of captions; those before the packaged ones are Debian's. Missing glyphs come from the Noto families. */
export const captionFonts = [
  'Inter',
  'Lato',
  'Bebas Neue',
  'Noto Sans',
  'Noto Serif',
  'DejaVu Sans Mono',
  ...packagedFonts,
] as const;
export type CaptionFont = (typeof captionFonts)[number];
