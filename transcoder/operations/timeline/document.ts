import type { OperationInput } from '../../../schema/operations/index.ts';
import { readTimeline } from '../../../schema/otio/document.ts';
import { clipsOf, givenName, sourcesOf } from '../../../schema/otio/media.ts';
import {
  type ClipItem,
  type Item,
  secondsOf,
  type Time,
  type Timeline,
  type Track,
} from '../../../schema/otio/timeline.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { PlanRequest } from '../../model/plan.ts';

export type TimelineInput = OperationInput<'timeline'>;
export type TimelineRequest = PlanRequest<TimelineInput>;

/** A document and the sources of its clips. */
export interface Document {
  timeline: Timeline;
  sourceOf: (item: ClipItem) => number;
  clips: readonly ClipItem[];
}

/** @param warnings Gets what is left out. */
export function documentOf(input: TimelineInput, warnings: Warning[] = []): Document {
  const { timeline: read } = readTimeline(input.otio);
  if (!read) throw new Error('the request has been parsed with a document that cannot be read');
  const numbers = new Map(
    sourcesOf(input.media).map(({ url }, index): [string | undefined, number] => [url, index]),
  );
  const sourceOf = (item: ClipItem) =>
    numbers.get(input.media[givenName(item, input.media) ?? ''] ?? '') ?? -1;
  const sound = read.sound.filter(
    (track, index) => !read.sound.slice(0, index).some((other) => isSameTrack(track, other, sourceOf)),
  );
  if (sound.length < read.sound.length) {
    const count = read.sound.length - sound.length;
    const detail = `${count === 1 ? '1 audio track equals' : `${count} audio tracks equal`} an earlier one, as editors list one for each channel; each is heard once.`;
    warnings.push({ code: 'stream_dropped', detail });
  }
  const timeline = { ...read, sound };
  return { timeline, sourceOf, clips: clipsOf(timeline) };
}

/** Times that differ by less are the same, in seconds. */
const SAME = 1e-4;

const isSameTime = (one: Time | null, other: Time | null) =>
  one === null || other === null ? one === other : Math.abs(secondsOf(one) - secondsOf(other)) < SAME;

/** Whether two clips play the same part of a source alike. */
export function isSamePart(one: ClipItem, other: ClipItem, sourceOf: Document['sourceOf']): boolean {
  const begin = ({ start, mediaStart }: ClipItem) =>
    start && { value: secondsOf(start) - (mediaStart ? secondsOf(mediaStart) : 0), rate: 1 };
  return (
    sourceOf(one) === sourceOf(other) &&
    one.rate === other.rate &&
    isSameTime(begin(one), begin(other)) &&
    isSameTime(one.duration, other.duration)
  );
}

function isSameTrack(one: Track, other: Track, sourceOf: Document['sourceOf']): boolean {
  const same = (a: Item, b: Item | undefined) => {
    if (a.kind === 'clip') return b?.kind === 'clip' && isSamePart(a, b, sourceOf);
    if (a.kind === 'gap') return b?.kind === 'gap' && isSameTime(a.duration, b.duration);
    return (
      b?.kind === 'transition' && isSameTime(a.inOffset, b.inOffset) && isSameTime(a.outOffset, b.outOffset)
    );
  };
  return (
    one.items.length === other.items.length && one.items.every((item, at) => same(item, other.items[at]))
  );
}

/** Whether two items have the same length in their tracks. */
export const isAsLong = (one: { duration: Time | null }, other: { duration: Time | null }) =>
  isSameTime(one.duration, other.duration);
