import type { Warning } from '../../../schema/task/task.ts';
import type { Analysis, Levels, Plan, Planner } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { withData, withFiles } from '../plan/changed-plan.ts';
import { type Clip, totalOf } from '../plan/compile/clips.ts';
import { keepTracksOfClips } from '../plan/compile/keep-tracks-of-clips.ts';
import { surveysOf } from '../plan/compile/ranges.ts';
import { renderSound } from '../plan/compile/render-clips.ts';
import { planClips } from '../plan/compile/splice-clips.ts';
import { UNCHANGED, type Work } from '../plan/compile/work.ts';
import { deinterlacing } from '../plan/deinterlace.ts';
import { allPackets } from '../plan/frame-selection.ts';
import { type Frames, framesOfOnly, needsPackets } from '../plan/frames.ts';
import { planDocument, type Written, writtenText } from '../plan/output.ts';
import { audioOf, lengthOf, micros, only, shownVideo } from '../plan/require-streams.ts';
import { keepLanguage, textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { type Decision, decide, looksForVoices, type SilenceInput } from './detect.ts';
import { exportFiles } from './edit-list.ts';
import { copiesVideo, copyVideo } from './mute.ts';
import { clipsLeft, type EditRequest } from './segments.ts';
import { snapEdgesToKeyframes } from './snap-to-keyframes.ts';
import { decibels } from './threshold.ts';

export const silenceProcess: Planner<SilenceInput> = {
  analyses: (input, probes) => {
    const probe = only(probes);
    const video = shownVideo(input, probe);
    const { index } = audioOf(probe);
    return [
      ...surveys(input, probe),
      ...(video && input.mode !== 'detect' ? textAnalyses(input.tracks, probe) : []),
      ...(input.segments ? [] : [{ kind: 'levels' as const, source: 0, stream: index }]),
      ...(input.segments || !looksForVoices(input)
        ? []
        : [{ kind: 'voice' as const, source: 0, stream: index }]),
      ...(video && (needsPackets(video) || input.mode === 'mute') ? [allPackets()] : []),
    ];
  },

  audioTrack: ({ audio_track }) => audio_track ?? null,

  deinterlacing: (input, video) =>
    deinterlacing(input, video, () => (input.mode === 'speed_up' ? 'parts play faster' : null)),

  plan: (request) => {
    const { input, probes, facts } = request;
    const probe = only(probes);
    const warnings: Warning[] = [];
    const video = shownVideo(input, probe);
    const grid = framesOfOnly(probe, video, facts);
    const duration = lengthOf(probe);
    const decision = snapEdgesToKeyframes(request, grid, decide(input, { duration, grid }, facts, warnings));
    const detects = input.mode === 'detect';
    const clips = clipsLeft(decision.segments, detects ? { ...input, mode: 'remove' } : input, grid);
    const data = {
      segments: decision.segments,
      silence_seconds: silenceIn(decision),
      saved_seconds: micros(duration - totalOf(clips)),
      noise_floor_db: decision.noiseFloorDb,
      threshold_db: decision.thresholdDb,
      detector: decision.detector,
    };
    const extra = [
      ...exportFiles(input.export, { input, probe, segments: decision.segments, clips, grid }),
      ...(facts.levels ? [levelsFile(facts.levels)] : []),
    ];
    if (detects) return listed(data, extra, warnings);
    return edited(request, { clips, grid, data, extra, warnings, fadeMs: input.audio_fade_ms });
  },
};

interface Edit {
  /** What is left, in order. */
  clips: readonly Clip[];
  /** Null for audio only. */
  grid: Frames | null;
  data: Record<string, unknown>;
  /** Files next to the result. */
  extra: readonly Written[];
  warnings: Warning[];
  fadeMs: number;
}

/** The media file that is left of the only source, with packets copied where that is possible. */
export function edited(request: EditRequest, { clips, grid, data, extra, warnings, fadeMs }: Edit): Plan {
  const { input, probes } = request;
  const probe = only(probes);
  const work: Work = { ...UNCHANGED, request, probe, stream: audioOf(probe), clips, grid, fadeMs };
  const done = (plan: Plan) => withFiles(withData(plan, data), extra);
  if (!grid) return done(keepLanguage(renderSound(work, warnings), probe));
  const copies = copiesVideo(request, probe);
  const plan = copies ? copyVideo(request, work, warnings) : planClips(work, warnings);
  return done(keepTracksOfClips(plan, work, input));
}

/** The surveys needed to copy packets or to move edges to keyframes. */
function surveys(input: SilenceInput, probe: MediaProbe): Analysis[] {
  const idle = input.mode === 'mute' || (input.mode === 'detect' && input.segments !== undefined);
  return idle || input.video_url === undefined ? [] : surveysOf(input, probe);
}

function silenceIn({ segments }: Decision): number {
  const silent = segments.filter(({ action }) => action === 'silent');
  return micros(silent.reduce((sum, { start, end }) => sum + end - start, 0));
}

/** A plan for the decision only, as a document. */
export function listed(data: Record<string, unknown>, extra: readonly Written[], warnings: Warning[]): Plan {
  const all = { ...data, copied_seconds: 0, rendered_seconds: 0 };
  return planDocument('segments', all, { warnings, others: extra });
}

const WINDOWS = 10;

/** The level every 100 ms, in dBFS. */
function levelsFile({ peak, rms }: Levels): Written {
  const length = Math.ceil(rms.length / WINDOWS);
  const curve = (level: (from: number, to: number) => number) =>
    Array.from({ length }, (_, index) => {
      const from = index * WINDOWS;
      return Math.round(decibels(level(from, Math.min(rms.length, from + WINDOWS))) * 10) / 10;
    });
  const content = {
    seconds: 0.1,
    rms_db: curve((from, to) =>
      Math.sqrt(rms.subarray(from, to).reduce((sum, value) => sum + value * value, 0) / (to - from)),
    ),
    peak_db: curve((from, to) => peak.subarray(from, to).reduce((most, value) => Math.max(most, value), 0)),
  };
  return writtenText('levels', 'levels', 'json', `${JSON.stringify(content)}\n`);
}
