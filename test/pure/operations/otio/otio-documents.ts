import { readTimeline } from '../../../../schema/otio/document.ts';
import { pathText } from '../../../../schema/otio/timeline.ts';

/** Parts of OpenTimelineIO documents. */

export const time = (value: number, rate = 24) => ({ OTIO_SCHEMA: 'RationalTime.1', value, rate });
export const range = (start: number, length: number, rate = 24) => ({
  OTIO_SCHEMA: 'TimeRange.1',
  start_time: time(start, rate),
  duration: time(length, rate),
});
export const external = (url: string, more: object = {}) => ({
  OTIO_SCHEMA: 'ExternalReference.1',
  target_url: url,
  ...more,
});
export const clip = (more: object = {}, url = 'file:///a/one.mov') => ({
  OTIO_SCHEMA: 'Clip.2',
  name: 'Shot 1',
  source_range: range(10, 20),
  media_references: { DEFAULT_MEDIA: external(url) },
  ...more,
});
export const gap = (length: number) => ({ OTIO_SCHEMA: 'Gap.1', source_range: range(0, length) });
export const transition = (before: number, after: number, more: object = {}) => ({
  OTIO_SCHEMA: 'Transition.1',
  transition_type: 'SMPTE_Dissolve',
  in_offset: time(before),
  out_offset: time(after),
  ...more,
});
export const track = (children: readonly object[], more: object = {}) => ({
  OTIO_SCHEMA: 'Track.1',
  kind: 'Video',
  children,
  ...more,
});
export const stack = (children: readonly object[], more: object = {}) => ({
  OTIO_SCHEMA: 'Stack.1',
  children,
  ...more,
});
export const timeline = (...tracks: object[]) => ({ OTIO_SCHEMA: 'Timeline.1', tracks: stack(tracks) });

export const faultsOf = (document: unknown) =>
  readTimeline(document).faults.map(({ path, message }) => `${pathText(path)}: ${message}`);
