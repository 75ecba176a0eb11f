import { codecFits, type VideoContainer, videoCodecs } from '../../../schema/operations/fields/fields.ts';
import type { PlanRequest } from '../../model/plan.ts';
import {
  holdsPresentationTimes,
  isTimedByPackets,
  type VideoStream,
} from '../../model/source/video-stream.ts';
import type { CopiedVideo } from '../../model/steps.ts';
import { movingOf, only } from './require-streams.ts';
import type { Delivered } from './splice-compatibility.ts';

/** Whether the source's packets fit the requested container and codec; otherwise the cut is rendered. */
export function copyable({
  input,
  probes,
}: Pick<PlanRequest<Pick<Delivered, 'format' | 'codec'>>, 'input' | 'probes'>): boolean {
  const probe = only(probes);
  const { video } = movingOf(probe);
  if (video.deinterlace === 'always' || video.redescribed) return false;
  // The mov muxer leaves out the configuration, without which no player knows what the colors mean.
  if (video.dolbyVisionOnly !== undefined && input.format === 'mov') return false;
  if (!holdsPresentationTimes(probe.format) || !isTimedByPackets(video)) return false;
  const own = videoCodecs.find((name) => name === video.codec);
  return own !== undefined && codecFits(input.format, own) && (input.codec === 'auto' || input.codec === own);
}

/** Whether a container can hold alpha that is stored next to the picture; null if the video has none of that kind. */
export function besideOf({ alpha, codec }: VideoStream, format: VideoContainer): boolean | null {
  return alpha && /^vp[89]$/.test(codec) ? format === 'webm' || format === 'mkv' : null;
}

/** @param packets How many; null for all. */
export function copiedPicture(
  video: VideoStream,
  { format, packets }: { format: VideoContainer; packets: number | null },
): CopiedVideo {
  const { codec, dolbyVisionOnly } = video;
  return {
    ...{ codec, packets },
    ...(besideOf(video, format) ? { alpha: true } : {}),
    ...(dolbyVisionOnly === undefined ? {} : { dolbyVision: true }),
  };
}
