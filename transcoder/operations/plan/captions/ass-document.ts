import { assColor } from './ass-color.ts';
import { hundredth } from './ass-drawing.ts';
import { eventsOf, isDrawnByWord } from './ass-events.ts';
import { overrides } from './ass-override.ts';
import type { CaptionEvent, Drawn } from './layout.ts';
import { alignmentOf } from './safe-area.ts';
import { type CaptionCue, wordsOf } from './segmentation.ts';

const digits = (value: number) => String(value).padStart(2, '0');

/** ASS times have a resolution of 10 ms. */
function timeText(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const [hours, minutes] = [Math.floor(hundredths / 360_000), Math.floor(hundredths / 6000) % 60];
  return `${hours}:${digits(minutes)}:${digits(Math.floor(hundredths / 100) % 60)}.${digits(hundredths % 100)}`;
}

/** An Advanced SubStation Alpha document with the captions, at the resolution of the picture. */
export function assText(cues: readonly CaptionCue[], drawn: Drawn): string {
  const { look, place, line } = drawn;
  const { width, height } = place.picture;
  const pixels = (share: number) => hundredth(share * line);
  const margin = place.vertical === 'top' ? place.top : place.bottom;
  const style = (outline: [string, number], back: [string, number]) =>
    [
      'Style: Caption',
      ...[look.font, pixels(1), assColor(look.color), assColor(look.color, look.effect === 'type' ? 0 : 1)],
      ...[outline[0], back[0], look.bold ? -1 : 0, 0, 0, 0, 100, 100, pixels(look.spacing), 0],
      ...[1, outline[1], back[1], alignmentOf(place), place.left, place.right, margin, -1],
    ].join(',');
  const { outline, shadow } = look;
  const soft: [string, number] = [assColor('#000000', 0.6), pixels(shadow)];
  const head = [
    '[Script Info]',
    ...['ScriptType: v4.00+', `PlayResX: ${width}`, `PlayResY: ${height}`],
    ...['ScaledBorderAndShadow: yes', 'WrapStyle: 2', 'Kerning: yes', 'YCbCr Matrix: None', ''],
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
    style([assColor(outline.color), pixels(outline.width)], soft),
    '',
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
  ];
  const events = cues.flatMap((cue, index) => eventsOf(cue, inTurn(drawn, index))).map(eventText);
  return `${[...head, ...events].join('\n')}\n`;
}

/** How many words the document has that are drawn again for each word of their caption. */
export const wordsDrawnAgain = (cues: readonly CaptionCue[], drawn: Drawn): number =>
  cues.reduce((sum, cue, index) => {
    const words = wordsOf(cue);
    return isDrawnByWord(words, inTurn(drawn, index).look) ? sum + words.length ** 2 : sum;
  }, 0);

/** With the highlight color of a caption. */
function inTurn(drawn: Drawn, index: number): Drawn {
  const { look } = drawn;
  const highlight = look.highlights[index % look.highlights.length] ?? look.highlight;
  return { ...drawn, look: { ...look, highlight } };
}

function eventText(event: CaptionEvent): string {
  const { layer, start, end, margin, text } = event;
  const times = `${timeText(start)},${timeText(end)}`;
  return `Dialogue: ${layer},${times},Caption,,0,0,${margin},,${overrides(event)}${text}`;
}
