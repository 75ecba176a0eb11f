import { z } from 'zod';
import { pictureFields, videoUrl } from './fields/fields.ts';
import { operation } from './operation.ts';

export const frameLast = operation('frame_last', {
  path: '/frame/last',
  group: 'frames',
  title: 'Last frame',
  summary: 'Extract the last frame of a video as a picture.',
  search: {
    title: 'Get the last frame of a video',
    lead: 'The last frame that can be decoded, as jpeg, png or webp. Of a remote mp4, only the end is read.',
  },
  tool: {
    name: 'extract_last_frame',
    description:
      'Get the last frame of a video as a picture, such as to continue it. For other frames use extract_frames. Returns a picture.',
    fields: {
      video_url: 'Source video',
      format: 'Of the picture',
    },
  },
  description:
    'Returns the last frame of the video that can be decoded, or the frame shown `epsilon` seconds before the end. The picture is rotated upright and has square pixels.',
  work: 'Only the end of the source is read by byte range and decoded, from its last keyframe on, so the length of the video hardly matters.',
  feature: 'frames',
  fields: {
    video_url: videoUrl(),
    epsilon: z.number().min(0).max(10).default(0).meta({
      description: 'Take the frame this many seconds before the end of the video.',
    }),
    ...pictureFields,
  },
  data: z.strictObject({
    timestamp: z.number().meta({ description: 'Presentation time of the frame in seconds.' }),
    source_duration: z.number().meta({ description: 'Duration of the source in seconds.' }),
  }),
  sources: (input) => [{ pointer: '/video_url', url: input.video_url }],
  errors: ['source_no_video', 'time_out_of_range'],
  exampleResult: {
    file_name: 'frame_last.jpg',
    role: 'picture',
    media_type: 'image/jpeg',
    duration: null,
    width: 1920,
    height: 1080,
    fps: null,
    data: { timestamp: 62.366667, source_duration: 62.4 },
  },
  examples: [
    { title: 'The last frame', input: { video_url: 'https://media.example.com/talk.mp4' } },
    {
      title: 'Half a second before the end, as a small png',
      input: { video_url: 'https://media.example.com/talk.mp4', epsilon: 0.5, width: 640, format: 'png' },
    },
  ],
});
