import type { CaptionPreset } from '../../../../schema/media/caption-presets.ts';
import type { OperationInput } from '../../../../schema/operations/index.ts';
import { BROUGHT_FONT, type FontFamily, type Letters } from '../../../model/letters.ts';
import { hasOwnFile } from './caption-font.ts';
import { farFrom, readableIn } from './contrast.ts';

type Input = OperationInput<'captions_auto'>;

/** How captions are drawn. Lengths are relative to the line height. */
export interface Look {
  font: FontFamily;
  bold: boolean;
  /** Line height in percent of the shorter side of the picture. */
  size: number;
  /** The same in `punch` captions, within `PUNCH_SIZE`. */
  punch: number;
  color: string;
  highlight: string;
  /** Colors that captions highlight with in turn; only `highlight` if there are none. */
  highlights: readonly string[];
  outline: { color: string; width: number };
  /** Blur of outline and shadow; 0 is sharp. */
  softness: number;
  /** Shadow offset. */
  shadow: number;
  background: { color: string; opacity: number } | null;
  letterCase: 'as_is' | 'upper' | 'lower';
  /** Highlighting of the spoken word. */
  effect: 'none' | 'fill' | 'color' | 'pop' | 'pill' | 'glow' | 'type';
  /** Letter spacing. */
  spacing: number;
}

const white = '#FFFFFF';
const black = '#000000';
const ink = '#101014';

const base: Look = {
  ...{ font: 'Inter', bold: true, size: 6.2, punch: 11, color: white, highlight: '#FFD60A' },
  ...{ outline: { color: ink, width: 0.05 }, shadow: 0.03, background: null },
  ...{ highlights: [], letterCase: 'as_is', effect: 'none', spacing: 0, softness: 0 },
};

const looks: Record<CaptionPreset, Look> = {
  clean: base,
  karaoke: { ...base, size: 6.6, effect: 'fill', highlight: '#FFC400', outline: { color: ink, width: 0.06 } },
  highlight: { ...base, size: 6.8, effect: 'color', outline: { color: ink, width: 0.07 } },
  word_pop: {
    ...{ ...base, font: 'Bebas Neue', size: 11, effect: 'pop', highlight: '#3DFF8B', letterCase: 'upper' },
    ...{ outline: { color: ink, width: 0.06 }, spacing: 0.01 },
  },
  bold_box: {
    ...{ ...base, size: 6.6, color: ink, letterCase: 'upper', shadow: 0 },
    ...{ outline: { color: ink, width: 0 }, background: { color: '#FFE14D', opacity: 1 } },
  },
  pill: { ...base, size: 7, effect: 'pill', highlight: '#6D4AFF', outline: { color: ink, width: 0.04 } },
  neon: {
    ...{ ...base, size: 7, effect: 'glow', color: '#F4FFFF', highlight: '#16E0FF', shadow: 0 },
    outline: { color: '#06304A', width: 0.05 },
  },
  minimal: {
    ...{ ...base, font: 'Lato', bold: false, size: 5.2, punch: 9, outline: { color: ink, width: 0.075 } },
    ...{ shadow: 0.03, softness: 0.05 },
  },
  broadcast: {
    ...{ ...base, font: 'Lato', size: 6, shadow: 0, outline: { color: black, width: 0 } },
    background: { color: black, opacity: 0.72 },
  },
  typewriter: {
    ...{ ...base, font: 'DejaVu Sans Mono', bold: false, size: 5.2, punch: 9, effect: 'type', shadow: 0 },
    ...{ outline: { color: black, width: 0 }, background: { color: '#14161A', opacity: 0.76 } },
  },
  impact: {
    ...{ ...base, size: 7.4, punch: 10, effect: 'pop', letterCase: 'upper', shadow: 0.05 },
    ...{ outline: { color: black, width: 0.1 }, highlights: ['#FFD60A', '#3DFF8B', '#FF6B6B'] },
  },
  comic: {
    ...{ ...base, font: 'Bebas Neue', size: 10, effect: 'color', color: '#FFE14D', highlight: white },
    ...{ letterCase: 'upper', outline: { color: black, width: 0.09 }, shadow: 0.05, spacing: 0.01 },
  },
  candy: {
    ...{ ...base, size: 7.2, effect: 'pop', highlight: '#FFF04D', shadow: 0.04 },
    outline: { color: '#5B1A8C', width: 0.09 },
  },
  marker: { ...base, size: 7, effect: 'pill', highlight: '#FFE14D' },
  podcast: {
    ...{ ...base, size: 6, effect: 'color', shadow: 0, outline: { color: black, width: 0 } },
    background: { color: '#14161A', opacity: 0.86 },
  },
  paper: {
    ...{ ...base, size: 6, effect: 'color', color: ink, highlight: '#B4005A', shadow: 0 },
    ...{ outline: { color: white, width: 0 }, background: { color: white, opacity: 0.96 } },
  },
  news: {
    ...{ ...base, font: 'Lato', size: 6.4, letterCase: 'upper', shadow: 0, spacing: 0.01 },
    ...{ outline: { color: black, width: 0 }, background: { color: '#B8121A', opacity: 1 } },
  },
  terminal: {
    ...{ ...base, font: 'DejaVu Sans Mono', size: 5, punch: 9, effect: 'type', color: '#5CFF8F', shadow: 0 },
    ...{ outline: { color: black, width: 0 }, background: { color: black, opacity: 0.9 } },
  },
  cinema: {
    ...{
      ...base,
      font: 'Noto Serif',
      bold: false,
      size: 7.2,
      punch: 10,
      outline: { color: ink, width: 0.065 },
    },
    ...{ shadow: 0.03, softness: 0.03, spacing: 0.005 },
  },
  elegant: {
    ...{ ...base, font: 'Noto Serif', size: 7.2, effect: 'color', color: '#FFF6E0', highlight: '#F2C14E' },
    ...{ outline: { color: '#2A1A0A', width: 0.06 }, softness: 0.02 },
  },
};

