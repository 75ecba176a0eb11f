import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { decimal } from '../../model/numbers/decimal.ts';
import type { Analysis, Place, Plan } from '../../model/plan.ts';
import type { AudioStream, MediaProbe } from '../../model/source/media-probe.ts';
import type { Packets } from '../../model/source/packets.ts';
import { soundSince } from '../../model/source/sound-times.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import type { Filter } from '../../model/steps.ts';
import { type AskedSound, audioTarget } from './audio-target.ts';
import { variableRate } from './compile/encoding.ts';
import { type ClipSound, type OneClip, renderClip } from './compile/one-clip.ts';
import { copiesWhole } from './copy-audio.ts';
import { framesSince, timedFrames, withoutGaps } from './filters.ts';
import { allPackets } from './frame-selection.ts';
import { needsPackets } from './frames.ts';
import { lengthOf } from './require-streams.ts';
import { inRange } from './video-target.ts';

/** All frames of the video, relative to the start of the source. */
export function wholeVideo(probe: MediaProbe, video: VideoStream): Filter[] {
  return [...timedFrames(video), framesSince(video, probe.origin)];
}

/**
 * All sound, relative to the start of the source, with a late start and gaps filled with silence. Samples of the last
 * packet after the end that players show are dropped.
 */
export function wholeAudio(probe: MediaProbe): Filter[] {
  return [
    ...soundSince(probe.audio, probe.origin),
    withoutGaps,
    { name: 'atrim', options: { end: decimal(lengthOf(probe)) } },
  ];
}

/** What is made of all frames and the sound of a source. */
interface Whole
  extends Pick<OneClip, 'probe' | 'video' | 'target' | 'size' | 'chains' | 'format' | 'frames'> {
  sound: {
    stream: AudioStream;
    asked: AskedSound;
    before: Filter[];
  } | null;
  /** Which part of the upright picture is visible, and where. */
  place: Place;
  /** Where it stands still, if it moves. */
  still?: { from: number; to: number; place: Place }[] | undefined;
  fps?: number | undefined;
  data: Record<string, unknown>;
  warnings: Warning[];
  /** See `lastFrameAnalyses`. */
  packets: Packets | undefined;
}

/** Containers that state how long the last frame is. */
const statingLast: readonly Demuxer[] = ['mov', 'matroska'];

/** Lists the frames of a video whose last frame may be longer than the others. */
export const lastFrameAnalyses = ({ format, video }: MediaProbe): Analysis[] =>
  statingLast.includes(format) && video && needsPackets(video) ? [allPackets()] : [];

/** Average frames: encoders give the last frame about one. */
const LONG = 1.5;

/** Second of the output up to which a long last frame is shown. */
function heldUntil({ probe, video, packets }: Whole): number | undefined {
  const last = packets?.shown.at(-1);
  const end = video.startTime + video.duration;
  return last !== undefined && end - last > LONG * video.frameDuration ? end - probe.origin : undefined;
}

/** The sound; its packets are copied if the request does not ask for a different codec or bitrate. */
function soundOf({ probe, format, sound }: Whole): ClipSound | null {
  if (!sound) return null;
  const { stream, asked, before } = sound;
  const unchanged = asked.codec === 'auto' && asked.kbps === null && before.length === 0;
  if (unchanged && copiesWhole(probe, stream, format)) return { stream, target: null };
  return {
    stream,
    target: audioTarget(stream, format, asked),
    filters: [...wholeAudio(probe), ...before],
  };
}

/** Animations say of each frame how long it is shown, and the last one is often shown longest. */
const animations: readonly Demuxer[] = ['gif', 'apng'];

/** The clip that is all of a source. */
export function planWhole(all: Whole): Plan {
  const { place, still, fps, packets, ...whole } = all;
  const { probe, video, warnings } = whole;
  const duration = lengthOf(probe);
  if (video.pace === 'variable' && fps === undefined) warnings.push(variableRate());
  const chains = whole.chains.map((chain) => ({ ...chain, filters: inRange(chain.filters, whole.target) }));
  return renderClip({
    ...{ ...whole, chains },
    ...{ span: { start: 0, end: duration }, kept: null, sound: soundOf(all) },
    until: fps === undefined ? (animations.includes(probe.format) ? duration : heldUntil(all)) : undefined,
    identity: { places: { 0: place }, ...(still ? { still } : {}), grid: fps === undefined ? [] : [0] },
    tolerance: fps === undefined ? video.frameDuration : Math.max(video.frameDuration, 1 / fps),
    fps: fps ?? 1 / video.frameDuration,
  });
}
