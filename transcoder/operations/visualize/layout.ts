import { visualStyles } from '../../../schema/media/visual-styles.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Letters } from '../../model/letters.ts';
import { RING_INSIDE } from '../../model/numbers/ring-inside.ts';
import { evenNear, evenSize, type Rectangle, type Size } from '../plan/geometry.ts';
import { type Lines, linesOf, type TitleKind, typefaceOf } from './title-wrapping.ts';

export type VisualizeInput = OperationInput<'visualize'>;

/** Positions in pixels of the output. */
export interface Layout {
  /** The visual without its glow. */
  visual: Rectangle;
  cover: (Rectangle & { radius: number }) | null;
  text: { align: 'left' | 'center'; x: number; lines: Placed[] } | null;
}

/** A title or subtitle: its lines start at `y`, each a line height of `size` apart. */
interface Placed extends Lines {
  kind: TitleKind;
  y: number;
}

/** Shares of the shorter side: margin at the edges, and title size. */
const EDGE = 0.065;
const TITLE = 0.062;
const SUBTITLE = 0.6;
export const LINE_HEIGHT = 1.22;
/** Height of flat styles at their default size, as a share of the mean of both sides. */
const FLAT_HEIGHT = 0.34;
const usual = (shape: 'flat' | 'round', { width, height }: Size) =>
  shape === 'flat' ? FLAT : height > width ? 84 : 66;
const FLAT = 88;
/** A visual is as large as the smallest output, however small a share of it is asked for. */
const LEAST_SIDE = 16;

/** @param letters Needed for a title or subtitle. */
export function layoutOf(input: VisualizeInput, letters: Letters | undefined): Layout {
  const { width, height } = sizeOf(input);
  const short = Math.min(width, height);
  const edge = Math.round(short * EDGE);
  const { shape, place } = visualStyles[input.style];
  const size = visualSize(input, { width, height }, edge);
  const typeset: Typeset = (room) => textSizes(input, letters, short, room);
  const beside = input.title !== undefined || input.subtitle !== undefined || input.cover_url !== undefined;
  const aside = shape === 'round' && input.style !== 'ring' && width >= height ? 'right' : 'bottom';
  const position = input.position ?? (beside && input.style !== 'ring' ? aside : place);
  if (input.style === 'ring') return around(input, typeset, { width, height }, { size, position, edge });
  const visual = { ...anchoredWithin({ width, height }, size, position, edge), ...size };
  return beside
    ? { ...card(input, typeset, { width, height }, visual, edge), visual }
    : { visual, cover: null, text: null };
}

export const sizeOf = (input: VisualizeInput): Size => evenSize(input);

function visualSize(input: VisualizeInput, { width, height }: Size, edge: number): Size {
  const { shape } = visualStyles[input.style];
  const percent = input.size_percent ?? usual(shape, { width, height });
  if (shape === 'round') {
    const side = Math.max(LEAST_SIDE, evenNear((Math.min(width, height) * percent) / 100));
    return { width: side, height: side };
  }
  const high = FLAT_HEIGHT * Math.sqrt(width * height) * (percent / FLAT);
  return {
    width: Math.max(LEAST_SIDE, evenNear((width * percent) / 100)),
    height: Math.max(LEAST_SIDE, evenNear(Math.min(high, height - 2 * edge))),
  };
}

function anchoredWithin(outer: Size, inner: Size, position: string, edge: number): { x: number; y: number } {
  const along = (room: number, low: boolean, high: boolean) => {
    const least = Math.min(edge, Math.max(0, room / 2));
    return 2 * Math.round((low ? least : high ? room - least : room / 2) / 2);
  };
  return {
    x: along(outer.width - inner.width, position.includes('left'), position.includes('right')),
    y: along(outer.height - inner.height, position.startsWith('top'), position.startsWith('bottom')),
  };
}

type Unplaced = Omit<Placed, 'y'>;
/** Sets title and subtitle in a width in pixels. */
type Typeset = (room: number) => Unplaced[];

function textSizes(
  { title, subtitle }: VisualizeInput,
  letters: Letters | undefined,
  short: number,
  room: number,
): Unplaced[] {
  const size = short * TITLE;
  const set = (kind: TitleKind, text: string, large: number): Unplaced => {
    if (!letters) throw new Error('the fonts were not loaded');
    const widthOf = (line: string) => letters.lineOf(line, typefaceOf(kind)).width * LINE_HEIGHT;
    return { kind, ...linesOf(text, large, room, widthOf) };
  };
  return [
    ...(title === undefined ? [] : [set('title', title, size)]),
    ...(subtitle === undefined ? [] : [set('subtitle', subtitle, size * SUBTITLE)]),
  ];
}

const heightOf = (lines: readonly Unplaced[]) =>
  lines.reduce((sum, { size, lines: own }) => sum + size * LINE_HEIGHT * own.length, 0);

function stacked(lines: readonly Unplaced[], top: number): Placed[] {
  let y = top;
  return lines.map((line) => {
    const placed = { ...line, y: Math.round(y) };
    y += line.size * LINE_HEIGHT * line.lines.length;
    return placed;
  });
}

