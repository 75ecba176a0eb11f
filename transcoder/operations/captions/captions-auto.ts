import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Analysis, Plan, Planner, PlanRequest } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import { captionAnalyses, captionsIn, figuresOf } from '../plan/captions/captioned.ts';
import { captionsText } from '../plan/captions/parse-input.ts';
import { withData, withFiles } from '../plan/changed-plan.ts';
import { rangeAnalyses } from '../plan/compile/ranges.ts';
import { wholeSound } from '../plan/compile/spliced-sound.ts';
import { deinterlacing } from '../plan/deinterlace.ts';
import { displaySize, type Size } from '../plan/geometry.ts';
import { planOf } from '../plan/output.ts';
import { audioOf, lengthOf, movingOf, only, pictureOf } from '../plan/require-streams.ts';
import { keepTracks, type SourceProbes, textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { planAlone, planBurnt } from './burn-in.ts';
import { captionFiles, spokenData } from './sidecar-files.ts';
import { withTrack } from './subtitle-track.ts';

type Input = OperationInput<'captions_auto'>;

export const captionsAuto: Planner<Input> = {
  reads: captionsText,

  analyses: (input, probes, means) => {
    const probe = only(probes);
    const { video } = shownBy(input, probe);
    return [...(video ? wholeAnalyses(input, probe) : []), ...captionAnalyses(input, probe, means)];
  },

  deinterlacing,

  plan: (request) => {
    const { input, probes } = request;
    const probe = only(probes);
    const { video, drawn: burns, canvas, step } = shownBy(input, probe);
    const duration = lengthOf(probe);
    const warnings: Warning[] = [];
    if (input.video_url !== undefined && !probe.video) warnings.push(soundAlone);
    const asked = { duration, step, canvas: burns ? canvas : null, laidOutFor: canvas };
    const captioned = captionsIn(
      request,
      { ...asked, draws: burns || input.outputs.includes('ass') },
      warnings,
    );
    const { cues, words, drawn, language } = captioned;
    const data = { ...spokenData(words, request.facts), ...figuresOf(captioned) };
    const files = captionFiles(input.outputs, { cues, words, drawn, language });
    if (!video) return withData(filesAlone(files, warnings), data);
    const shown = { cues: burns ? cues : [], drawn };
    if (input.background !== 'video') {
      const alone = planAlone(request, shown, input.background, warnings);
      return withData(withFiles(alone, files), data);
    }
    const plan = withTracks(request, planBurnt(request, shown, warnings));
    const whole = input.embed === 'soft' ? withTrack(plan, cues, { format: input.format, language }) : plan;
    return withData(withFiles(whole, files), data);
  },
};

interface Shown {
  /** The video of the result; null for files alone. */
  video: VideoStream | null;
  /** Whether captions are drawn into it. */
  drawn: boolean;
  /** Size of the picture for which captions are laid out. */
  canvas: Size;
  /** Seconds of a frame. */
  step: number;
}

/** Captions of sound alone are laid out for this picture. */
const blank = { canvas: { width: 1920, height: 1080 }, step: 1 / 25 };

/** What the result shows. Throws `source_no_video` if captions have to be drawn into a picture that the source does not have. */
function shownBy(input: Input, probe: MediaProbe): Shown {
  const sound = input.audio_url !== undefined;
  if (sound && probe.still) audioOf(probe);
  lengthOf(probe);
  const pictured = probe.streams.some(({ type }) => type === 'video');
  const asked = input.burn === true || input.embed === 'soft' || input.background !== 'video';
  const needed = asked || input.outputs.length === 0 || pictured;
  if (sound || (!probe.video && !needed)) return { video: null, drawn: false, ...blank };
  const video = pictureOf(probe);
  const drawn = input.burn ?? true;
  const canvas = displaySize(video);
  return {
    video: drawn || input.embed === 'soft' ? video : null,
    ...{ drawn, canvas, step: video.frameDuration },
  };
}

const soundAlone: Warning = {
  code: 'video_missing',
  detail: 'The source has no video, so the captions are not burned in but returned as files only.',
};

function wholeAnalyses(input: Input, probe: MediaProbe): Analysis[] {
  const whole = [{ start: 0, end: movingOf(probe).duration }];
  // Captions alone copy nothing, so no survey is needed.
  if (input.background !== 'video') return rangeAnalyses({ ...input, quality: 'high' }, probe, whole);
  return [...rangeAnalyses(input, probe, whole), ...textAnalyses('all', probe)];
}

/** With the other sound tracks, text tracks and chapters of the video. */
function withTracks({ input, probes, facts }: PlanRequest<Input>, plan: Plan): Plan {
  const probe = only(probes);
  const { format } = input;
  const soundOf = ([other]: SourceProbes) => wholeSound(other, format);
  return keepTracks(plan, { tracks: 'all', format, probes: [probe], facts, soundOf });
}

const filesAlone = (files: ReturnType<typeof captionFiles>, warnings: Warning[]): Plan =>
  planOf({ steps: files.map(({ step }) => step), files, copied: 0, warnings });
