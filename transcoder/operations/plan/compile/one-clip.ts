import type { VideoContainer } from '../../../../schema/operations/fields/fields.ts';
import type { Warning } from '../../../../schema/task/task.ts';
import type { ExpectedMedia, Plan } from '../../../model/plan.ts';
import type { AudioStream, MediaProbe } from '../../../model/source/media-probe.ts';
import type { VideoStream } from '../../../model/source/video-stream.ts';
import type { Chain, Filter } from '../../../model/steps.ts';
import type { AudioTarget } from '../audio-target.ts';
import { endsAlike } from '../both-ends.ts';
import { chainsFieldwise } from '../deinterlace.ts';
import { endOf, type Kept, seekFor } from '../frame-selection.ts';
import type { Span } from '../frames.ts';
import type { Size } from '../geometry.ts';
import type { MadeSound } from '../joined-parts.ts';
import { type MediaRun, planMedia, type Sound } from '../output.ts';
import { padded } from '../raw-audio.ts';
import { micros } from '../require-streams.ts';
import type { VideoTarget } from '../video-target.ts';

/** A clip at its own speed that is the whole output: a range of a video, or all of it. */
export interface OneClip {
  probe: MediaProbe;
  video: VideoStream;
  target: Pick<VideoTarget, 'encoding'> & { codec: string };
  size: Size;
  span: Span;
  /** Null for all frames of the source. */
  kept: Kept | null;
  /** From `0:<video>` to `v`. */
  chains: Chain[];
  sound: ClipSound | MadeSound | null;
  format: VideoContainer;
  frames: number | null;
  /** Second up to which the last frame is shown; absent for an ordinary last frame. */
  until?: number | undefined;
  /** Seconds, if the filters make more of the span. */
  duration?: number | undefined;
  /** Whether picture and sound end together, if that does not depend on the source. */
  endsTogether?: boolean | undefined;
  /** Null if nothing of the source is seen or heard. */
  identity: NonNullable<ExpectedMedia['identity']> | null;
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
  const shows = [{ ...span, out: 0, outEnd: micros(span.end - span.start) }];
  const duration = clip.duration ?? micros(span.end - span.start);
  const seek = kept && seekFor(probe, video, span, kept);
  const { encoding } = target;
  const endsTogether = clip.endsTogether ?? endsAlike(format, probe, span, until !== undefined);
  const run: MediaRun = {
    container: format,
    inputs: [
      { source: 0, seek, end: endOf(probe, span) },
      ...(sound && 'inputs' in sound ? sound.inputs : []),
    ],
    chains: [
      ...(encoding.fields ? chainsFieldwise(clip.chains) : clip.chains),
      ...soundChains(sound, endsTogether ? duration : null),
    ],
    picture: {
      ...{ from: 'v', codec: target.codec, ...clip.size, frames: clip.frames },
      ...(until === undefined ? { encode: encoding } : { encode: { ...encoding, reorder: false }, until }),
    },
    sound: sound && soundFrom(sound),
    ...{ duration, tolerance: clip.tolerance, lead: seek === null ? span.start : 1 },
    ...(clip.identity ? { identity: { ...clip.identity, heard: sound !== null && 'stream' in sound } } : {}),
    endsTogether,
  };
  return planMedia([], run, { fps, shows, data, copied, warnings });
}

/** @param until Second up to which the sound is padded: the source may have none at the end of the span. */
function soundChains(sound: ClipSound | MadeSound | null, until: number | null): Chain[] {
  if (!sound) return [];
  if ('chains' in sound) return sound.chains;
  const { stream, target } = sound;
  const padding = until === null ? [] : padded(until);
  return target
    ? [{ from: [`0:${stream.index}`], filters: [...sound.filters, ...padding, ...target.after], to: ['a'] }]
    : [];
}

const soundFrom = (sound: ClipSound | MadeSound): Sound =>
  sound.target
    ? { from: 'a', encode: sound.target.encoding }
    : { from: `0:${sound.stream.index}`, encode: 'copy', codec: sound.stream.codec };
