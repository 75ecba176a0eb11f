import { SAME_SPEED } from '../../../../schema/otio/effects.ts';
import type { Edit, EditEvent } from './edit.ts';

/** OpenTimelineIO: one video and one audio track, with a linear time warp for spans at another speed. */
export function otioText(edit: Edit): string {
  const { name, perSecond, picture } = edit;
  const kinds = [...(picture ? ['Video' as const] : []), 'Audio' as const];
  const timeline = {
    OTIO_SCHEMA: 'Timeline.1',
    metadata: {},
    name,
    global_start_time: null,
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      metadata: {},
      name: 'tracks',
      source_range: null,
      effects: [],
      markers: [],
      enabled: true,
      children: kinds.map((kind) => ({
        OTIO_SCHEMA: 'Track.1',
        metadata: {},
        name: kind,
        kind,
        source_range: null,
        effects: [],
        markers: [],
        enabled: true,
        children: edit.events.map((event) =>
          event.muted && kind === 'Audio' ? gap(event, perSecond) : clip(edit, event),
        ),
      })),
    },
  };
  return `${JSON.stringify(timeline, null, 1)}\n`;
}

/** The key that OpenTimelineIO's own library uses for a clip's only media reference. */
const MEDIA = 'DEFAULT_MEDIA';

/** The range starts at the source frame and has the length of the clip in the timeline. */
function clip({ name, perSecond, frames, first }: Edit, event: EditEvent) {
  const length = event.until - event.at;
  const speed = (event.to - event.from) / length;
  return {
    OTIO_SCHEMA: 'Clip.2',
    metadata: {},
    name,
    source_range: range(first + event.from, length, perSecond),
    active_media_reference_key: MEDIA,
    media_references: {
      [MEDIA]: {
        OTIO_SCHEMA: 'ExternalReference.1',
        metadata: {},
        name,
        available_range: range(first, frames, perSecond),
        available_image_bounds: null,
        target_url: encodeURIComponent(name),
      },
    },
    effects:
      Math.abs(speed - 1) < SAME_SPEED
        ? []
        : [
            {
              OTIO_SCHEMA: 'LinearTimeWarp.1',
              metadata: {},
              name: 'speed',
              effect_name: 'LinearTimeWarp',
              time_scalar: speed,
            },
          ],
    markers: [],
    enabled: true,
  };
}

function gap(event: EditEvent, rate: number) {
  return {
    OTIO_SCHEMA: 'Gap.1',
    metadata: {},
    name: '',
    source_range: range(0, event.until - event.at, rate),
    effects: [],
    markers: [],
    enabled: true,
  };
}

function range(start: number, length: number, rate: number) {
  const time = (value: number) => ({
    OTIO_SCHEMA: 'RationalTime.1',
    rate,
    value,
  });
  return { OTIO_SCHEMA: 'TimeRange.1', start_time: time(start), duration: time(length) };
}
