import { z } from 'zod';

/** Why frames are re-encoded, as callers read it. */
export const renderReasons = {
  cut: 'The span begins or ends between keyframes. Only the frames up to the next keyframe are re-encoded.',
  filtered: 'A fade, a caption or another filter changes the picture.',
  transition: 'Two clips are shown at once.',
  speed: 'The span is played at another speed, or a frame stays.',
  gap: 'Nothing is shown, so black is drawn.',
  other_encoding: 'The clip differs from the others in codec, size, colors or frame rate.',
  fallback: 'A copy was not exact, or could not be proven to be, so everything was re-encoded.',
  reversed: 'The video is played backwards.',
  flipped: 'The picture is mirrored.',
  rotation: 'The container cannot store a rotation.',
  container: 'The container does not state when frames are shown.',
  codec: 'The codec of the source is not that of the output, or cannot be joined.',
  format: 'The output format cannot hold the codec of the source.',
  quality: 'The request asks for a quality other than `match_source`.',
  drawn: 'The picture is drawn, and the video of the source is not shown.',
  converted: 'The size or the colors change.',
  deinterlaced: 'The request has `deinterlace: always`.',
  engine_unavailable: 'The library that copies packets is not available.',
  no_entry_in_range: 'Decoding cannot begin before the range.',
  little_to_copy:
    'Nearly all frames would be re-encoded anyway, or decoded again and again from a few keyframes.',
  edit_list: 'An edit list hides frames of the range.',
  frames_differ: 'The index does not list every frame of the range.',
  no_clip_fits: 'No clip has the size, colors and frame rate of the output.',
  variable_rate: 'The frame rate is variable and has to be made constant.',
  parameter_sets_unreadable: 'The parameter sets of the stream cannot be read.',
  parameter_sets_in_band: 'The parameter sets are between the frames.',
  parameter_sets_change: 'The parameter sets change within the stream.',
  several_sps: 'The stream has several sequence parameter sets.',
  profile: 'The profile cannot be encoded.',
  interlaced: 'The source is interlaced, and nothing of it can be copied.',
  chroma_format: 'The chroma format cannot be encoded.',
  poc_type: 'The stream numbers its pictures in a rare way.',
  scaling_matrix: 'The stream has scaling matrices of its own.',
  lossless: 'The stream is lossless.',
  slice_groups: 'The stream has slice groups.',
  cropped_from_the_left: 'The stream is cropped at its left or top edge.',
  no_references: 'The stream allows no reference frames.',
  no_free_pps_id: 'All ids of picture parameter sets are taken.',
  several_layers: 'The stream has several layers.',
  bit_depth: 'The bit depth cannot be encoded.',
  dolby_vision: 'The stream is Dolby Vision.',
  timestamps_missing: 'Frames have no timestamps.',
} as const;

export type RenderReason = keyof typeof renderReasons;

const reasons = Object.keys(renderReasons) as [RenderReason, ...RenderReason[]];

const seconds = z.tuple([z.number(), z.number()]);

/** How each part of a video was made. */
export const spans = () =>
  z
    .array(
      z.strictObject({
        out: seconds.meta({ description: 'Seconds of the output, from and to.' }),
        frames: z.number().int().nullable().meta({ description: 'Frames in the span; null if unknown.' }),
        copied: z.boolean().meta({ description: 'Whether its packets are copied from the source.' }),
        rendered_because: z
          .enum(reasons)
          .nullable()
          .meta({ description: 'Why it was re-encoded; null if it was copied. See /docs/rendering.' }),
      }),
    )
    .max(2000)
    .meta({
      description:
        'How each part of the video was made, in order: copied without re-encoding, or re-encoded and why.',
    });

export type RenderedSpan = z.output<ReturnType<typeof spans>>[number];

/** What the data of an operation says of how its video was made. */
export const madeHow = () => ({
  copied_seconds: z.number().meta({ description: 'Seconds of video that were copied without re-encoding.' }),
  rendered_seconds: z.number().meta({ description: 'Seconds of video that were re-encoded.' }),
  spans: spans().optional(),
});
