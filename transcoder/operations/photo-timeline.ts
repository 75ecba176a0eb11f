import { engineOf } from '../../schema/engines.ts';
import type { Warning } from '../../schema/task.ts';
import { TaskFailure } from '../failure.ts';
import type { PlanRequest } from '../media/plan.ts';
import type { FrameRate } from './frame-rate.ts';
import { fitted, type Size } from './geometry.ts';
import { type PhotoInput, unitOf } from './photo-canvas.ts';
import { type Motion, pathOf } from './photo-motion.ts';
import type { Path } from './photo-path.ts';
import { shown } from './source.ts';
import { type StillPicture, stillOf } from './still-picture.ts';

export type PhotoRequest = PlanRequest<PhotoInput>;

/** A photo on the frames of the result. */
export interface Photo {
  index: number;
  preset: Motion['preset'];
  picture: StillPicture;
  path: Path;
  frames: number;
  /** Frame of the result at which it begins. */
  at: number;
  /** Frames that it shares with the next one. */
  overlap: number;
}

export function photosOf(input: PhotoInput) {
  const list = input.photo_urls ?? (input.photo_url === undefined ? [] : [input.photo_url]);
  return list
    .map((photo) => (typeof photo === 'string' ? { url: photo } : photo))
    .map((photo) => ({
      duration: photo.duration ?? input.duration,
      preset: photo.preset ?? input.preset,
      focus: { x: photo.focus_x ?? input.focus_x, y: photo.focus_y ?? input.focus_y },
    }));
}

/** Seconds of the music; null where there is none. Throws `source_no_audio`. */
export function musicSeconds({ input, probes }: Pick<PhotoRequest, 'input' | 'probes'>): number | null {
  if (input.audio_url === undefined) return null;
  const source = photosOf(input).length;
  const probe = probes[source];
  if (probe?.audio && probe.duration) return probe.duration;
  throw new TaskFailure('source_no_audio', 'The music has no sound.', { sourceIndex: source });
}

/** When every photo is seen, in whole frames, and how it moves. Throws TaskFailure where a photo cannot be shown so. */
export function timelineOf(request: PhotoRequest, size: Size, rate: FrameRate, warnings: Warning[]): Photo[] {
  const { input } = request;
  const counts = framesOf(request, rate);
  const wanted = input.transition === 'none' ? 0 : Math.round(input.transition_duration * rate.fps);
  const overlaps = counts.map((frames, index) => {
    const next = counts[index + 1];
    return next === undefined ? 0 : Math.min(wanted, Math.floor(frames / 2), Math.floor(next / 2));
  });
  if (overlaps.slice(0, -1).some((frames) => frames < wanted)) {
    const detail = 'Some transitions take half of the shorter photo: it is seen too briefly for more.';
    warnings.push({ code: 'transition_shortened', detail });
  }
  let at = 0;
  return counts.map((frames, index) => {
    const photo = {
      ...photoOf(request, index, frames / rate.fps, size),
      frames,
      at,
      overlap: overlaps[index] ?? 0,
    };
    at += frames - photo.overlap;
    return photo;
  });
}

/** Frames of every photo that is seen, as the length of the music asks. */
function framesOf(request: PhotoRequest, rate: FrameRate): number[] {
  const { input } = request;
  const music = musicSeconds(request);
  const own = photosOf(input).map(({ duration }) => Math.round(duration * rate.fps));
  if (music === null || input.length_policy === 'video') return own;
  const overlap = input.transition === 'none' ? 0 : Math.round(input.transition_duration * rate.fps);
  const total = own.reduce((sum, frames) => sum + frames, 0) - overlap * (own.length - 1);
  const heard = Math.max(1, Math.round(music * rate.fps));
  if (input.length_policy === 'shortest') return total <= heard ? own : cutTo(own, heard, overlap);
  return stretched(own, heard, overlap);
}

/** All of them, each longer or shorter by the same factor, so that together they take so many frames. */
function stretched(own: readonly number[], heard: number, overlap: number): number[] {
  const sum = own.reduce((all, frames) => all + frames, 0);
  const wanted = heard + overlap * (own.length - 1);
  let [asked, made] = [0, 0];
  const counts = own.map((frames) => {
    asked += frames;
    const count = Math.round((asked / sum) * wanted) - made;
    made += count;
    return count;
  });
  if (Math.min(...counts) >= Math.max(1, 2 * overlap)) return counts;
  const detail = `The music is too short for ${own.length} photos with these transitions.`;
  throw new TaskFailure('clip_too_short', detail);
}

/** The first of them, the last one for as long as there is room. */
function cutTo(own: readonly number[], heard: number, overlap: number): number[] {
  const kept: number[] = [];
  let left = heard;
  for (const frames of own) {
    const room = kept.length === 0 ? left : left + overlap;
    if (kept.length > 0 && room < 2 * overlap + 1) break;
    kept.push(Math.min(frames, room));
    left = room - Math.min(frames, room);
    if (left <= 0) break;
  }
  return kept;
}

function photoOf(request: PhotoRequest, index: number, duration: number, size: Size) {
  const { input, probes, facts } = request;
  const [asked, probe] = [photosOf(input)[index], probes[index]];
  if (!asked || !probe) throw new Error(`photo ${index} has no source`);
  const picture = stillOf(probe, index, facts.sources?.[index]);
  const { preset } = asked;
  if (preset === 'parallax' && !request.engines.has('depth_anything')) {
    const { title, get } = engineOf('depth_anything');
    const detail = `Photo ${index} asks for parallax, which needs ${title}. ${get} Any other preset works.`;
    throw new TaskFailure('engine_unavailable', detail, { sourceIndex: index });
  }
  const unit = unitOf(picture.size, size, input.fill);
  const visible = input.fill === 'cover' ? size : fitted(picture.size, size, 'inside');
  const focus = {
    x: 0.5 + ((asked.focus.x - 0.5) * visible.width) / size.width,
    y: 0.5 + ((asked.focus.y - 0.5) * visible.height) / size.height,
  };
  const path = pathOf({
    preset,
    ...{ focus, easing: input.easing, duration, index, seed: input.seed },
    reach: { x: picture.size.width / unit.width, y: picture.size.height / unit.height },
    zoom: { start: input.zoom_start, end: input.zoom_end },
  });
  return { index, preset, picture, path };
}

/** Seconds as the result tells them. */
export const secondsOf = (frames: number, rate: FrameRate) => Number(shown(frames / rate.fps));
