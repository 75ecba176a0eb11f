import { z } from 'zod';
import { sourceUrl } from './fields/fields.ts';
import { operation } from './operation.ts';

const rational = (what: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${what} as a fraction, such as "30000/1001"; null if unknown.` });

const stream = z.strictObject({
  index: z.number().int(),
  type: z.enum(['video', 'audio', 'subtitle', 'data', 'attached_picture']),
  codec: z.string(),
  profile: z.string().nullable(),
  duration: z.number().nullable(),
  start_time: z.number().nullable(),
  bitrate_kbps: z.number().nullable(),
  language: z.string().nullable(),
  default: z.boolean(),
  width: z.number().int().nullable().meta({ description: 'Coded width in pixels.' }),
  height: z.number().int().nullable().meta({ description: 'Coded height in pixels.' }),
  display_width: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Width as displayed: rotated upright, with square pixels.' }),
  display_height: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Height as displayed: rotated upright, with square pixels.' }),
  rotation: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Clockwise rotation that players apply, in degrees.' }),
  sample_aspect_ratio: z.string().nullable(),
  frame_rate: rational('Average frame rate'),
  variable_frame_rate: z
    .boolean()
    .nullable()
    .meta({ description: 'Null if the frames were not counted and the index does not state it.' }),
  frames: z.number().int().nullable().meta({
    description: 'Number of frames; null if they were not counted and the container does not state it.',
  }),
  pixel_format: z.string().nullable(),
  bit_depth: z.number().int().nullable(),
  color_space: z.string().nullable(),
  color_transfer: z.string().nullable(),
  color_primaries: z.string().nullable(),
  sample_rate: z.number().int().nullable(),
  channels: z.number().int().nullable(),
  channel_layout: z.string().nullable(),
});

const chapter = z.strictObject({ start: z.number(), end: z.number(), title: z.string() });

export const probe = operation('probe', {
  path: '/probe',
  group: 'frames',
  title: 'Probe',
  summary: 'Inspect a media file: container, duration, streams, chapters, keyframes, loudness.',
  search: {
    title: 'Inspect a media file',
    lead: 'Container, duration, streams, chapters, keyframes and loudness of a file at a URL, as JSON.',
  },
  tool: {
    name: 'inspect_media',
    description:
      'Find out duration, size, codecs, frame rate and loudness of a file. Use it when a choice depends on them; it changes nothing. Returns them in output.data.',
    fields: {
      url: 'Source',
      loudness: 'Measure it too; slower',
    },
  },
  description:
    'Reads the source and returns its properties in `output.data` and as a downloadable JSON file.',
  work: 'Reads the header and the index by byte range. Of a source without an index that describes its frames, all is read if that is at most 64 MB, or with `count_frames` or `loudness`.',
  feature: 'video',
  fields: {
    url: sourceUrl('the source'),
    count_frames: z.boolean().default(false).meta({
      description:
        'Count frames and keyframes even if more than 64 MB have to be read for that: of a source without an index that describes its frames, such as Matroska, WebM, AVI, MPEG-TS, MP4 in fragments, or MP4 with VP9 or MPEG-4 Part 2.',
    }),
    loudness: z
      .boolean()
      .default(false)
      .meta({ description: 'Also measure the loudness. This decodes the whole audio track.' }),
  },
  data: z.strictObject({
    container: z.string(),
    duration: z.number().nullable().meta({ description: 'Duration in seconds; null for a still picture.' }),
    start_time: z.number().nullable(),
    file_size: z.number().int(),
    bitrate_kbps: z.number().nullable(),
    streams: z.array(stream),
    chapters: z.array(chapter).meta({
      description: 'Chapters by start, at most 1000. The times count from the start of the source.',
    }),
    keyframe_interval: z
      .strictObject({ mean: z.number(), max: z.number(), count: z.number().int() })
      .nullable()
      .meta({
        description:
          'Seconds between keyframes of the first video stream, and the number of keyframes; null without video, and if the frames were not counted.',
      }),
    loudness: z
      .strictObject({
        integrated_lufs: z.number().nullable(),
        range_lu: z.number().nullable(),
        true_peak_db: z.number().nullable(),
      })
      .nullable()
      .meta({
        description:
          'EBU R 128 loudness if requested, otherwise null. Its values are null if the audio is silent or shorter than 0.4 s.',
      }),
  }),
  untrusted: ['/streams/*/language', '/chapters/*/title'],
  sources: (input) => [{ pointer: '/url', url: input.url }],
  errors: ['source_no_audio'],
  exampleResult: {
    file_name: 'probe.json',
    role: 'document',
    media_type: 'application/json',
    duration: null,
    width: null,
    height: null,
    fps: null,
    data: {
      container: 'mp4',
      duration: 62.4,
      start_time: 0,
      file_size: 31_204_881,
      bitrate_kbps: 4000.6,
      streams: [
        {
          index: 0,
          type: 'video',
          codec: 'h264',
          profile: 'High',
          duration: 62.4,
          start_time: 0,
          bitrate_kbps: 3870.1,
          language: null,
          default: true,
          width: 1920,
          height: 1080,
          display_width: 1080,
          display_height: 1920,
          rotation: 90,
          sample_aspect_ratio: '1:1',
          frame_rate: '30/1',
          variable_frame_rate: false,
          frames: 1872,
          pixel_format: 'yuv420p',
          bit_depth: 8,
          color_space: 'bt709',
          color_transfer: 'bt709',
          color_primaries: 'bt709',
          sample_rate: null,
          channels: null,
          channel_layout: null,
        },
      ],
      chapters: [
        { start: 0, end: 12.5, title: 'Introduction' },
        { start: 12.5, end: 62.4, title: 'Demo' },
      ],
      keyframe_interval: { mean: 2, max: 2, count: 32 },
      loudness: null,
    },
  },
  examples: [
    { title: 'Inspect a video', input: { url: 'https://media.example.com/talk.mp4' } },
    { title: 'With loudness', input: { url: 'https://media.example.com/talk.mp4', loudness: true } },
  ],
});