/** Cover inside the ring, text below it; together they take the position of the ring, which leaves the text its room. */
function around(
  input: VisualizeInput,
  typeset: Typeset,
  frame: Size,
  { size, position, edge }: { size: Size; position: string; edge: number },
): Layout {
  const lines = typeset(frame.width - 2 * edge);
  const below = lines.length > 0 ? heightOf(lines) + edge * 0.4 : 0;
  const room = lines.length > 0 ? 2 * Math.floor((frame.height - below - edge) / 2) : frame.height;
  const length = Math.max(LEAST_SIDE, Math.min(size.width, room));
  const own = { width: length, height: length };
  const ring = { ...anchoredWithin(frame, own, position, edge), ...own };
  const centered = input.position === undefined || ['left', 'center', 'right'].includes(input.position);
  const lifted = centered ? ring.y - below / 2 : Math.min(ring.y, frame.height - edge - below - ring.height);
  const visual = { ...ring, y: Math.max(0, 2 * Math.round(lifted / 2)) };
  const side = evenNear(ring.width * RING_INSIDE);
  const inset = (ring.width - side) / 2;
  const corner = { x: evenNear(visual.x + inset), y: evenNear(visual.y + inset) };
  return {
    visual,
    cover: input.cover_url === undefined ? null : { ...corner, width: side, height: side, radius: side / 2 },
    text:
      lines.length === 0
        ? null
        : {
            align: 'center',
            x: visual.x + visual.width / 2,
            lines: stacked(lines, visual.y + visual.height + edge * 0.4),
          },
  };
}

/**
 * Cover and text in the larger area above or below: side by side in a wide picture, otherwise stacked. If a round shape
 * is at the right of a wide picture, they are on the left.
 */
function card(
  input: VisualizeInput,
  typeset: Typeset,
  frame: Size,
  visual: Rectangle,
  edge: number,
): Omit<Layout, 'visual'> {
  const short = Math.min(frame.width, frame.height);
  const gap = edge * 0.7;
  if (visual.x > frame.width / 3) return cardAtLeft(input, typeset, frame, visual.x - edge, edge);
  const above = { top: edge, bottom: visual.y - gap };
  const below = { top: visual.y + visual.height + gap, bottom: frame.height - edge };
  const room = above.bottom - above.top >= below.bottom - below.top ? above : below;
  const free = Math.max(32, room.bottom - room.top);
  const wide = frame.width >= frame.height;
  const most = wide ? Math.min(free, short * 0.4) : frame.width * 0.56;
  const left = wide && visual.width > frame.width / 2 ? visual.x : edge;
  const side = input.cover_url === undefined ? 0 : most;
  const across = wide ? frame.width - left - edge - (side > 0 ? side + gap : 0) : frame.width - 2 * edge;
  const lines = typeset(across);
  const high = heightOf(lines);
  if (wide) {
    const middle = (room.top + room.bottom) / 2;
    const x = left + (side > 0 ? side + gap : 0);
    return {
      cover: side > 0 ? squareAt(left, inside(middle - side / 2, side, frame), side) : null,
      text:
        lines.length > 0
          ? {
              ...{ align: 'left', x: Math.round(x) },
              lines: stacked(lines, inside(middle - high / 2, high, frame)),
            }
          : null,
    };
  }
  const square = Math.min(side, Math.max(32, free - high - (lines.length > 0 ? gap : 0)));
  const between = side > 0 && lines.length > 0 ? gap : 0;
  const whole = (side > 0 ? square : 0) + between + high;
  const top = inside(room.top + Math.max(0, (free - whole) / 2), whole, frame);
  return {
    cover: side > 0 ? squareAt((frame.width - square) / 2, top, square) : null,
    text:
      lines.length > 0
        ? {
            align: 'center',
            x: frame.width / 2,
            lines: stacked(lines, top + (side > 0 ? square + between : 0)),
          }
        : null,
  };
}

/** A top edge from which `high` pixels are inside the picture, where the visual leaves too little room. */
const inside = (top: number, high: number, { height }: Size): number =>
  Math.max(0, Math.min(top, Math.floor(height - high)));

function cardAtLeft(
  input: VisualizeInput,
  typeset: Typeset,
  frame: Size,
  right: number,
  edge: number,
): Omit<Layout, 'visual'> {
  const short = Math.min(frame.width, frame.height);
  const gap = edge * 0.7;
  const lines = typeset(right - edge);
  const high = heightOf(lines);
  const side = input.cover_url === undefined ? 0 : Math.min(right - edge, short * 0.42);
  const top = (frame.height - high - (side > 0 ? side + gap : 0)) / 2;
  const first = top + (side > 0 ? side + gap : 0);
  return {
    cover: side > 0 ? squareAt(edge, top, side) : null,
    text: lines.length > 0 ? { align: 'left', x: edge, lines: stacked(lines, first) } : null,
  };
}

function squareAt(x: number, y: number, length: number): Rectangle & { radius: number } {
  const side = evenNear(length);
  return { x: evenNear(x), y: evenNear(y), width: side, height: side, radius: side * 0.06 };
}
