import type { VideoContainer } from '../../../../schema/operations/fields/fields.ts';
import type { Warning } from '../../../../schema/task/task.ts';
import type { AudioStream, MediaProbe } from '../../../model/media-probe.ts';
import type { ExpectedMedia, Plan } from '../../../model/plan.ts';
import type { Chain, Filter } from '../../../model/steps.ts';
import type { VideoStream } from '../../../model/video-stream.ts';
import type { AudioTarget } from '../audio-target.ts';
import { endsAlike } from '../both-ends.ts';
import { chainsFieldwise } from '../deinterlace.ts';
import { type Kept, type Span, seekFor } from '../frame-selection.ts';
import type { Size } from '../geometry.ts';
import { type MediaRun, planMedia } from '../output.ts';
import { micros } from '../require-streams.ts';
import type { VideoTarget } from '../video-target.ts';

/** A clip at its own speed that is the whole output: a range of a video, or all of it. */
export interface OneClip {
  probe: MediaProbe;
  video: VideoStream;
  target: Pick<VideoTarget, 'codec' | 'encoding'>;
  size: Size;
  span: Span;
  /** Null for all frames of the source. */
  kept: Kept | null;
  /** From `0:<video>` to `v`. */
  chains: Chain[];
  sound: ClipSound | null;
  format: VideoContainer;
  frames: number | null;
  /** Second up to which the last frame is shown; absent for an ordinary last frame. */
  until?: number | undefined;
  identity: NonNullable<ExpectedMedia['identity']>;
  tolerance: number;
  fps: number;
  data?: Record<string, unknown>;
  /** Absent if the operation never copies. */
  copied?: number;
  warnings: Warning[];
}

/** Filters lead to the encoder's input; packets are copied without a target. */
export type ClipSound = { stream: AudioStream } & (
  | { target: AudioTarget; filters: Filter[] }
  | { target: null }
);

/** Renders the clip in one run. */
export function renderClip(clip: OneClip): Plan {
  const { probe, video, target, span, kept, sound, format, until, fps, data, copied, warnings } = clip;
  const duration = micros(span.end - span.start);
  const seek = kept && seekFor(probe, video, span, kept);
  const { encoding } = target;
  const run: MediaRun = {
    container: format,
    inputs: [{ source: 0, seek }],
    chains: [...(encoding.fields ? chainsFieldwise(clip.chains) : clip.chains), ...soundChains(sound)],
    picture: {
      ...{ from: 'v', codec: target.codec, ...clip.size, frames: clip.frames },
      ...(until === undefined ? { encode: encoding } : { encode: { ...encoding, reorder: false }, until }),
    },
    sound: sound && soundFrom(sound),
    ...{ duration, tolerance: clip.tolerance, lead: seek === null ? span.start : 1 },
    identity: { ...clip.identity, heard: sound !== null },
    endsTogether: endsAlike(format, probe, span, until !== undefined),
  };
  const shows = [{ ...span, out: 0, outEnd: duration }];
  return planMedia([], run, { fps, shows, data, copied, warnings });
}

const soundChains = (sound: ClipSound | null): Chain[] =>
  sound?.target
    ? [
        {
          from: [`0:${sound.stream.index}`],
          filters: [...sound.filters, ...sound.target.after],
          to: ['a'],
        },
      ]
    : [];

const soundFrom = ({ stream, target }: ClipSound) =>
  target
    ? { from: 'a', encode: target.encoding }
    : { from: `0:${stream.index}`, encode: 'copy' as const, codec: stream.codec };
