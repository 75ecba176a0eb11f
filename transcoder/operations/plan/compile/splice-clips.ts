import type { Warning } from '../../../../schema/task/task.ts';
import type { MediaProbe } from '../../../model/media-probe.ts';
import type { Analysis, Plan, WhyRendered } from '../../../model/plan.ts';
import type { Piece as Spliced } from '../../../model/splice.ts';
import type { SpliceInput, Step } from '../../../model/steps.ts';
import { timeUnit } from '../../../model/video-stream.ts';
import { soundFile, soundTarget } from '../audio-file.ts';
import { probedCodec } from '../audio-target.ts';
import { copiedSound } from '../copy-audio.ts';
import type { FrameGrid } from '../frame-grid.ts';
import { movingOf } from '../require-streams.ts';
import { rangePiece, splicePlan } from '../smart-render.ts';
import { type Delivered, isConverted, splicedCodec, surveyOf } from '../splice-compatibility.ts';
import type { SplicedSound } from '../spliced-sound.ts';
import { briefRate, videoTarget } from '../video-target.ts';
import { clipFrames } from './clip-frames.ts';
import { picturesOf, totalOf } from './clips.ts';
import { renderClips, renderSound } from './render-clips.ts';
import { rawInput, reader, type Sound, soundSteps, soundWork, type Work } from './sound-parts.ts';

/** The surveys needed to copy packets of the whole source. */
export function surveysOfAll(input: Delivered, probe: MediaProbe): Analysis[] {
  const { video, duration } = movingOf(probe);
  if ('why' in splicedCodec(input, probe, video)) return [];
  return [surveyOf(probe, video, 0, [{ start: 0, end: duration }])];
}

/** The clips, copied where they can be; without pictures, their sound. */
export function planClips(work: Work, grid: FrameGrid | null, warnings: Warning[]): Plan {
  return grid ? spliced(work, grid, renderClips(work, grid, warnings)) : renderSound(work, warnings);
}

/**
 * The same output with copied packets for what is kept. Clips at other rates are rendered into compatible files. The sound is
 * made as in the full plan and encoded once.
 */
