import { z } from 'zod';
import { audioUrl, checkCodec, codec, format, quality, seconds, videoUrl } from './fields/fields.ts';
import { operation } from './operation.ts';

/** The most segments of a decision list; one of that many fits a request. */
export const MAX_SEGMENTS = 3000;

const silenceExports = ['edl', 'fcpxml', 'otio', 'csv'] as const;
export type SilenceExport = (typeof silenceExports)[number];

const actions = ['keep', 'silent'] as const;

export const silenceProcess = operation('silence_process', {
  path: '/silence_process',
  group: 'edit',
  title: 'Silence',
  summary: 'Finds the silences of a video or audio file and removes, speeds up or mutes them.',
  description:
    'Sound is heard wherever a 10 ms window reaches `threshold_db`; padding is added around it, then what is heard for less than `min_clip` is dropped and silences shorter than `min_silence` stay. Cuts of video are made where the nearest frame begins, with the sound cut at the same instants; inside a long frame they are made at the time itself, and the frame stays on. Where packets of the video can be copied, edges that were found move a little, so that few frames are rendered for them: a start by up to 0.3 s before what it was, or up to 0.1 s and half of `padding_before` into the padding; an end by up to four frames into the silence, of which at least half is left. Without padding, and in `segments`, they stay. `mode: detect` renders nothing: its main file is the decision list, which can be edited and sent back as `segments`; in such a list `silent` means what `mode` does, and the settings of detection have no effect. The file `levels` holds the level every 100 ms. `export` adds the edit as files of the same names: EDL (CMX 3600), FCPXML 1.10, OpenTimelineIO and CSV. Their timecodes count frames of the video; 29.97 and 59.94 a second count drop-frame, so that timecode stays with the clock, all other rates non-drop. A variable rate counts in frames of its average, sound alone in frames of 1/30 s. The record of an EDL begins at one hour.',
  feature: 'video',
  fields: {
    video_url: videoUrl().optional(),
    audio_url: audioUrl().optional(),
    mode: z.enum(['remove', 'detect', 'speed_up', 'mute']).default('remove').meta({
      description:
        'What happens to silences: `remove` cuts them out, `speed_up` plays them at `silent_speed`, `mute` takes the sound of them and leaves the picture as it is, `detect` only lists them.',
    }),
    threshold_db: z
      .union([z.number().min(-90).max(0), z.literal('auto')], {
        error: 'Expected decibels from -90 to 0, or "auto"',
      })
      .default('auto')
      .meta({
        description:
          'The level from which sound is heard, in dB of full scale. `auto` takes 12 dB above the noise floor (the level that a tenth of the windows stay below), or more where the noise itself peaks higher, always below what is loudest and from −60 to −24.',
      }),
    min_silence: z.number().min(0.05).max(30).default(0.5).meta({
      description: 'Silences shorter than this many seconds, after padding, stay.',
    }),
    padding_before: z.number().min(0).max(10).default(0.1).meta({
      description: 'Seconds that stay before what is heard.',
    }),
    padding_after: z.number().min(0).max(10).default(0.2).meta({
      description: 'Seconds that stay after what is heard.',
    }),
    min_clip: z.number().min(0).max(30).default(0.1).meta({
      description: 'What is heard for less than this many seconds, padding included, is silence.',
    }),
    keep_silence: z.number().min(0).max(5).default(0).meta({
      description:
        'Seconds of each silence that stay: half of them at either end, or all of them beside what is heard where the source begins or ends with silence.',
    }),
    silent_speed: z.number().min(1).max(16).default(4).meta({
      description: 'How many times as fast `speed_up` plays silences; the pitch is kept.',
    }),
    audio_fade_ms: z.number().min(0).max(200).default(10).meta({
      description: 'Milliseconds that the sound takes to rise and fall at every joint.',
    }),
    segments: z
      .array(
        z.strictObject({
          start: seconds().meta({ description: 'Where the segment begins, in seconds.' }),
          end: seconds().meta({ description: 'Where it ends, in seconds.' }),
          action: z.enum(actions).meta({ description: 'Left alone, or what `mode` does to silences.' }),
        }),
      )
      .min(1)
      .max(MAX_SEGMENTS)
      .optional()
      .meta({
        description:
          'A decision list to apply in place of detection, in order, as a `detect` task gives it. What lies in no segment is kept.',
      }),
    protect_ranges: z
      .array(
        z.strictObject({
          start: seconds().meta({ description: 'Where the range begins, in seconds.' }),
          end: seconds({ min: 0.001 }).meta({ description: 'Where it ends, in seconds.' }),
        }),
      )
      .max(100)
      .default([])
      .meta({ description: 'Ranges that are kept whatever is heard in them.' }),
    export: z
      .array(z.enum(silenceExports))
      .max(silenceExports.length)
      .default([])
      .meta({ description: 'The edit as files for editing programs, each with its name as the role.' }),
    quality: quality(),
    codec: codec(),
    format: format(),
  },
  refine: (input, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if ((input.video_url === undefined) === (input.audio_url === undefined)) {
      issue(['video_url'], 'Give exactly one of video_url and audio_url');
    }
    let last = 0;
    for (const [index, { start, end }] of (input.segments ?? []).entries()) {
      if (end <= start) issue(['segments', index, 'end'], 'end must be after start');
      if (start < last) issue(['segments', index, 'start'], 'A segment begins where the one before it ends');
      last = Math.max(last, end);
    }
    for (const [index, { start, end }] of input.protect_ranges.entries()) {
      if (end <= start) issue(['protect_ranges', index, 'end'], 'end must be after start');
    }
    if (new Set(input.export).size < input.export.length) issue(['export'], 'Name each format once');
    checkCodec(input, context);
  },
  data: z.strictObject({
    segments: z
      .array(z.strictObject({ start: z.number(), end: z.number(), action: z.enum(actions) }))
      .meta({ description: 'The decision list: the whole source in order, in seconds.' }),
    silence_seconds: z.number().meta({ description: 'Seconds of the source that are silent.' }),
    saved_seconds: z.number().meta({
      description: 'Seconds that the result is shorter than the source; of `detect`, what `remove` saves.',
    }),
    noise_floor_db: z.number().nullable().meta({
      description: 'The level that a tenth of the windows stay below; null where `segments` were given.',
    }),
    threshold_db: z.number().nullable().meta({
      description: 'The threshold in use; null where `segments` were given.',
    }),
    copied_seconds: z.number().meta({ description: 'Seconds of video whose packets were copied.' }),
    rendered_seconds: z.number().meta({ description: 'Seconds of video that were encoded anew.' }),
  }),
  sources: (input) =>
    input.video_url !== undefined
      ? [{ pointer: '/video_url', url: input.video_url }]
      : [{ pointer: '/audio_url', url: input.audio_url ?? '' }],
  errors: ['source_no_video', 'source_no_audio', 'all_silent', 'time_out_of_range'],
  exampleResult: {
    file_name: 'talk.mp4',
    media_type: 'video/mp4',
    duration: 9.5,
    width: 1920,
    height: 1080,
    fps: 30,
    data: {
      segments: [
        { start: 0, end: 4.2, action: 'keep' },
        { start: 4.2, end: 6.9, action: 'silent' },
        { start: 6.9, end: 12.2, action: 'keep' },
      ],
      silence_seconds: 2.7,
      saved_seconds: 2.7,
      noise_floor_db: -58.3,
      threshold_db: -46.3,
      copied_seconds: 8.1,
      rendered_seconds: 1.4,
    },
    time_map: [
      { source: 0, in: [0, 4.2], out: [0, 4.2] },
      { source: 0, in: [6.9, 12.2], out: [4.2, 9.5] },
    ],
  },
  examples: [
    { title: 'Silences cut out', input: { video_url: 'https://media.example.com/talk.mp4' } },
    {
      title: 'Only listed, with files for editing programs',
      input: { video_url: 'https://media.example.com/talk.mp4', mode: 'detect', export: ['edl', 'fcpxml'] },
    },
    {
      title: 'An edited list applied',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        mode: 'speed_up',
        silent_speed: 6,
        segments: [
          { start: 0, end: 4.2, action: 'keep' },
          { start: 4.2, end: 6.9, action: 'silent' },
        ],
      },
    },
  ],
});
