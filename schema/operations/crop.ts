import { z } from 'zod';
import { deinterlace } from './fields/deinterlace.ts';
import { anchors, checkCodec, codec, color, evenSide, format, quality, videoUrl } from './fields/fields.ts';
import { audioTrack, tracks } from './fields/tracks.ts';
import { operation } from './operation.ts';

const length = (what: string, min: number) =>
  z
    .union(
      [
        z.number().int().min(min).max(16_384),
        z
          .string()
          .regex(/^(?:100|\d{1,2})(?:\.\d{1,4})?%$/)
          .meta({ title: '"12.5%"' }),
      ],
      {
        error: `must be a whole number of pixels from ${min} to 16384 or a percentage such as "12.5%"`,
      },
    )
    .optional()
    .meta({ description: `${what}, in pixels of the displayed picture or as a percentage of its side.` });

export const crop = operation('crop', {
  path: '/crop',
  group: 'video',
  title: 'Crop',
  summary: 'Crop a video to a rectangle or to an aspect ratio.',
  search: {
    title: 'Crop and reframe video',
    lead: 'Crop to a rectangle or to an aspect ratio, or fill a new one with bars or a blurred copy of the picture.',
  },
  tool: {
    name: 'crop_video',
    description:
      'Change the picture of a video to another shape, such as vertical 9:16, or cut out a rectangle. To change only size or format use convert_media. Returns a video.',
    fields: {
      video_url: 'Source video',
      aspect_ratio: 'Such as 9:16, or give a rectangle',
      fill: 'How it is fitted to aspect_ratio',
      anchor: 'Part to keep',
      x: 'Left edge of the rectangle',
      y: 'Its top edge',
      width: 'Its width',
      height: 'Its height',
    },
  },
  description:
    'Crops to a rectangle (`x`, `y`, `width`, `height`; without a size, the rectangle extends to the edge) or fits the picture to an `aspect_ratio`. With an aspect ratio, `fill` selects how: `crop` cuts off what does not fit, `pad` adds bars in the colour `background`, `blur` puts the picture on a blurred copy of itself. Coordinates refer to the picture as displayed: rotated upright, with square pixels.',
  work: 'Every frame in the output is decoded, cropped and re-encoded once, and so is the audio. The cost grows with the size of the source, the size of the output and the number of frames.',
  feature: 'video',
  fields: {
    video_url: videoUrl(),
    x: length('Left edge of the rectangle', 0),
    y: length('Top edge of the rectangle', 0),
    width: length('Width of the rectangle', 2),
    height: length('Height of the rectangle', 2),
    aspect_ratio: z
      .string()
      .regex(/^[1-9]\d{0,3}(?:\.\d{1,3})?:[1-9]\d{0,3}(?:\.\d{1,3})?$/, {
        error: 'must be width:height, such as "9:16"',
      })
      .optional()
      .meta({
        title: '"W:H"',
        description: 'Aspect ratio of the output, such as `9:16`. Use it instead of a rectangle.',
      }),
    anchor: z.enum(anchors).default('center').meta({
      description:
        'With `aspect_ratio`: the part of the picture to keep (`fill: crop`), or the position of the picture (`fill: pad` and `blur`).',
    }),
    fill: z.enum(['crop', 'pad', 'blur']).default('crop').meta({
      description:
        'How the picture is fitted to `aspect_ratio`: `crop` cuts it, `pad` adds bars, `blur` adds a blurred background.',
    }),
    output_width: evenSide('Width of the output').optional(),
    output_height: evenSide('Height of the output').optional(),
    background: color()
      .default('#000000')
      .meta({ description: 'Colour of the bars with `fill: pad`, as `#rrggbb`.' }),
    tracks: tracks(),
    audio_track: audioTrack(),
    quality: quality(),
    codec: codec(),
    deinterlace: deinterlace(),
    format: format(),
  },
  refine: (input, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const rectangle = (['x', 'y', 'width', 'height'] as const).filter((field) => input[field] !== undefined);
    const [first] = rectangle;
    if (input.aspect_ratio === undefined && first === undefined) {
      issue('aspect_ratio', 'Give a rectangle (`x`, `y`, `width`, `height`) or an `aspect_ratio`.');
    }
    if (input.aspect_ratio !== undefined && first !== undefined) {
      issue(first, 'Give either a rectangle or an `aspect_ratio`, not both.');
    }
    if (input.aspect_ratio === undefined && input.fill !== 'crop') {
      issue('fill', `\`fill: ${input.fill}\` needs an \`aspect_ratio\`.`);
    }
    if (input.aspect_ratio !== undefined) {
      const [w = 1, h = 1] = input.aspect_ratio.split(':').map(Number);
      if (w / h > 20 || h / w > 20) issue('aspect_ratio', `must be between 1:20 and 20:1`);
    }
    checkCodec(input, context);
  },
  data: z.strictObject({
    rectangle: z
      .strictObject({
        x: z.number().int(),
        y: z.number().int(),
        width: z.number().int(),
        height: z.number().int(),
      })
      .meta({ description: 'The part of the displayed picture that was kept, in pixels.' }),
  }),
  sources: (input) => [{ pointer: '/video_url', url: input.video_url }],
  errors: ['source_no_video', 'crop_out_of_bounds'],
  exampleResult: {
    file_name: 'talk.mp4',
    role: 'video',
    media_type: 'video/mp4',
    duration: 62.4,
    width: 606,
    height: 1080,
    fps: 30,
    data: { rectangle: { x: 657, y: 0, width: 606, height: 1080 } },
    time_map: [{ source: 0, in: [0, 62.4], out: [0, 62.4] }],
  },
  examples: [
    {
      title: 'Landscape to portrait',
      input: { video_url: 'https://media.example.com/talk.mp4', aspect_ratio: '9:16' },
    },
    {
      title: 'A rectangle',
      input: { video_url: 'https://media.example.com/talk.mp4', x: 100, y: '10%', width: 640, height: 360 },
    },
    {
      title: 'Square on a blurred background',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        aspect_ratio: '1:1',
        fill: 'blur',
        output_width: 1080,
      },
    },
  ],
});
