import type { Warning } from '../../../schema/task/task.ts';
import type { Plan } from '../../model/plan.ts';
import type { Render, Step } from '../../model/steps.ts';
import { endsAlike } from './both-ends.ts';
import { audioFades, videoFades, videoSpan } from './filters.ts';
import { isVariable, type Span, seekFor } from './frame-selection.ts';
import { joinedSamples, planParts } from './joined-parts.ts';
import { partSound, placedSpans, soundPart, starts, totalOf } from './joined-spans.ts';
import {
  cutFrame,
  type Dub,
  holdsLast,
  keptOrFail,
  type RangesRequest,
  variableRate,
} from './render-range.ts';
import { frameRate, micros } from './require-streams.ts';

/**
 * Renders several ranges separately, their sound to raw samples, and joins them without re-encoding. Memory use does
 * not depend on the number and order of ranges.
 */
export function planJoined(
  request: RangesRequest,
  spans: readonly Span[],
  warnings: Warning[],
  dub?: Dub,
): Plan {
  const { input, facts } = request;
  const frame = cutFrame(request, spans, warnings);
  const { probe, video, target, sound, width, height } = frame;
  const variable = video.pace === 'variable' || (facts.packets !== undefined && isVariable(facts.packets));
  if (variable) warnings.push(variableRate());
  const fades = { in: input.fade_in, out: input.fade_out };
  const total = totalOf(spans);
  const outStarts = starts(spans);
  const kept = spans.map((span, index) => keptOrFail(probe, video, span, request, spans[index - 1]));
  const held = holdsLast(kept);
  const encoding = { ...target.encoding, reorder: !variable && !held };
  const firsts = spans.map((span, index) => {
    const begin = probe.origin + span.start;
    const { pinned = false, first = null } = kept[index] ?? {};
    return (outStarts[index] ?? 0) + (pinned ? 0 : (first ?? begin) - begin);
  });

  // The list always begins with its first frame at 0.
  const late = firsts[0] !== undefined && firsts[0] > 0 ? { delay: micros(firsts[0]) } : {};

  const parts = kept.map((keep, index): Render => {
    const span = spans[index] ?? { start: 0, end: 0 };
    const out = firsts[index] ?? 0;
    const seek = seekFor(probe, video, span, keep);
    const faded =
      (fades.in > 0 && out < fades.in) ||
      (fades.out > 0 && out + span.end - span.start > total - fades.out - 0.1);
    const timed = faded
      ? [
          { name: 'setpts', options: { expr: `PTS-STARTPTS+${Math.max(0, out).toFixed(6)}/TB` } },
          ...videoFades(fades, total),
        ]
      : [];
    return {
      kind: 'render',
      inputs: [{ source: 0, seek }],
      chains: [
        {
          from: [`0:${video.index}`],
          filters: [
            ...videoSpan(probe, video, span, keep),
            ...frame.filters,
            ...timed,
            { name: 'setpts', options: { expr: 'PTS-STARTPTS' } },
          ],
          to: ['v'],
        },
        ...(sound ? [soundPart(probe, sound.stream, sound.target, spans, index)] : []),
      ],
      outputs: [
        { file: partFile(index), container: 'mp4', video: { from: 'v', encode: encoding }, audio: null },
        ...(sound ? [{ file: partSound(index), container: 'raw' as const, from: 'a' }] : []),
      ],
      seconds: span.end - span.start,
      lead: seek === null ? span.start : 1,
    };
  });

  const frames = kept.reduce<number | null>(
    (sum, { frames: count }) => (sum === null || count === null ? null : sum + count),
    0,
  );
  const lastSpan = spans.at(-1);
  const samples: Step = {
    kind: 'append',
    file: 'sound.raw',
    parts: spans.map((_, index) => partSound(index)),
  };
  return planParts(
    { pictures: parts, sounds: sound ? [samples] : [] },
    {
      container: input.format,
      entries: firsts.map((first, index) => ({
        file: partFile(index),
        seconds: (firsts[index + 1] ?? first) - first || null,
      })),
      ...late,
      picture: { codec: target.codec, width, height, frames },
      ...(held ? { until: total } : {}),
      sound: dub?.sound ?? (sound && joinedSamples(sound.target, audioFades(fades, total))),
      ...{ duration: total, tolerance: video.frameDuration, identity: { fades, heard: sound !== null } },
      endsTogether:
        dub?.endsTogether ?? (lastSpan !== undefined && endsAlike(input.format, probe, lastSpan, held)),
    },
    {
      fps: frameRate(variable ? total / (frames ?? 1) : video.frameDuration),
      ...{ shows: placedSpans(spans), copied: 0, warnings },
    },
  );
}

const partFile = (index: number) => `part${index}.mp4`;
