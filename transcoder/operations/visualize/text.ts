import type { Letters } from '../../model/letters.ts';
import { hundredth } from '../plan/captions/ass-drawing.ts';
import { escaped } from '../plan/captions/ass-text.ts';
import { directed } from '../plan/captions/row-direction.ts';
import type { Size } from '../plan/geometry.ts';
import { type Layout, LINE_HEIGHT, type VisualizeInput } from './layout.ts';
import { type TitleKind, typefaceOf } from './title-wrapping.ts';

/**
 * The text as a subtitle file with one event per line. libass shapes and orders the letters as their script requires.
 * http://www.tcax.org/docs/ass-specs.htm
 */
export function titleScript(
  text: NonNullable<Layout['text']>,
  frame: Size,
  input: VisualizeInput,
  letters: Letters,
): string {
  const backed = input.video_url !== undefined || input.image_url !== undefined;
  const dark = !backed && lightness(input.background_color) > 0.55;
  const [ink, shadow] = dark ? ['&H101010&', '&HFFFFFF&'] : ['&HFFFFFF&', '&H000000&'];
  const anchor = text.align === 'left' ? 7 : 8;
  const events = text.lines.flatMap(({ kind, lines, size, y }) =>
    directed(lines).map((line, index) => {
      const top = Math.round(y + index * size * LINE_HEIGHT);
      const tags = [
        `\\an${anchor}\\pos(${Math.round(text.x)},${top})`,
        `\\1c${ink}\\3c${shadow}\\1a&H${kind === 'title' ? '00' : backed ? '18' : '48'}&`,
        backed
          ? `\\bord${(size / 18).toFixed(1)}\\shad0\\3a&H78&\\blur${(size / 14).toFixed(1)}`
          : '\\bord0\\shad0',
        `\\b${kind === 'title' ? 700 : 400}`,
      ];
      return `Dialogue: 0,0:00:00.00,9:59:59.99,Text,,0,0,0,,{${tags.join('')}}${inFonts(line, kind, size, letters)}`;
    }),
  );
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${frame.width}`,
    `PlayResY: ${frame.height}`,
    'ScaledBorderAndShadow: yes',
    'YCbCr Matrix: TV.709',
    'WrapStyle: 2',
    '',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, BackColour, Bold, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
    `Style: Text,${typefaceOf('title').font},40,&H00FFFFFF,&H00000000,0,1,0,0,7,0,0,0,-1`,
    '',
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    ...events,
    '',
  ].join('\n');
}

/** A line in the fonts that it was measured with. */
function inFonts(line: string, kind: TitleKind, size: number, letters: Letters): string {
  return letters
    .lineOf(line, typefaceOf(kind))
    .runs.map((run) => {
      const high = hundredth(run.size * size * LINE_HEIGHT);
      return `{\\fn${run.family}\\fs${high}}${escaped(line.slice(run.from, run.to))}`;
    })
    .join('');
}

function lightness(color: string): number {
  const at = (index: number) => Number.parseInt(color.slice(index, index + 2), 16) / 255;
  return 0.2126 * at(1) + 0.7152 * at(3) + 0.0722 * at(5);
}
