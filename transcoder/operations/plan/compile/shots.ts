import type { VideoStream } from '../../../model/source/video-stream.ts';
import { videoFades } from '../filters.ts';
import { goesOn } from '../frame-selection.ts';
import { drawnInFullRange } from '../video-target.ts';
import { type Clip, picturesOf, totalOf } from './clips.ts';
import type { Shot, Work } from './work.ts';

/** A shot, as a clip if it is counted on a frame grid. */
type PlacedShot = Shot & {
  clip: Clip | null;
  /** Whether the output already shows the frame that is on screen at its start. */
  continues: boolean;
};

export function shotsOf({ clips, grid, fades, drawn, probe }: Work): PlacedShot[] {
  if (grid) {
    return picturesOf(clips, grid).map((clip) => ({
      ...{ start: clip.start, end: clip.end, out: clip.out, filters: null, clip },
      continues: grid.uneven && clip.frames?.held === null,
    }));
  }
  const shots = drawn?.shots ?? fadingShots(clips, fades, probe.video);
  return shots.map((shot, index) => ({ ...shot, clip: null, continues: goesOn(shots[index - 1], shot) }));
}

/** Splits ranges one frame outside each fade. */
function fadingShots(clips: readonly Clip[], fades: Work['fades'], video: VideoStream | null): Shot[] {
  const total = totalOf(clips);
  const frame = video?.frameDuration ?? 0;
  const drawn = videoFades(fades, total);
  const unnamed = video?.color.range === 'pc' && !video.pixelFormat.startsWith('yuvj');
  const filters = unnamed && drawn.length > 0 ? drawnInFullRange(drawn, video.pixelFormat) : drawn;
  const [clearFrom, clearTo] = [
    fades.in > 0 ? fades.in + frame : 0,
    fades.out > 0 ? total - fades.out - frame : total,
  ];
  const cuts = clearFrom < clearTo ? [clearFrom, clearTo] : [];
  return clips.flatMap(({ start, end, out: begin }) => {
    const until = begin + end - start;
    const inside = cuts.filter((cut) => cut > begin + frame / 2 && cut < until - frame / 2);
    const edges = [begin, ...inside, until];
    return inside.concat(until).map((to, index): Shot => {
      const from = edges[index] ?? begin;
      const middle = (from + to) / 2;
      const faded = filters.length > 0 && !(middle > clearFrom && middle < clearTo);
      const span = { start: start + from - begin, end: start + to - begin };
      return { ...span, out: from, filters: faded ? filters : null };
    });
  });
}
