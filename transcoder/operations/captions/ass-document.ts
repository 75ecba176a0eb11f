import { assColor } from './ass-color.ts';
import { type CaptionEvent, type Drawn, eventsOf } from './ass-events.ts';
import { enlargementOf, familyOf } from './fonts.ts';
import { alignmentOf } from './safe-area.ts';
import type { CaptionCue } from './segmentation.ts';
import { cueText } from './segmentation.ts';

const digits = (value: number) => String(value).padStart(2, '0');

/** ASS times have a resolution of 10 ms. */
function timeText(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const [hours, minutes] = [Math.floor(hundredths / 360_000), Math.floor(hundredths / 6000) % 60];
  return `${hours}:${digits(minutes)}:${digits(Math.floor(hundredths / 100) % 60)}.${digits(hundredths % 100)}`;
}

/** An Advanced SubStation Alpha document with the captions, at the resolution of the picture. */
export function assText(cues: readonly CaptionCue[], drawn: Drawn, language: string | null): string {
  const { look, place, line } = drawn;
  const { width, height } = place.picture;
  const family = familyOf(cues.map((cue) => cueText(cue, ' ')).join(' '), look.font, language);
  const pixels = (share: number) => Number((share * line).toFixed(2));
  const margin = place.vertical === 'top' ? place.top : place.bottom;
  const style = (name: string, border: number, outline: [string, number], back: [string, number]) =>
    [
      `Style: ${name}`,
      ...[
        family,
        pixels(enlargementOf(family)),
        assColor(look.color),
        assColor(look.color, look.effect === 'type' ? 0 : 1),
      ],
      ...[outline[0], back[0], look.bold ? -1 : 0, 0, 0, 0, 100, 100, pixels(look.spacing), 0],
      ...[border, outline[1], back[1], alignmentOf(place), place.left, place.right, margin, -1],
    ].join(',');
  const { outline, background, shadow, highlight } = look;
  const box = assColor(background?.color ?? '#000000', background?.opacity ?? 0);
  const soft: [string, number] = [assColor('#000000', 0.6), pixels(shadow)];
  const head = [
    '[Script Info]',
    ...['ScriptType: v4.00+', `PlayResX: ${width}`, `PlayResY: ${height}`],
    ...['ScaledBorderAndShadow: yes', 'WrapStyle: 2', 'YCbCr Matrix: None', ''],
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
    style('Caption', 1, [assColor(outline.color), pixels(outline.width)], soft),
    style('Boxed', 4, [assColor(outline.color), pixels(outline.width)], [box, pixels(0.22)]),
    style('Marked', 3, [assColor(highlight), pixels(0.1)], [assColor('#000000', 0), 0]),
    '',
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
  ];
  const events = cues.flatMap((cue) => eventsOf(cue, drawn)).map(eventText);
  return `${[...head, ...events].join('\n')}\n`;
}

function eventText({ layer, start, end, style, text }: CaptionEvent): string {
  return `Dialogue: ${layer},${timeText(start)},${timeText(end)},${style},,0,0,0,,${text}`;
}