/** A chosen font is at most so much larger or smaller than that of the preset. */
const LARGER = 2;

/** With capitals as high as in the font of the preset, where the request chooses a font of its own and no size. */
export function equallyLarge(
  { preset, style }: Pick<Input, 'preset' | 'style'>,
  look: Look,
  letters: Letters,
): Look {
  if (!hasOwnFile(look.font) || style.font_size_percent !== undefined) return look;
  const own = letters.capitals(look);
  if (own === 0) return look;
  const factor = Math.min(LARGER, Math.max(1 / LARGER, letters.capitals(looks[preset]) / own));
  const { outline } = look;
  // Pixels of the request stay what they are.
  const width = style.outline_px === undefined ? outline.width : outline.width / factor;
  return { ...look, size: look.size * factor, outline: { ...outline, width } };
}

/** The preset, with the request's overrides. @param line Line height in pixels for a percentage. */
export function lookOf(
  { preset, style }: Pick<Input, 'preset' | 'style'>,
  punch: boolean,
  line: (percent: number) => number,
): Look {
  const look = looks[preset];
  const size = style.font_size_percent ?? (punch ? look.punch : look.size);
  const { background } = look;
  return readable(style, {
    ...look,
    size,
    font: style.font_url === undefined ? (style.font_family ?? look.font) : BROUGHT_FONT,
    color: style.color ?? look.color,
    highlight: style.highlight_color ?? look.highlight,
    highlights: style.highlight_colors ?? (style.highlight_color === undefined ? look.highlights : []),
    letterCase: style.letter_case ?? look.letterCase,
    outline: {
      color: style.outline_color ?? look.outline.color,
      width: style.outline_px === undefined ? look.outline.width : style.outline_px / line(size),
    },
    background:
      background || style.background_color
        ? {
            color: style.background_color ?? background?.color ?? black,
            opacity: style.background_opacity ?? background?.opacity ?? 0.7,
          }
        : null,
  });
}

/** Width of the outline of letters whose color needs one, in line heights. */
export const OWN_OUTLINE = 0.05;

/** What the request leaves to the preset follows what it chooses, as far as the letters cannot be read otherwise. */
function readable({ outline_px, outline_color, ...style }: Input['style'], look: Look): Look {
  const chosen = [style.color, style.background_color, style.background_opacity, outline_color];
  if (outline_px === 0 || chosen.every((one) => one === undefined) || readableIn(look.color, look))
    return look;
  if (outline_color !== undefined)
    return style.color === undefined && !look.background ? { ...look, color: farFrom(outline_color) } : look;
  const width = Math.max(look.outline.width, OWN_OUTLINE);
  return { ...look, outline: { color: farFrom(look.color), width } };
}
