import { firstIndex } from '../../../model/numbers/first-index.ts';
import { greatest, least } from '../../../model/numbers/min-max.ts';
import type { SeenFace, Sighting, Spot, Subject } from '../../../model/subject.ts';
import type { Size } from '../geometry.ts';

/** Where a crop should look at a time, as shares of the picture's sides, and why there. */
export interface Aim extends Spot {
  time: number;
  by: 'face' | 'saliency' | 'center';
}

/** Faces in fewer of a scene's frames than this are taken for errors. */
const LEAST_SHARE = 0.15;
/** The least score of a face that is seen once, and of one that is seen twice. */
const SURE = { once: 0.5, twice: 0.4 };
/** Another face counts as much as the main one from this part of its weight on. */
const EQUAL = 0.4;
/** Several faces are framed together if they fill at most this part of the crop, in most frames. */
const TOGETHER = { part: 0.9, frames: 0.8 };
/** A face continues a track if it moved by at most this many of its own sides. */
const NEAR = 2.5;
/** After this many seconds without the main face, another one may take its place. */
const PATIENCE = 2;

/** The faces of one person in a scene. */
interface Track {
  faces: Map<Sighting, SeenFace>;
  last: SeenFace;
  weight: number;
}

/**
 * Where to look from `start` up to `end`, which are one scene: at the face that is largest and seen longest, together with
 * others if they fit; without faces, at what stands out; otherwise at the center.
 * @param crop Sides as shares of the picture's.
 */
export function aimsOf({ sightings }: Subject, start: number, end: number, crop: Size): Aim[] {
  const from = (time: number) =>
    firstIndex(sightings.length, (at) => (sightings[at]?.time ?? 0) >= time - TINY);
  const own = sightings.slice(from(start), from(end));
  const tracks = tracksOf(own);
  const faces = framed(own, tracks, crop);
  if (faces.length > 0 && faces.length >= own.length * LEAST_SHARE) return faces;
  const salient = own.flatMap(({ time, salient }) =>
    salient ? [{ time, x: salient.x, y: salient.y, by: 'saliency' as const }] : [],
  );
  if (salient.length > 0 && salient.length >= own.length * LEAST_SHARE) return salient;
  return [{ time: start, x: 0.5, y: 0.5, by: 'center' }];
}

const TINY = 1e-6;

function framed(sightings: readonly Sighting[], tracks: readonly Track[], crop: Size): Aim[] {
  const [main] = tracks;
  if (!main) return [];
  const aim = (time: number, { x, y }: Spot): Aim => ({ time, x, y, by: 'face' });
  const many = tracks.filter(({ weight }) => weight >= EQUAL * main.weight);
  const groups = many.length > 1 ? groupsIn(sightings, many, crop) : [];
  if (groups.filter(({ spot }) => spot !== null).length > TOGETHER.frames * groups.length) {
    return groups.flatMap(({ time, spot }) => (spot ? [aim(time, spot)] : []));
  }
  const seen = sightings.filter((sighting) => main.faces.has(sighting)).map(({ time }) => time);
  return sightings.flatMap((sighting) => {
    const own = main.faces.get(sighting);
    if (own) return [aim(sighting.time, own)];
    if (seen.some((time) => Math.abs(time - sighting.time) < PATIENCE)) return [];
    const other = tracks.find(({ faces }) => faces.has(sighting))?.faces.get(sighting);
    return other ? [aim(sighting.time, other)] : [];
  });
}

/** The middle of all faces in each frame, where one that is missed for a moment counts as before. */
function groupsIn(sightings: readonly Sighting[], tracks: readonly Track[], crop: Size) {
  const latest = new Map<Track, SeenFace>();
  return sightings.flatMap((sighting) => {
    for (const track of tracks) {
      const face = track.faces.get(sighting);
      if (face) latest.set(track, face);
    }
    return latest.size > 0 ? [{ time: sighting.time, spot: groupIn([...latest.values()], crop) }] : [];
  });
}

/** Joins the faces of neighbouring frames to tracks, the weightiest first. */
function tracksOf(sightings: readonly Sighting[]): Track[] {
  const tracks: Track[] = [];
  for (const sighting of sightings) {
    const free = new Set(tracks);
    for (const face of sighting.faces.toSorted((a, b) => weightOf(b) - weightOf(a))) {
      const near = [...free]
        .filter(({ last }) => isNear(last, face))
        .sort((a, b) => distance(a.last, face) - distance(b.last, face))[0];
      const track = near ?? { faces: new Map(), last: face, weight: 0 };
      if (!near) tracks.push(track);
      free.delete(track);
      track.faces.set(sighting, face);
      track.last = face;
      track.weight += weightOf(face);
    }
  }
  const isReal = ({ faces, last }: Track) =>
    faces.size > 2 || last.score >= (faces.size === 2 ? SURE.twice : sightings.length > 2 ? 1 : SURE.once);
  return tracks.filter(isReal).sort((a, b) => b.weight - a.weight);
}

const weightOf = ({ width, height, score }: SeenFace) => Math.sqrt(width * height) * score;

const distance = (a: SeenFace, b: SeenFace) => Math.hypot(a.x - b.x, a.y - b.y);

function isNear(a: SeenFace, b: SeenFace): boolean {
  const ratio = a.width / b.width;
  const near = Math.abs(a.x - b.x) <= NEAR * a.width && Math.abs(a.y - b.y) <= NEAR * a.height;
  return near && ratio > 0.4 && ratio < 2.5;
}

/** The middle of several faces; null if they do not fit into the crop together. */
function groupIn(faces: readonly SeenFace[], crop: Size): Spot | null {
  const along = (axis: 'x' | 'y', side: 'width' | 'height') => {
    const low = least(faces.map((face) => face[axis] - face[side] / 2));
    const high = greatest(faces.map((face) => face[axis] + face[side] / 2));
    return high - low <= TOGETHER.part * crop[side] ? (low + high) / 2 : null;
  };
  const [x, y] = [along('x', 'width'), along('y', 'height')];
  return x === null || y === null ? null : { x, y };
}
