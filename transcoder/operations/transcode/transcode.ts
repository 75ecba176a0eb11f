import type { AudioContainer, VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Facts, Loudness, Place, Plan, Planner, PlanRequest } from '../../model/plan.ts';
import type { AudioStream, MediaProbe } from '../../model/source/media-probe.ts';
import { mixedTo } from '../../model/source/sound-times.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import type { Filter } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { type AudioTarget, audioTarget, loudAgain } from '../plan/audio-target.ts';
import { wholeSound } from '../plan/compile/spliced-sound.ts';
import { deinterlacing, isFieldwise } from '../plan/deinterlace.ts';
import { constantRate } from '../plan/filters.ts';
import { frameRate } from '../plan/frame-rate.ts';
import {
  askedSize,
  displaySize,
  evenFilters,
  fitFilters,
  isEvenPart,
  placeOf,
  type Size,
  upright,
  uprightSize,
  WHOLE,
} from '../plan/geometry.ts';
import { type MediaRun, planMedia, shownWhole } from '../plan/output.ts';
import { lastFrameAnalyses, planWhole, wholeAudio, wholeVideo } from '../plan/render-whole.ts';
import { audioOf, movingOf, only } from '../plan/require-streams.ts';
import { keepLanguage, keepTracks, textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { encodable, rateText, videoTarget } from '../plan/video-target.ts';

type Input = OperationInput<'transcode'>;

export const transcode: Planner<OperationInput<'transcode'>> = {
  analyses: (input, probes) => {
    const probe = only(probes);
    if (input.audio_only) audioOf(probe);
    else movingOf(probe);
    const texts = input.audio_only ? [] : [...textAnalyses(input.tracks, probe), ...lastFrameAnalyses(probe)];
    if (input.normalize_lufs === undefined) return texts;
    const sound = audioOf(probe);
    const { encoding } = soundOf(sound, input.audio_only ? audioFormat(input) : videoFormat(input), input);
    const mixed = encoding.remixed ? { mixed: encoding.remixed.to } : {};
    return [...texts, { kind: 'loudness', source: 0, stream: sound.index, ...mixed }];
  },
  audioTrack: ({ audio_track }) => audio_track ?? null,

  deinterlacing: (input, video) =>
    input.audio_only
      ? { mode: 'auto', lost: null }
      : deinterlacing({ ...input, format: videoFormat(input) }, video, () => mixedBy(input, video)),

  plan: (request) => (request.input.audio_only ? planAudio(request) : planVideo(request)),
};

function planVideo({
  input,
  probes,
  facts,
  limits,
  capabilities,
}: PlanRequest<OperationInput<'transcode'>>): Plan {
  const probe = only(probes);
  const { video } = movingOf(probe);
  const format = videoFormat(input);
  const warnings: Warning[] = [];
  const late = video.startTime - probe.origin;
  const rate = input.fps === undefined ? null : frameRate(input.fps);
  const shape = shapeOf(input, video);
  const target = videoTarget(video, { ...input, format }, shape.displayed, capabilities);
  const { size, filters } = encodable(shape.size, target, limits.output_side_px, warnings);
  const plan = planWhole({
    probe,
    video,
    target,
    size,
    chains: [
      {
        from: [`0:${video.index}`],
        filters: [
          ...wholeVideo(probe, video),
          ...(rate ? constantRate(rateText(rate.fps), late, Math.round(video.duration * rate.fps)) : []),
          ...target.before,
          ...shape.filters,
          ...filters,
        ],
        to: ['v'],
      },
    ],
    sound: probe.audio
      ? {
          stream: probe.audio,
          asked: askedSound(input),
          before: loudnessFilters(
            input,
            soundIn(probe, probe.audio, facts),
            soundOf(probe.audio, format, input),
          ),
        }
      : null,
    format,
    frames: video.pace === 'constant' && !rate ? video.frames : null,
    place: shape.place,
    fps: rate?.fps,
    data: { measured_lufs: facts.loudness?.integrated ?? null },
    warnings,
    packets: facts.packets,
  });
  return keepTracks(plan, {
    ...input,
    format,
    probes: [probe],
    facts,
    soundOf: ([other]) => wholeSound(other, format, askedSound(input)),
  });
}

function planAudio({ input, probes, facts }: PlanRequest<OperationInput<'transcode'>>): Plan {
  const probe = only(probes);
  const stream = audioOf(probe);
  const container = audioFormat(input);
  const target = soundOf(stream, container, input);
  const duration = stream.startTime + stream.duration - probe.origin;
  const filters = [
    ...wholeAudio(probe),
    ...loudnessFilters(input, soundIn(probe, stream, facts), target),
    ...target.after,
  ];
  const run: MediaRun = {
    ...{ container, picture: null, sound: { from: 'a', encode: target.encoding } },
    inputs: [{ source: 0, seek: null }],
    chains: [{ from: [`0:${stream.index}`], filters, to: ['a'] }],
    ...{ duration, tolerance: 0.1, identity: { heard: true } },
  };
  const data = { measured_lufs: facts.loudness?.integrated ?? null };
  return keepLanguage(planMedia([], run, { shows: shownWhole(duration), data }), probe);
}

const askedSound = (input: Input) => ({
  codec: input.audio_codec,
  kbps: input.audio_bitrate_kbps ?? null,
});

const soundOf = (stream: AudioStream, container: VideoContainer | AudioContainer, input: Input) =>
  audioTarget(stream, container, askedSound(input));

/** Why fields cannot be kept; null if they can. */
function mixedBy(input: Input, video: VideoStream): string | null {
  if (input.fps !== undefined) return 'the frame rate changes';
  const { size, place } = shapeOf(input, video);
  const { of, at } = place;
  const lines = [at.y * size.height, at.height * size.height, of.y * video.displayHeight].map(Math.round);
  return isFieldwise(size.height, ...lines) ? null : 'the fields of a picture of this size would be mixed';
}

/** Pixels are made square only if the size changes. */
function shapeOf(
  input: Input,
  video: VideoStream,
): { size: Size; displayed: Size; filters: Filter[]; place: Place } {
  const display = displaySize(video);
  const asked = askedSize(display, input);
  if (!asked) {
    return { size: uprightSize(video), displayed: display, filters: [], place: { of: WHOLE, at: WHOLE } };
  }
  const fitted = isEvenPart(display, asked)
    ? { size: asked, filters: evenFilters(display, asked) }
    : fitFilters(display, asked, input.fit, true);
  const place = placeOf(display, fitted.size, input.fit);
  const { size } = fitted;
  return { size, displayed: size, filters: [...upright(video), ...fitted.filters], place };
}

/** Seconds of the blocks of EBU R 128: shorter sound has no loudness, however loud it is. */
const LEAST_MEASURED = 0.4;

interface Measured {
  loudness: Loudness | null | undefined;
  /** Decoded, if that is known. */
  seconds: number;
}

const soundIn = ({ origin }: MediaProbe, { startTime, duration }: AudioStream, facts: Facts): Measured => ({
  loudness: facts.loudness,
  seconds: Math.min(duration, (facts.heard ?? Number.POSITIVE_INFINITY) - (startTime - origin)),
});

/** The second pass of loudnorm. Throws `all_silent` if there is no loudness to normalize. */
function loudnessFilters(input: Input, { loudness, seconds }: Measured, target: AudioTarget): Filter[] {
  if (input.normalize_lufs === undefined) return [];
  if (!loudness) {
    const why =
      seconds < LEAST_MEASURED
        ? `The sound is shorter than ${LEAST_MEASURED} s, too short to be measured`
        : 'The source is silent';
    const detail = `${why}, so its loudness cannot be normalized. Remove normalize_lufs.`;
    throw new TaskFailure('all_silent', detail, { sourceIndex: 0 });
  }
  // loudnorm takes no loudness above 0 LUFS, and 0 for "not measured".
  const over = Math.max(0, Math.ceil(loudness.integrated + 1));
  const { remixed } = target.encoding;
  return [
    ...(remixed ? [mixedTo(remixed.to)] : []),
    ...(over > 0 ? [{ name: 'volume', options: { volume: `${(-over).toFixed(2)}dB` } }] : []),
    {
      name: 'loudnorm',
      options: {
        I: input.normalize_lufs,
        TP: -1.5,
        LRA: Math.min(20, Math.max(11, loudness.range)),
        measured_I: loudness.integrated - over,
        // 0 would mean "not measured", and loudnorm would then adjust the gain dynamically.
        measured_LRA: Math.max(0.1, loudness.range),
        measured_TP: loudness.truePeak - over,
        measured_thresh: Math.min(0, loudness.threshold - over),
        linear: 'true',
      },
    },
    ...loudAgain(target),
  ];
}

function videoFormat(input: Input) {
  const { format = 'mp4' } = input;
  if (format === 'mp4' || format === 'mov' || format === 'webm' || format === 'mkv') return format;
  throw new Error(`the schema should have refused video in ${format}`);
}

function audioFormat(input: Input) {
  const { format = 'mp3' } = input;
  if (format === 'mp4' || format === 'mov' || format === 'webm' || format === 'mkv') {
    throw new Error(`the schema should have refused audio_only with ${format}`);
  }
  return format;
}