function spliced(work: Work, grid: FrameGrid, full: Plan): Plan {
  const { request, probe, clips, turn } = work;
  const { input, facts, capabilities } = request;
  const { video } = movingOf(probe);
  const because = (why: WhyRendered): Plan => ({ ...full, rendered_because: why });
  const codec = splicedCodec(input, probe, video);
  if ('why' in codec) return because(codec.why);
  if (work.reversed) return because('reversed');
  if (turn.flip !== 'none') return because('flipped');
  if (turn.rotate !== 0 && !turnsByMatrix(input.format)) return because('rotation');
  const { survey } = facts;
  if (!survey) return because('engine_unavailable');
  if (survey.unfit || !survey.fitting) return because(survey.unfit ?? 'codec');
  if (isConverted(full)) return because('converted');

  const unit = timeUnit(video);
  const size = { width: video.displayWidth, height: video.displayHeight };
  const { encoding } = videoTarget(video, input, size, capabilities);
  const rate = briefRate(codec.codec, survey.quantiser);
  const encode = { ...encoding, reorder: false, fitting: survey.fitting, rate };
  const inputs: SpliceInput[] = [{ source: 0, stream: video.index }];
  const steps: Step[] = [];
  const pieces: Spliced[] = [];
  let [frames, copied, copiedSeconds] = [0, 0, 0];
  for (const clip of picturesOf(clips, grid)) {
    const { shown, first, zero, held } = clip.frames ?? { shown: 0, first: null, zero: 0, held: null };
    if (shown === 0 || first === null) continue;
    if (shown === null) return because('variable_rate');
    frames += shown;
    if (clip.rate === 1) {
      const continues = grid.kind === 'uneven' && held === null;
      const range = rangePiece({ probe, video, span: clip, survey, input: 0, continues });
      if (typeof range === 'string') return because(range);
      if (range.frames !== shown) return because('frames_differ');
      copied += range.copied;
      copiedSeconds += range.copiedSeconds;
      const start = Math.round((probe.origin + zero) / unit);
      // A frame can be a tick off its grid, which would put the first one before the clip.
      const early = range.piece.pinned ? 0 : start - range.first;
      const place = { zero: start, at: Math.max(early, Math.round(clip.out / unit)) };
      pieces.push({ ...range.piece, ...place });
    } else {
      const file = `clip${pieces.length}.mp4`;
      const read = reader(probe, [clip]);
      const filters = clipFrames(probe, video, grid, [clip], first);
      steps.push({
        ...read,
        inputs: read.inputs.map((one) => ({ ...one, coded: true })),
        chains: [{ from: [`0:${video.index}`], filters, to: ['v'] }],
        outputs: [{ file, container: 'mp4', video: { from: 'v', encode }, audio: null }],
      });
      const index = inputs.push({ file, format: 'mov', stream: 0 }) - 1;
      pieces.push({ kind: 'file', input: index, frames: shown, at: Math.round(first / unit) });
    }
  }
  const own = copiedOf(work, inputs.length);
  const sound = own ? null : soundWork(work, (heard) => soundTarget(heard, input.format));
  const mixed = sound && encodedSound(sound, input.format);
  if (own) inputs.push(own.input);
  const plan = splicePlan(full, {
    ...{ ...codec, inputs, pieces, model: video, frames, copied, copiedSeconds },
    files: () => 'speed',
    until: grid.kind === 'uneven' ? totalOf(clips) : null,
    before: [...steps, ...(mixed?.steps ?? [])],
    sound: own ? own.codec : sound && probedCodec[sound.target.encoding.encoder],
    audio: own ? own.audio : mixed && { input: inputs.push(mixed.input) - 1, ...mixed.span },
  });
  return turn.rotate === 0 ? plan : rotated(plan, turn.rotate);
}

/** Whether players turn the picture of such a file by its display matrix. */
const turnsByMatrix = (format: Delivered['format']) => format === 'mp4' || format === 'mov';

/** The same splice with a further quarter turn in its display matrix. */
function rotated(plan: Plan, rotate: 90 | 180 | 270): Plan {
  const steps = plan.steps.map((step) => (step.kind === 'splice' ? { ...step, rotate } : step));
  return { ...plan, steps };
}

/** The sound of another track of the source, made of the same clips. */
export function soundOfClips(work: Work, probe: MediaProbe): SplicedSound | null {
  const other = { ...work, probe, stream: probe.audio };
  const own = copiedOf(other, 1);
  if (own) return { ...own, steps: [] };
  const { format } = work.request.input;
  const sound = soundWork(other, (heard) => soundTarget(heard, format));
  if (!sound) return null;
  const { steps, input, span } = encodedSound(sound, format);
  return { steps, input, audio: span, codec: probedCodec[sound.target.encoding.encoder] };
}

/** The source's own sound as input `index`, if all of it is played as it is and its packets can be trimmed. */
function copiedOf({ request, probe, stream, clips }: Work, index: number) {
  const { format } = request.input;
  const [clip] = clips;
  const plays = clips.length === 1 && clip?.rate === 1 && !clip.muted;
  const trim = stream && clip && plays && turnsByMatrix(format) ? copiedSound(probe, stream, clip) : null;
  if (!trim || !stream) return null;
  const input: SpliceInput = { source: 0, stream: stream.index };
  return { input, codec: stream.codec, audio: { input: index, ...trim } };
}

function encodedSound(sound: Sound, format: Delivered['format']) {
  const mixed = soundFile(sound.target, {
    ...{ inputs: [rawInput(sound)], chains: [{ from: ['0:0'], filters: sound.target.after, to: ['a'] }] },
    ...{ seconds: sound.total, format },
  });
  return { ...mixed, steps: [...soundSteps(sound), mixed.step] };
}
