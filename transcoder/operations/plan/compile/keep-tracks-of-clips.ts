import type { Plan } from '../../../model/plan.ts';
import { type Keeping, keepTracks } from '../tracks/keep-tracks.ts';
import { soundOfClips } from './spliced-sound.ts';
import type { Work } from './work.ts';

/** The same output with the other tracks of its source, cut as its clips are. */
export const keepTracksOfClips = (
  plan: Plan,
  work: Work,
  asked: Pick<Keeping, 'tracks' | 'audio_track' | 'format'>,
): Plan =>
  keepTracks(plan, {
    ...{ tracks: asked.tracks, audio_track: asked.audio_track, format: asked.format },
    ...{ probes: [work.probe], facts: work.request.facts, soundOf: ([other]) => soundOfClips(work, other) },
  });
