import type { Anchor } from '../../../schema/operations/fields/fields.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { PlanRequest } from '../../model/plan.ts';
import type { Filter, Step } from '../../model/steps.ts';
import { assText } from '../plan/captions/ass-document.ts';
import { fontOptions, fontSteps } from '../plan/captions/caption-font.ts';
import { type CaptionsInput, captionsIn, figuresOf } from '../plan/captions/captioned.ts';
import type { Size } from '../plan/geometry.ts';
import { type Layout, LINE_HEIGHT, sizeOf, type VisualizeInput } from './layout.ts';

/** A fixed name, so no text of a caller becomes part of a filter. */
const FILE = 'captions.ass';

interface Over {
  steps: Step[];
  filters: Filter[];
  data: ReturnType<typeof figuresOf> | null;
}

/** The captions of a request in the fields of `/captions/auto`; null if it has none. */
export const captionsOf = ({ captions }: VisualizeInput): CaptionsInput | null =>
  captions === undefined ? null : { ...captions, time_map_source: 0 };

/** Draws captions over the whole picture. */
export function captionsOver(
  request: PlanRequest<VisualizeInput>,
  { layout, seconds, fps }: { layout: Layout; seconds: number; fps: number },
  warnings: Warning[],
): Over {
  const input = captionsOf(request.input);
  if (!input) return { steps: [], filters: [], data: null };
  const size = sizeOf(request.input);
  const placed = { ...input, position: input.position ?? emptiest(layout, size) };
  const asked = { duration: seconds, step: 1 / fps, canvas: size, laidOutFor: size, draws: true };
  const captions = captionsIn({ ...request, input: placed }, asked, warnings);
  const { cues, drawn } = captions;
  const data = figuresOf(captions);
  if (cues.length === 0) return { steps: [], filters: [], data };
  return {
    steps: [{ kind: 'text', file: FILE, text: assText(cues, drawn) }, ...fontSteps(drawn.look)],
    filters: [{ name: 'ass', options: { filename: FILE, ...fontOptions(drawn.look) } }],
    data,
  };
}

type Band = [Anchor, top: number, bottom: number];

/** Height of captions of two large lines, as a share of the shorter side, and their distance from the edge of the picture. */
const HIGH = 0.32;
const EDGE = 0.04;

/** Where captions of a position usually are, the preferred one first. */
function bandsOf({ width, height }: Size): [Band, ...Band[]] {
  const high = HIGH * Math.min(width, height);
  const edge = EDGE * height;
  return [
    ['bottom', height - edge - high, height - edge],
    ['top', edge, edge + high],
    ['center', (height - high) / 2, (height + high) / 2],
  ];
}

/** How much worse it is to cover text, or the cover, than the visualizer. */
const WORSE = { text: 8, cover: 3 };

/** Where the least of the visualizer, cover and title is. */
function emptiest({ visual, cover, text }: Layout, size: Size): Anchor {
  const taken = [
    { ...visual, weight: 1 },
    ...(cover ? [{ ...cover, weight: WORSE.cover }] : []),
    ...(text?.lines ?? []).map(({ y, size: line, lines }) => ({
      ...{ y, height: line * LINE_HEIGHT * lines.length, weight: WORSE.text },
    })),
  ];
  const covered = ([, top, bottom]: Band) =>
    taken.reduce((sum, { y, height: high, weight }) => {
      const shared = Math.min(y + high, bottom) - Math.max(y, top);
      return sum + weight * Math.max(0, shared);
    }, 0);
  const [first, ...others] = bandsOf(size);
  return others.reduce((best, band) => (covered(band) < covered(best) ? band : best), first)[0];
}
