import type { Warning } from '../../../../schema/task/task.ts';
import { decimal } from '../../../model/numbers/decimal.ts';
import type { Plan } from '../../../model/plan.ts';
import type { Filter } from '../../../model/steps.ts';
import { audioTarget } from '../audio-target.ts';
import { endsWithVideo } from '../both-ends.ts';
import { audioFades, audioSpan, videoFades, videoSpan } from '../filters.ts';
import type { Kept } from '../frame-selection.ts';
import { isVariableIn } from '../frames.ts';
import { inRange } from '../video-target.ts';
import { drawnAlone } from './backdrop.ts';
import { type Clip, totalOf } from './clips.ts';
import { encodingOf, variableRate } from './encoding.ts';
import { type ClipSound, renderClip } from './one-clip.ts';
import type { Hold, Work } from './work.ts';

/** Renders one range in one run. */
export function renderRange(work: Work, range: Clip & { kept: Kept }, warnings: Warning[]): Plan {
  const { request, probe, fades, drawn, hold, dub } = work;
  const { facts, input } = request;
  const { video, target, size, filters: own } = encodingOf(work, warnings);
  const { kept } = range;
  const { packets } = facts;
  const variable = packets !== undefined && isVariableIn(packets, probe, range, video.frameDuration);
  if (variable && drawn?.fps === undefined) warnings.push(variableRate());
  const total = totalOf(work.clips);
  const filters = [
    ...videoSpan(probe, video, range, kept),
    ...own,
    // They may convert to a constant rate, at which fades change.
    ...(drawn?.filters ?? []),
    ...inRange(videoFades(fades, total), target),
    ...(hold ? repeats(hold, kept.frames) : []),
  ];
  const from = `0:${video.index}`;
  const alone = drawn?.alone;
  // A drawing has no sound that would outlast its picture as that of the source does.
  const stated =
    holdsLast([range]) || (alone !== undefined && !endsWithVideo({ ...probe, audio: null }, range));
  return renderClip({
    ...{ probe, video, target, size, span: { start: range.start, end: range.end }, kept },
    format: input.format,
    chains: alone
      ? drawnAlone(alone.backdrop, from, filters, alone.filters)
      : [{ from: [from], filters, to: ['v'] }],
    sound: dub?.sound ?? soundOf(work, range),
    frames: drawn?.fps === undefined ? kept.frames + (hold?.frames ?? 0) : null,
    ...{ until: stated ? (hold?.until ?? total) : undefined, duration: hold?.until },
    endsTogether: dub?.endsTogether,
    identity: alone
      ? null
      : {
          fades,
          ...(drawn ? { overlaid: drawn.overlaid } : {}),
          ...(drawn?.fps === undefined ? {} : { grid: [0] }),
        },
    tolerance: video.frameDuration,
    fps: drawn?.fps ?? (variable ? kept.frames / total : 1 / video.frameDuration),
    ...{ copied: 0, warnings },
  });
}

/**
 * Repeats the last frame. The copies get explicit times: `tpad` uses a rate guessed by ffmpeg, which is wrong for a
 * variable frame rate. @param own Frames of the range.
 */
function repeats({ from, until, frames }: Hold, own: number): Filter[] {
  const stop = { name: 'tpad', options: { stop: frames, stop_mode: 'clone' } };
  const time = `(${decimal(from)}+(N-${own})*${((until - from) / frames).toFixed(9)})/TB`;
  return [stop, { name: 'setpts', options: { expr: `if(lt(N,${own}),PTS,${time})` } }];
}

function soundOf({ request, probe, stream, clips, fades, drawn }: Work, range: Clip): ClipSound | null {
  if (!stream) return null;
  if (drawn?.copiesSound) return { stream, target: null };
  const target = audioTarget(stream, request.input.format);
  return { stream, target, filters: [...audioSpan(probe, range), ...audioFades(fades, totalOf(clips))] };
}

/** Whether the end of the last frame is stated explicitly, because frame durations vary. */
export const holdsLast = (ranges: readonly Clip[]) => ranges.some(({ kept }) => kept?.uneven || kept?.pinned);
