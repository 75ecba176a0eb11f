import { z } from 'zod';
import { pictureFields, seconds, videoUrl } from './fields/fields.ts';
import { operation } from './operation.ts';

const MAX_FRAMES = 100;

export const frame = operation('frame', {
  path: '/frame',
  group: 'frames',
  title: 'Frames',
  summary: 'Extract frames of a video as pictures, at given times or evenly spaced.',
  search: {
    title: 'Extract frames of a video',
    lead: 'Pictures at exact times or evenly spaced, as separate files or as one contact sheet.',
  },
  tool: {
    name: 'extract_frames',
    description:
      'Get frames of a video as pictures, at given times or evenly spaced, or on one contact sheet. For the end use extract_last_frame. Returns pictures.',
    fields: {
      video_url: 'Source video',
      timestamps: 'Seconds',
      count: 'Or how many, evenly spaced',
      sheet: 'One contact sheet',
      format: 'Of the pictures',
    },
  },
  description:
    'Returns the frame shown at each of `timestamps`, or `count` evenly spaced frames (the video is divided into `count` equal parts and the frame in the middle of each is taken). Each frame is a separate file with the role `frame_001`, `frame_002` and so on; with `sheet`, all frames are on one contact sheet, smaller if it would exceed the limit of the plan.',
  work: 'For each time, only the part of the source from the keyframe before it is read and decoded. Times that share a GOP are decoded together.',
  feature: 'frames',
  fields: {
    video_url: videoUrl(),
    timestamps: z
      .array(seconds())
      .min(1)
      .max(MAX_FRAMES)
      .optional()
      .meta({ description: 'Times in seconds. Give either `timestamps` or `count`.' }),
    count: z
      .number()
      .int()
      .min(1)
      .max(MAX_FRAMES)
      .optional()
      .meta({ description: 'Number of evenly spaced frames. Give either `count` or `timestamps`.' }),
    ...pictureFields,
    sheet: z
      .boolean()
      .default(false)
      .meta({ description: 'Return one contact sheet instead of separate pictures.' }),
  },
  refine: (input, context) => {
    if ((input.timestamps === undefined) === (input.count === undefined)) {
      context.addIssue({
        code: 'custom',
        path: ['timestamps'],
        message: 'Give either `timestamps` or `count`.',
      });
    }
  },
  data: z.strictObject({
    timestamps: z
      .array(z.number())
      .meta({ description: 'Presentation time of each frame in seconds, in the order of the files.' }),
  }),
  sources: (input) => [{ pointer: '/video_url', url: input.video_url }],
  errors: ['source_no_video', 'time_out_of_range'],
  exampleResult: {
    file_name: 'frame.jpg',
    role: 'frame_001',
    media_type: 'image/jpeg',
    duration: null,
    width: 1920,
    height: 1080,
    fps: null,
    data: { timestamps: [1, 2.5, 10] },
  },
  examples: [
    {
      title: 'Three frames',
      input: { video_url: 'https://media.example.com/talk.mp4', timestamps: [1, 2.5, '00:00:10'] },
    },
    {
      title: 'Contact sheet with twelve frames',
      input: { video_url: 'https://media.example.com/talk.mp4', count: 12, width: 320, sheet: true },
    },
  ],
});
