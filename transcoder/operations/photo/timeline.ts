import type { Warning } from '../../../schema/task/task.ts';
import { least } from '../../model/numbers/min-max.ts';
import type { PlanRequest } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { type FoundAim, foundAim } from '../plan/camera/follow.ts';
import type { FrameRate } from '../plan/frame-rate.ts';
import { fitted, type Size } from '../plan/geometry.ts';
import { probeOf, shown, soundSeconds } from '../plan/require-streams.ts';
import { type StillPicture, stillOf } from '../plan/still-image.ts';
import { type PhotoInput, unitOf } from './canvas.ts';
import type { Path } from './easing.ts';
import { type Motion, pathOf } from './motion-presets.ts';

export type PhotoRequest = PlanRequest<PhotoInput>;

/** A photo on the frames of the output. */
export interface Photo {
  index: number;
  preset: Motion['preset'];
  picture: StillPicture;
  path: Path;
  /** The subject, if it was looked for. */
  found: FoundAim | null;
  frames: number;
  /** First frame in the output. */
  at: number;
  /** Frames shared with the next photo. */
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
      looks: input.focus === 'auto' && photo.focus_x === undefined && photo.focus_y === undefined,
    }));
}

/** Length of the music; null if there is none. Throws `source_no_audio`. */
export function musicSeconds({ input, probes }: Pick<PhotoRequest, 'input' | 'probes'>): number | null {
  if (input.audio_url === undefined) return null;
  const source = photosOf(input).length;
  const probe = probes[source];
  if (probe?.audio && probe.duration > 0) return soundSeconds(probe, probe.audio, probe.duration);
  throw new TaskFailure('source_no_audio', 'The music at audio_url has no audio.', { sourceIndex: source });
}

/**
 * Places every photo in whole frames and plans its movement. Throws TaskFailure if a photo cannot be shown like that.
 */
export function timelineOf(request: PhotoRequest, size: Size, rate: FrameRate, warnings: Warning[]): Photo[] {
  const { input } = request;
  const wanted = input.transition === 'none' ? 0 : Math.round(input.transition_duration * rate.fps);
  const music = musicSeconds(request);
  const musicFrames = music === null ? null : Math.max(1, Math.round(music * rate.fps));
  const own = photosOf(input).map(({ duration }) => Math.round(duration * rate.fps));
  const shared =
    musicFrames !== null && input.length_policy === 'audio' ? stretched(own, musicFrames, wanted) : null;
  const { counts, overlap: most } = shared ?? { counts: own, overlap: wanted };
  const laid = overlapping(counts, most);
  if (laid.slice(0, -1).some(({ overlap }) => overlap < wanted)) {
    const detail = shared
      ? `The transitions were shortened from ${secondsOf(wanted, rate)} s to ${secondsOf(shared.overlap, rate)} s: the music leaves the shortest photo too little time for longer ones.`
      : 'Some transitions were shortened to half the duration of the shorter photo.';
    warnings.push({ code: 'transition_shortened', detail });
  }
  const seen = musicFrames !== null && input.length_policy === 'shortest' ? cutAt(laid, musicFrames) : laid;
  if (seen.slice(0, -1).some(({ overlap }, index) => overlap !== laid[index]?.overlap)) {
    const detail = 'The last transition was shortened because the music ends during it.';
    warnings.push({ code: 'transition_shortened', detail });
  }
  return seen.map((span, index) => ({
    ...photoOf(request, index, span.frames / rate.fps, size),
    ...span,
  }));
}

type Span = Pick<Photo, 'frames' | 'at' | 'overlap'>;

/** Lays photos end to end with the wanted overlap, but at most half of the shorter neighbour. */
function overlapping(counts: readonly number[], wanted: number): Span[] {
  let at = 0;
  return counts.map((frames, index) => {
    const next = counts[index + 1];
    const overlap = next === undefined ? 0 : Math.min(wanted, Math.floor(frames / 2), Math.floor(next / 2));
    const span = { frames, at, overlap };
    at += frames - overlap;
    return span;
  });
}

/** The visible part of the spans up to a frame; a transition that crosses it ends there too. */
function cutAt(spans: readonly Span[], end: number): Span[] {
  const seen = spans.filter(({ at }) => at < end);
  return seen.map(({ frames, at, overlap }, index) => {
    const next = seen[index + 1];
    return { frames: Math.min(frames, end - at), at, overlap: next ? Math.min(overlap, end - next.at) : 0 };
  });
}

/**
 * Scales all durations by the same factor to reach a total of `total` frames, with the longest transitions up to `wanted` that leave each
 * photo time for both of its own. Throws `clip_too_short` if a photo gets no frame.
 */
function stretched(own: readonly number[], total: number, wanted: number) {
  // A photo alone has no transition.
  for (let overlap = own.length > 1 ? wanted : 0; overlap >= 0; overlap--) {
    const counts = scaled(own, total + overlap * (own.length - 1));
    if (least(counts) >= Math.max(1, 2 * overlap)) return { counts, overlap };
  }
  const detail = `The music is too short for ${own.length} photos. Use fewer photos, more equal durations or longer music.`;
  throw new TaskFailure('clip_too_short', detail);
}

/** Distributes frames in proportion to `own`. */
function scaled(own: readonly number[], total: number): number[] {
  const sum = own.reduce((all, frames) => all + frames, 0);
  let [asked, made] = [0, 0];
  return own.map((frames) => {
    asked += frames;
    const count = Math.round((asked / sum) * total) - made;
    made += count;
    return count;
  });
}

function photoOf(request: PhotoRequest, index: number, duration: number, size: Size) {
  const { input, probes, facts } = request;
  const asked = photosOf(input)[index];
  if (!asked) throw new Error(`there is no photo ${index}`);
  const picture = stillOf(probeOf(probes, index), index, facts.sources?.[index]);
  const { preset } = asked;
  if (preset === 'parallax' && !request.engines.has('depth_anything')) {
    const detail = `Photo ${index} uses \`parallax\`, but no depth engine is available. Choose another preset.`;
    throw new TaskFailure('engine_unavailable', detail, { sourceIndex: index });
  }
  const unit = unitOf(picture.size, size, input.fill);
  const subject = facts.sources?.[index]?.subject;
  const found = asked.looks && subject ? foundAim(subject, { picture: picture.size, crop: unit }) : null;
  const { x, y } = found ?? asked.focus;
  const visible = input.fill === 'cover' ? size : fitted(picture.size, size, 'inside');
  const focus = {
    x: 0.5 + ((x - 0.5) * visible.width) / size.width,
    y: 0.5 + ((y - 0.5) * visible.height) / size.height,
  };
  const path = pathOf({
    preset,
    ...{ focus, easing: input.easing, duration, index, seed: input.seed },
    reach: { x: picture.size.width / unit.width, y: picture.size.height / unit.height },
    zoom: { start: input.zoom_start, end: input.zoom_end },
  });
  return { index, preset, picture, path, found };
}

/** Rounded as in the response. */
export const secondsOf = (frames: number, rate: FrameRate) => Number(shown(frames / rate.fps));
