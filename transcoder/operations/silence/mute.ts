import type { Warning } from '../../../schema/task/task.ts';
import type { Plan } from '../../model/plan.ts';
import { canSeek, type MediaProbe } from '../../model/source/media-probe.ts';
import { audioTarget } from '../plan/audio-target.ts';
import { endsWithVideo } from '../plan/both-ends.ts';
import { shownBy, totalOf } from '../plan/compile/clips.ts';
import { soundSteps, soundWork } from '../plan/compile/sound-parts.ts';
import type { Work } from '../plan/compile/work.ts';
import { uprightSize } from '../plan/geometry.ts';
import { type MediaRun, planMedia } from '../plan/output.ts';
import { rawInput } from '../plan/raw-audio.ts';
import { movingOf } from '../plan/require-streams.ts';
import { copiedPicture, copyable } from '../plan/stream-copy.ts';
import type { EditRequest } from './segments.ts';

/** Copies the video packets and joins the sound of the clips, which together cover the whole source. */
export function copyVideo(request: EditRequest, work: Work, warnings: Warning[]): Plan {
  const { probe, clips } = work;
  const { input, facts } = request;
  const { video } = movingOf(probe);
  const { codec, width, height } = video;
  const total = totalOf(clips);
  const sound = soundWork(work, (stream) => audioTarget(stream, input.format));
  if (!sound) throw new Error('a source without sound cannot be muted');
  const run: MediaRun = {
    container: input.format,
    inputs: [{ source: 0, seek: null, copy: true, zero: probe.origin }, rawInput('sound.raw', sound.target)],
    chains: [{ from: ['1:0'], filters: sound.target.after, to: ['a'] }],
    picture: {
      from: `0:${video.index}`,
      encode: { copy: copiedPicture(video, { format: input.format, packets: null }) },
      ...{ codec, width, height, frames: facts.packets?.length ?? null },
    },
    sound: { from: 'a', encode: sound.target.encoding },
    ...{ duration: total, tolerance: video.frameDuration, weight: total / 10, identity: { heard: true } },
    endsTogether: endsWithVideo(probe, { start: 0, end: total }),
  };
  return planMedia(soundSteps(sound), run, {
    ...{ size: uprightSize(video), fps: 1 / video.frameDuration, shows: shownBy(work) },
    ...{ copied: total, warnings },
  });
}

/**
 * Whether all video packets can be copied. For formats without an index ffmpeg counts time from the first video packet,
 * not from the start of the file.
 */
export function copiesVideo(request: EditRequest, probe: MediaProbe): boolean {
  const { packets } = request.facts;
  if (request.input.mode !== 'mute' || packets?.keys[0] !== 1) return false;
  return canSeek(probe) && probe.origin >= 0 && copyable(request);
}
