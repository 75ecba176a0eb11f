import { z } from 'zod';
import { deinterlace } from './fields/deinterlace.ts';
import { anchors, checkCodec, codec, color, evenSide, format, quality, videoUrl } from './fields/fields.ts';
import { foundFocus } from './fields/found-focus.ts';
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
    .meta({
      description: `${what}, in pixels of the displayed picture or as a percentage of its side${min > 0 ? `; at least ${min} px` : ''}.`,
    });

const MOST_POINTS = 500;

const pathPoint = z.strictObject({
  time: z.number().min(0).max(86_400).meta({
    description: 'Second of the video. Before the first point, the crop is where the first point is.',
  }),
  x: z.number().int().min(0).max(16_384).meta({
    description: 'Left edge of the crop in pixels of the displayed picture.',
  }),
  y: z.number().int().min(0).max(16_384).meta({
    description: 'Top edge of the crop in pixels of the displayed picture.',
  }),
  ease: z.enum(['smooth', 'jump']).default('smooth').meta({
    description:
      'How the crop gets here from the point before: `smooth` starts and stops gently and stands still between two points at the same place, `jump` waits at the previous place and is here at once.',
  }),
});

const outputSide = (what: string, other: string) =>
  evenSide(what).meta({
    description: `${what} of the output in pixels, rounded down to an even number. Without \`${other}\`, the aspect ratio is kept. With both, the output has exactly this size: a cropped picture is stretched to it, and \`fill: pad\` and \`blur\` fit the picture into it.`,
  });

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
    'Crops to a rectangle (`x`, `y`, `width`, `height`; without a size, the rectangle extends to the edge) or fits the picture to an `aspect_ratio`. With an aspect ratio, `fill` selects how: `crop` cuts off what does not fit, `pad` adds bars in the color `background`, `blur` puts the picture on a blurred copy of itself. `anchor: auto` keeps the subject in view and `follow: subject` moves the crop with it. Coordinates refer to the picture as displayed: rotated upright, with square pixels.',
  work: 'Every frame in the output is decoded, cropped and re-encoded once. AAC sound of an mp4 or mov is copied into mp4 or mov; other sound is re-encoded. `anchor: auto` and `follow: subject` first decode the video once to look for faces. The cost grows with the size of the source, the size of the output and the number of frames.',
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
    anchor: z
      .enum([...anchors, 'auto'])
      .default('center')
      .meta({
        description:
          'With `aspect_ratio`: the part of the picture to keep (`fill: crop`), or the position of the picture (`fill: pad` and `blur`). `auto` keeps the subject: the faces that are in the video longest, otherwise what stands out or moves, otherwise the center. It also places a rectangle that has only `width` and `height`.',
      }),
    follow: z.enum(['none', 'subject']).default('none').meta({
      description:
        '`subject` moves the crop with the subject (see `anchor: auto`). The crop stands still while the subject stays near its middle, otherwise moves smoothly, and jumps only where a new scene begins. The movement is in `path` of the result. Needs an `aspect_ratio`, or `width` and `height`.',
    }),
    path: z.array(pathPoint).min(1).max(MOST_POINTS).optional().meta({
      description:
        'Moves the crop along these points, such as the `path` of an earlier result, edited or not. The place of the crop depends only on the time of each frame. Needs an `aspect_ratio`, or `width` and `height`.',
    }),
    fill: z.enum(['crop', 'pad', 'blur']).default('crop').meta({
      description:
        'How the picture is fitted to `aspect_ratio`: `crop` cuts it, `pad` adds bars, `blur` adds a blurred background.',
    }),
    output_width: outputSide('Width', 'output_height').optional(),
    output_height: outputSide('Height', 'output_width').optional(),
    background: color()
      .default('#000000')
      .meta({ description: 'Color of the bars with `fill: pad`, as `#rrggbb`.' }),
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
    const isPlaced =
      input.aspect_ratio !== undefined || (input.width !== undefined && input.height !== undefined);
    const placing = [
      ...(input.anchor === 'auto' ? [{ field: 'anchor', text: '`anchor: auto`' }] : []),
      ...(input.follow === 'subject' ? [{ field: 'follow', text: '`follow: subject`' }] : []),
      ...(input.path ? [{ field: 'path', text: '`path`' }] : []),
    ];
    const [one, other] = placing;
    if (one && other) issue(other.field, `Give either ${one.text} or ${other.text}, not both.`);
    if (one && !isPlaced)
      issue(one.field, `${one.text} needs an \`aspect_ratio\`, or both \`width\` and \`height\`.`);
    const corner = (['x', 'y'] as const).find((field) => input[field] !== undefined);
    if (one && corner) issue(corner, `Leave out \`${corner}\`: ${one.text} decides where the rectangle is.`);
    if (one && input.fill !== 'crop')
      issue(one.field, `${one.text} needs \`fill: crop\`, not \`fill: ${input.fill}\`.`);
    if (one && one.field !== 'anchor' && input.anchor !== 'center') {
      issue('anchor', `Leave out \`anchor\`: ${one.text} decides which part is kept.`);
    }
    input.path?.forEach(({ time, ease }, index, path) => {
      const before = path[index - 1]?.time ?? -1;
      if (time > before || (time === before && ease === 'jump')) return;
      const detail = `\`path[${index}]\` is at ${time} s, after a point at ${before} s.`;
      issue(
        'path',
        `${detail} Give the points in order of time; only a point with \`ease: jump\` may have the time of the one before.`,
      );
    });
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
      .meta({
        description:
          'The part of the displayed picture that was kept, in pixels; at the start of the video if it moves.',
      }),
    focus: foundFocus.optional().meta({
      description: 'With `anchor: auto` and `follow: subject`: where the subject is most of the time.',
    }),
    path: z.array(pathPoint.required()).optional().meta({
      description:
        'With `follow: subject` and `path`: the movement of the crop. Send it back as `path`, edited or not, to apply it to the same video.',
    }),
  }),
  sources: (input) => [{ pointer: '/video_url', url: input.video_url }],
  errors: ['source_no_video', 'track_not_found', 'crop_out_of_bounds', 'engine_unavailable'],
  exampleResult: {
    file_name: 'crop.mp4',
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
      title: 'Landscape to portrait, keeping the speaker in view',
      input: { video_url: 'https://media.example.com/talk.mp4', aspect_ratio: '9:16', follow: 'subject' },
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
