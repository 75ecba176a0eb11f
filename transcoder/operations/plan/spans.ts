import type { RenderedSpan, RenderReason } from '../../../schema/operations/fields/spans.ts';
import { least } from '../../model/numbers/min-max.ts';
import type { Plan } from '../../model/plan.ts';
import type { Piece } from '../../model/splice.ts';
import { alike } from './changed-plan.ts';
import { micros } from './require-streams.ts';

interface Made {
  /** Duration of a tick of the output, in seconds. */
  unit: number;
  /** Duration of a tick of an input. */
  unitOf: (input: number) => number;
  /** Why a file is among the pieces. @param input Its index among the inputs. */
  files: (input: number) => RenderReason;
  /** Of the output, in seconds. */
  total: number;
}

interface Part {
  at: number;
  frames: number;
  because: RenderReason | null;
}

/** How each part of a splice is made. */
export function spansOf(pieces: readonly Piece[], made: Made): RenderedSpan[] {
  const joined: Part[] = [];
  for (const part of pieces.flatMap((piece) => partsOf(piece, made))) {
    const last = joined.at(-1);
    if (last && last.because === part.because) last.frames += part.frames;
    else joined.push({ ...part });
  }
  return joined.map(({ at, frames, because }, index) => ({
    out: [index === 0 ? 0 : micros(at), micros(joined[index + 1]?.at ?? made.total)],
    frames,
    copied: because === null,
    rendered_because: because,
  }));
}

export const frameCount = (spans: readonly Pick<RenderedSpan, 'frames'>[]): number =>
  spans.reduce((sum, { frames }) => sum + (frames ?? 0), 0);

/** The frames of a piece, wherever it is placed. */
export function framesOfPiece(piece: Piece | Omit<Extract<Piece, { kind: 'range' }>, 'at'>): number {
  if (piece.kind === 'file') return piece.frames;
  if (piece.kind === 'drawn') return piece.pts.length;
  return [piece.head, piece.copy, piece.tail].reduce((sum, run) => sum + (run?.frames.length ?? 0), 0);
}

function partsOf(piece: Piece, { unit, unitOf, files }: Made): Part[] {
  if (piece.kind === 'file')
    return [{ at: piece.at * unit, frames: piece.frames, because: files(piece.input) }];
  if (piece.kind === 'drawn')
    return [{ at: (piece.pts[0] ?? 0) * unit, frames: piece.pts.length, because: 'transition' }];
  const { head, copy, tail, filters, zero, at, input, pinned } = piece;
  const edge = filters === null ? 'cut' : 'filtered';
  const runs = [
    { frames: head?.frames ?? [], because: edge },
    { frames: copy?.frames ?? [], because: null },
    { frames: tail?.frames ?? [], because: edge },
  ] as const;
  return runs.flatMap(({ frames, because }, index) => {
    const first = frames.length > 0 ? least(frames) : null;
    if (first === null) return [];
    const opens = pinned && index === 0;
    return [{ at: at * unit + (opens ? 0 : (first - zero) * unitOf(input)), frames: frames.length, because }];
  });
}

/** A plan that says how its video is made, also where all of it is copied or rendered. */
export const withSpans = (plan: Plan): Plan =>
  alike(plan, (each) => {
    const { data, duration, rendered_because } = each;
    const video = each.expect.media[0]?.video;
    if (data.copied_seconds === undefined || !video || duration === null) return each;
    const copied = data.rendered_seconds === 0;
    const whole: RenderedSpan = {
      ...{ out: [0, micros(duration)], frames: video.frames, copied },
      rendered_because: copied ? null : (rendered_because ?? 'fallback'),
    };
    return { ...each, data: { ...data, spans: data.spans ?? [whole] } };
  });
