import { z } from 'zod';

export const text = z.string().optional().catch(undefined);
const count = z.coerce.number().optional().catch(undefined);

/** A stream as ffprobe prints it; malformed fields count as missing. */
export const printedStream = z.object({
  index: z.number().int(),
  codec_type: text,
  codec_name: text,
  codec_tag_string: text,
  profile: text,
  width: count,
  height: count,
  pix_fmt: text,
  sample_aspect_ratio: text,
  field_order: text,
  has_b_frames: count,
  bits_per_raw_sample: count,
  color_space: text,
  color_transfer: text,
  color_primaries: text,
  color_range: text,
  time_base: text,
  r_frame_rate: text,
  avg_frame_rate: text,
  nb_frames: count,
  start_time: count,
  duration: count,
  duration_ts: count,
  bit_rate: count,
  sample_rate: count,
  channels: count,
  channel_layout: text,
  bits_per_sample: count,
  /** Ours alone; ffprobe does not print it. */
  needs_version: z.boolean().default(false),
  single_fields: z.boolean().default(false),
  untimed: z.boolean().default(false),
  chained: z.boolean().default(false),
  joined: z.boolean().default(false),
  miscounted: z.boolean().default(false),
  primed: z.boolean().default(false),
  unsteady: z.boolean().default(false),
  /** Whether sound cannot be decoded, because nothing says where its frames begin. */
  unframed: z.boolean().default(false),
  unseen_packets: z.boolean().default(false),
  misflagged: z.boolean().default(false),
  redescribed: z.boolean().default(false),
  false_rate: z.boolean().default(false),
  begins_early: z.boolean().default(false),
  in_pieces: z.boolean().default(false),
  edit_rate: z.number().optional(),
  within_group: z.boolean().default(false),
  empty: z.boolean().default(false),
  disposition: z.record(z.string(), z.number()).default({}).catch({}),
  tags: z.record(z.string(), z.string()).default({}).catch({}),
  side_data_list: z.array(z.record(z.string(), z.unknown())).default([]).catch([]),
});
export type PrintedStream = z.output<typeof printedStream>;

export function durationOf(stream: PrintedStream): number | null {
  if (stream.duration !== undefined) return stream.duration;
  const end = endInTags(stream);
  return end === null ? null : Math.max(0, end - (stream.start_time ?? 0));
}

/** End of a track in seconds as muxers of Matroska write it into its tags; null without such a tag. */
export function endInTags({ tags }: { tags: Record<string, string> }): number | null {
  const match = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(tags.DURATION ?? '');
  return match && Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]);
}

export function kbpsOf(stream: PrintedStream): number | null {
  const bits = stream.bit_rate ?? Number(stream.tags.BPS ?? Number.NaN);
  return Number.isFinite(bits) && bits > 0 ? bits / 1000 : null;
}

/** Parses `16:9` or `30000/1001`; null if it is not a positive ratio. */
export function ratio(value: string | undefined, separator: ':' | '/'): number | null {
  const [numerator = Number.NaN, denominator = Number.NaN] = (value ?? '').split(separator).map(Number);
  return numerator > 0 && denominator > 0 ? numerator / denominator : null;
}
