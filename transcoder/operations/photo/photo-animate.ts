import { engineUsedOf } from '../../../schema/media/engines.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Plan, Planner } from '../../model/plan.ts';
import { lookAt } from '../plan/camera/look.ts';
import { frameRate } from '../plan/frame-rate.ts';
import { drawnTarget } from '../plan/generated-video.ts';
import { askedSize, evenNear, type Size } from '../plan/geometry.ts';
import { entriesOf, planParts } from '../plan/joined-parts.ts';
import { checkSide, probeOf } from '../plan/require-streams.ts';
import { stillOf, turned } from '../plan/still-image.ts';
import { type PhotoInput, unitOf } from './canvas.ts';
import { partsOf, type Stage } from './render-parts.ts';
import { musicOf, repeats } from './soundtrack.ts';
import { musicSeconds, type Photo, type PhotoRequest, photosOf, secondsOf, timelineOf } from './timeline.ts';

export const photoAnimate: Planner<PhotoInput> = {
  analyses: (input, probes) => {
    musicSeconds({ input, probes });
    return photosOf(input).map((_, source) => {
      stillOf(probeOf(probes, source), source, undefined);
      return { kind: 'display', source };
    });
  },

  again: (request) => {
    const { input, probes, facts } = request;
    const size = sizeOf(input);
    return photosOf(input).flatMap(({ looks }, source) => {
      if (!looks) return [];
      const picture = stillOf(probeOf(probes, source), source, facts.sources?.[source]);
      const turn = turned[picture.orientation];
      return [lookAt(source, picture.size, unitOf(picture.size, size, input.fill), turn)];
    });
  },

  plan: (request) => {
    const { input, limits, capabilities } = request;
    const size = sizeOf(input);
    checkSide(size, limits.output_side_px);
    const rate = frameRate(input.fps);
    const warnings: Warning[] = [];
    const photos = timelineOf(request, size, rate, warnings);
    const target = drawnTarget(input, size, rate, capabilities);
    return planPhotos(request, photos, { size, rate, target, warnings });
  },
};

/** Default for the shorter and longer side. */
const [SHORT, LONG] = [1080, 1920];

export function sizeOf(input: PhotoInput): Size {
  const [w = 16, h = 9] = input.aspect_ratio.split(':').map(Number);
  const asked = askedSize({ width: w, height: h }, input);
  if (asked) return asked;
  const scale = Math.min(SHORT / Math.min(w, h), LONG / Math.max(w, h));
  return { width: evenNear(w * scale), height: evenNear(h * scale) };
}

/** Encodes photos and transitions separately and joins them without re-encoding. */
function planPhotos(request: PhotoRequest, photos: readonly Photo[], stage: Stage): Plan {
  const { input } = request;
  const { size, rate, target, warnings } = stage;
  const parts = photos.flatMap((photo, index) => partsOf(request, photos, index, photo, stage));
  const deep = photos.filter(({ preset }) => preset === 'parallax');
  const last = photos.at(-1);
  const frames = (last?.at ?? 0) + (last?.frames ?? 0);
  const duration = frames / rate.fps;
  const music = musicOf(request, duration);
  const data = {
    engine: deep.length > 0 ? engineUsedOf('depth_anything') : null,
    timeline: photos.map(({ index, preset, at, frames: own, found }) => ({
      photo: index,
      preset,
      start: secondsOf(at, rate),
      end: secondsOf(at + own, rate),
      ...(found ? { focus: found } : {}),
    })),
  };
  return planParts(
    {
      pictures: parts.flatMap(({ steps }) => steps),
      sounds: [],
    },
    {
      ...{
        container: input.format,
        entries: entriesOf(parts, rate),
        picture: { codec: target.codec, ...size, frames },
      },
      sound: music && {
        ...{ target: music.target, chains: music.chains },
        inputs: [{ source: music.source, seek: null, loop: repeats(input) }],
      },
      ...{ duration, tolerance: 1 / rate.fps, endsTogether: true },
    },
    { fps: rate.fps, data, warnings },
  );
}
