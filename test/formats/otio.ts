import { z } from 'zod';
import { demand, type ReadEvent } from './event.ts';

/**
 * OpenTimelineIO 0.17, "Serialized Data Documentation" and what each class demands when it is read: unknown schemas and
 * fields are refused here, so that nothing is written that no program reads.
 */
const named = { metadata: z.record(z.string(), z.unknown()), name: z.string() };
const time = z.strictObject({
  OTIO_SCHEMA: z.literal('RationalTime.1'),
  rate: z.number().positive(),
  value: z.number(),
});
const range = z.strictObject({ OTIO_SCHEMA: z.literal('TimeRange.1'), start_time: time, duration: time });
const warp = z.strictObject({
  OTIO_SCHEMA: z.literal('LinearTimeWarp.1'),
  ...named,
  effect_name: z.literal('LinearTimeWarp'),
  enabled: z.boolean().optional(),
  time_scalar: z.number().positive(),
});
const item = {
  ...named,
  source_range: range.nullable(),
  effects: z.array(warp),
  markers: z.array(z.never()),
  enabled: z.boolean(),
};
const reference = z.strictObject({
  OTIO_SCHEMA: z.literal('ExternalReference.1'),
  ...named,
  available_range: range,
  available_image_bounds: z.null(),
  target_url: z.string().refine((text) => URL.canParse(text, 'file:///a/b'), 'a URL or a relative one'),
});
const clip = z.strictObject({
  OTIO_SCHEMA: z.literal('Clip.2'),
  ...item,
  source_range: range,
  active_media_reference_key: z.string(),
  media_references: z.record(z.string(), reference),
});
const gap = z.strictObject({ OTIO_SCHEMA: z.literal('Gap.1'), ...item, source_range: range });
const track = z.strictObject({
  OTIO_SCHEMA: z.literal('Track.1'),
  ...item,
  kind: z.enum(['Video', 'Audio']),
  children: z.array(z.discriminatedUnion('OTIO_SCHEMA', [clip, gap])),
});
const timeline = z.strictObject({
  OTIO_SCHEMA: z.literal('Timeline.1'),
  ...named,
  global_start_time: time.nullable(),
  tracks: z.strictObject({ OTIO_SCHEMA: z.literal('Stack.1'), ...item, children: z.array(track) }),
});

type Track = z.output<typeof track>;

export function readOtio(text: string, perSecond: number): { name: string; events: ReadEvent[] } {
  const { name, tracks } = timeline.parse(JSON.parse(text));
  const of = (kind: Track['kind']) => tracks.children.find((each) => each.kind === kind);
  const [picture, sound] = [of('Video'), of('Audio')];
  const main = picture ?? sound;
  demand(
    main && tracks.children.length === (picture ? 2 : 1),
    'a track of sound, and of picture where it has one',
  );
  let at = 0;
  const events = main.children.map((child, index): ReadEvent => {
    const heard = sound?.children[index];
    demand(heard && lengthOf(heard, perSecond) === lengthOf(child, perSecond), 'the tracks go side by side');
    const until = at + lengthOf(child, perSecond);
    const { start_time } = child.source_range;
    const speed = child.effects[0]?.time_scalar ?? 1;
    const from = frames(start_time, perSecond);
    const event = { from, to: Math.round(from + (until - at) * speed), at, until };
    at = until;
    if (child.OTIO_SCHEMA === 'Gap.1') return { ...event, shows: 'nothing' };
    const media = child.media_references[child.active_media_reference_key];
    demand(media, 'a clip has the reference that is active');
    demand(event.to <= frames(media.available_range.duration, perSecond) + 1, 'the media has these frames');
    if (!picture) return { ...event, shows: 'sound' };
    return { ...event, shows: heard.OTIO_SCHEMA === 'Gap.1' ? 'picture' : 'both' };
  });
  return { name, events };
}

const lengthOf = (child: Track['children'][number], perSecond: number) =>
  frames(child.source_range.duration, perSecond);

function frames({ rate, value }: z.output<typeof time>, perSecond: number): number {
  demand(Math.abs(rate - perSecond) < 1e-9 && Number.isInteger(value), 'times are whole frames of the rate');
  return value;
}
