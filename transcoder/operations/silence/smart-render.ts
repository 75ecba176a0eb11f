import type { MediaProbe } from '../../model/media-probe.ts';
import type { Analysis, Plan, WhyRendered } from '../../model/plan.ts';
import type { Piece as Spliced } from '../../model/splice.ts';
import type { SpliceInput, Step } from '../../model/steps.ts';
import { timeUnit } from '../../model/video-stream.ts';
import { soundFile, soundTarget } from '../plan/audio-file.ts';
import { probedCodec } from '../plan/audio-target.ts';
import type { FrameGrid } from '../plan/frame-grid.ts';
import { movingOf } from '../plan/require-streams.ts';
import { rangePiece, splicePlan } from '../plan/smart-render.ts';
import { isConverted, splicedCodec, surveyOf } from '../plan/splice-compatibility.ts';
import { briefRate, videoTarget } from '../plan/video-target.ts';
import type { SilenceInput } from './detect.ts';
import { rawInput, reader, soundSteps, soundWork, type Work } from './render-audio-parts.ts';
import { totalOf } from './segments.ts';
import { pieceFrames } from './video-filters.ts';

/** The surveys needed to copy packets or to move edges to keyframes. */
export function surveys(input: SilenceInput, probe: MediaProbe): Analysis[] {
  const idle = input.mode === 'mute' || (input.mode === 'detect' && input.segments !== undefined);
  if (idle || input.video_url === undefined) return [];
  const { video, duration } = movingOf(probe);
  if ('why' in splicedCodec(input, probe, video)) return [];
  return [surveyOf(probe, video, 0, [{ start: 0, end: duration }])];
}

/**
 * The same output with copied packets for what is kept. Sped-up pieces are rendered into compatible files. The sound is
 * made as in the full plan and encoded once.
 * @param also Steps that write the files next to the main one.
 */
export function splicePieces(work: Work, grid: FrameGrid, full: Plan, also: readonly Step[]): Plan {
  const { request, probe, stream, pieces } = work;
  const { input, facts, capabilities } = request;
  const { video } = movingOf(probe);
  const because = (why: WhyRendered): Plan => ({ ...full, rendered_because: why });
  const codec = splicedCodec(input, probe, video);
  if ('why' in codec) return because(codec.why);
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
  const spliced: Spliced[] = [];
  let [frames, copied, copiedSeconds] = [0, 0, 0];
  for (const piece of pieces) {
    const { shown, first, zero, held } = piece.frames ?? { shown: 0, first: null, zero: 0, held: null };
    if (shown === 0 || first === null) continue;
    if (shown === null) return because('variable_rate');
    frames += shown;
    if (piece.speed === 1) {
      const continues = grid.kind === 'uneven' && held === null;
      const range = rangePiece({ probe, video, span: piece, survey, input: 0, continues });
      if (typeof range === 'string') return because(range);
      if (range.frames !== shown) return because('frames_differ');
      copied += range.copied;
      copiedSeconds += range.copiedSeconds;
      const start = Math.round((probe.origin + zero) / unit);
      // A frame can be a tick off its grid, which would put the first one before the piece.
      const early = range.piece.pinned ? 0 : start - range.first;
      const place = { zero: start, at: Math.max(early, Math.round(piece.out / unit)) };
      spliced.push({ ...range.piece, ...place });
    } else {
      const file = `fast${spliced.length}.mp4`;
      const read = reader(probe, [piece]);
      const filters = pieceFrames(probe, video, grid, [piece], first);
      steps.push({
        ...read,
        inputs: read.inputs.map((one) => ({ ...one, coded: true })),
        chains: [{ from: [`0:${video.index}`], filters, to: ['v'] }],
        outputs: [{ file, container: 'mp4', video: { from: 'v', encode }, audio: null }],
      });
      const index = inputs.push({ file, format: 'mov', stream: 0 }) - 1;
      spliced.push({ kind: 'file', input: index, frames: shown, at: Math.round(first / unit) });
    }
  }
  const sound = soundWork(work, soundTarget(stream, input.format));
  const mixed = soundFile(sound.target, {
    ...{ inputs: [rawInput(sound)], chains: [{ from: ['0:0'], filters: sound.target.after, to: ['a'] }] },
    ...{ seconds: totalOf(pieces), format: input.format },
  });
  return splicePlan(full, {
    ...{ ...codec, inputs, pieces: spliced, model: video, frames, copied, copiedSeconds },
    files: 'speed',
    until: grid.kind === 'uneven' ? totalOf(pieces) : null,
    before: [...steps, ...soundSteps(sound, pieces), mixed.step, ...also],
    sound: probedCodec[sound.target.encoding.encoder],
    audio: { input: inputs.push(mixed.input) - 1, ...mixed.span },
  });
}
