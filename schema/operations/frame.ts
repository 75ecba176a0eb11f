import { z } from 'zod';
import { pictureFields, seconds, videoUrl } from './fields/fields.ts';
import { operation } from './operation.ts';

const MAX_FRAMES = 100;

export const frame = operation('frame', {
  path: '/frame',
  group: 'frames',
  title: 'Frames',
  summary: 'Frames of a video as pictures, at given times or evenly spaced.',
  description:
    'Takes the frame shown at each of `timestamps`, or `count` frames evenly spaced over the video (each in the middle of its share). With `sheet` they come as one contact sheet, else each is a file of its own with the role `frame_001`, `frame_002`, …',
  feature: 'frames',
  fields: {
    video_url: videoUrl(),
    timestamps: z
      .array(seconds())
      .min(1)
      .max(MAX_FRAMES)
      .optional()
      .meta({ description: 'Times in seconds; give this or `count`.' }),
    count: z
      .number()
      .int()
      .min(1)
      .max(MAX_FRAMES)
      .optional()
      .meta({ description: 'How many frames, evenly spaced; give this or `timestamps`.' }),
    ...pictureFields,
    sheet: z.boolean().default(false).meta({ description: 'One contact sheet in place of single pictures.' }),
  },
  refine: (input, context) => {
    if ((input.timestamps === undefined) === (input.count === undefined)) {
      context.addIssue({
        code: 'custom',
        path: ['timestamps'],
        message: 'Give exactly one of timestamps and count',
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
    file_name: 'talk_001.jpg',
    media_type: 'image/jpeg',
    duration: null,
    width: 1920,
    height: 1080,
    fps: null,
    data: { timestamps: [1, 2.5, 10] },
  },
  examples: [
    {
      title: 'Three moments',
      input: { video_url: 'https://media.example.com/talk.mp4', timestamps: [1, 2.5, '00:00:10'] },
    },
    {
      title: 'A contact sheet of twelve',
      input: { video_url: 'https://media.example.com/talk.mp4', count: 12, width: 320, sheet: true },
    },
  ],
});
