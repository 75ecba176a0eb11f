import type { Warning } from '../../../../schema/task/task.ts';
import type { Plan, WhyRendered } from '../../../model/plan.ts';
import { packetsOf } from '../../../model/source/gop-survey.ts';
import { Packets } from '../../../model/source/packets.ts';
import { timeUnit } from '../../../model/source/video-stream.ts';
import type { SpliceInput, Step } from '../../../model/steps.ts';
import type { SplicedSound } from '../audio-file.ts';
import { withFirstFallback } from '../changed-plan.ts';
import { keptFrames } from '../frame-selection.ts';
import { pictureOutput } from '../joined-parts.ts';
import { movingOf } from '../require-streams.ts';
import { type FilePiece, type Placing, placed, rangePiece, splicePlan } from '../smart-render.ts';
import { framesOfPiece } from '../spans.ts';
import { type Delivered, isConverted, splicedCodec } from '../splice-compatibility.ts';
import { briefRate, videoTarget } from '../video-target.ts';
import { clipFrames } from './clip-frames.ts';
import { renderClips } from './render-clips.ts';
import { shotsOf } from './shots.ts';
import { reader } from './sound-parts.ts';
import { encodedSoundOf, soundOfClips } from './spliced-sound.ts';
import type { Work } from './work.ts';

/** The clips, with the packets of all that is shown as it is. The fallback renders the same clips. */
export function planClips(work: Work, warnings: Warning[]): Plan {
  const rendered = renderClips(work, warnings);
  const { hold, drawn, dub } = work;
  const full = dub ? { ...rendered, steps: [...dub.steps, ...rendered.steps] } : rendered;
  if (hold) return full;
  if (drawn?.alone) return { ...full, rendered_because: 'drawn' };
  if (drawn?.fps !== undefined) return { ...full, rendered_because: 'variable_rate' };
  return spliceClips(work, full);
}

/** The output of `full` with copied packets for what is shown as it is. @param sound Null for none. */
export function spliceClips(work: Work, full: Plan, sound: SplicedSound | null = heardIn(work)): Plan {
  const plan = splicedWith(work, full, sound);
  // Where a container rounds times, it turns out only when packets are copied whether their samples can be counted.
  if (sound?.audio.rate === undefined || !plan.otherwise) return plan;
  return withFirstFallback(plan, splicedWith(work, full, encodedSoundOf(work)));
}

/** How many times the packets of a source may be read for frames that are rendered; beyond it, reading costs more than copying saves. */
const MOST_READ = 8;
/** Packets of a source for which it does not matter. */
const FEW = 5000;

/** Clips at other rates are rendered into compatible files. */
function splicedWith(work: Work, full: Plan, sound: SplicedSound | null): Plan {
  const { request, probe, grid, turn } = work;
  const { input, facts, capabilities } = request;
  const { video } = movingOf(probe);
  const because = (why: WhyRendered): Plan => ({ ...full, rendered_because: why });
  const codec = splicedCodec(input, probe, video);
  if ('why' in codec) return because(codec.why);
  if (work.reversed) return because('reversed');
  if (turn.flip !== 'none') return because('flipped');
  if (turn.rotate !== 0 && !turnsByMatrix(input.format)) return because('rotation');
  if (isConverted(full)) return because('converted');
  const { survey } = facts;
  if (!survey?.fitting) return because(survey?.unfit ?? 'engine_unavailable');

  const { fitting, quantiser } = survey;
  const fittingTarget = () => {
    const { encoding, before } = videoTarget(video, input, video, capabilities);
    const rate = briefRate(codec.codec, quantiser);
    return { encoding: { ...encoding, reorder: false, fitting, rate }, before };
  };
  const unit = timeUnit(video);
  const sourceUneven = grid?.uneven;
  const packets = packetsOf(survey, video) ?? new Packets(0);
  const inputs: SpliceInput[] = [{ source: 0, stream: video.index }];
  const steps: Step[] = [];
  const placings: (Placing | FilePiece)[] = [];
  const mostRead = MOST_READ * Math.max(packets.length, FEW);
  let read = 0;
  for (const { clip, filters, continues, ...shot } of shotsOf(work)) {
    if (grid && clip && clip.rate !== 1) {
      const { shown = 0, first = null } = clip.frames ?? {};
      if (shown === 0 || first === null) continue;
      if (shown === null) return because('variable_rate');
      const file = `clip${placings.length}.mp4`;
      const { encoding, before } = fittingTarget();
      const filters = [...clipFrames(probe, video, grid, [clip], first), ...before];
      const read = reader(probe, [clip]);
      steps.push({
        ...read,
        inputs: read.inputs.map((one) => ({ ...one, coded: true })),
        chains: [{ from: [`0:${video.index}`], filters, to: ['v'] }],
        outputs: [pictureOutput(file, encoding)],
      });
      const index = inputs.push({ file, format: 'mov', stream: 0 }) - 1;
      placings.push({ kind: 'file', input: index, frames: shown, at: Math.round(first / unit) });
    } else if (keptFrames(probe, video, shot, packets, continues, sourceUneven).frames !== 0) {
      const own = filters ? { filters } : {};
      const range = rangePiece({
        probe,
        video,
        span: shot,
        survey,
        input: 0,
        continues,
        sourceUneven,
        ...own,
      });
      if (typeof range === 'string') return because(range);
      // Where keyframes are few, each clip is decoded from the same ones.
      read += (range.piece.head?.packets ?? 0) + (range.piece.tail?.packets ?? 0);
      if (read > mostRead) return because('little_to_copy');
      placings.push({ range, video, out: shot.out });
    }
  }
  const ranges = placings.flatMap((placing) => ('range' in placing ? [placing.range] : []));
  const pieces = placed(placings, video);
  const frames = pieces.reduce((sum, piece) => sum + framesOfPiece(piece), 0);
  if (full.expect.media[0]?.video?.frames !== frames) return because('frames_differ');
  const stated = grid ? grid.uneven : ranges.some(({ uneven, piece }) => uneven || piece.pinned);
  const plan = splicePlan(full, {
    ...{ ...codec, model: video, inputs: sound ? [...inputs, sound.input] : inputs, pieces },
    before: [...steps, ...(sound?.steps ?? [])],
    files: () => 'speed',
    sound: sound?.codec ?? null,
    audio: sound && { input: inputs.length, ...sound.audio },
    until: stated ? full.duration : null,
  });
  return turn.rotate === 0 ? plan : rotated(plan, turn.rotate);
}

const heardIn = (work: Work): SplicedSound | null =>
  work.dub?.spliced ?? (work.stream ? soundOfClips(work) : null);

/** Whether players turn the picture of such a file by its display matrix. */
const turnsByMatrix = (format: Delivered['format']) => format === 'mp4' || format === 'mov';

/** The same splice with a further quarter turn in its display matrix. */
function rotated(plan: Plan, rotate: 90 | 180 | 270): Plan {
  const steps = plan.steps.map((step) => (step.kind === 'splice' ? { ...step, rotate } : step));
  return { ...plan, steps };
}
