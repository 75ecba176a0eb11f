import { z } from 'zod';
import { deinterlace } from './fields/deinterlace.ts';
import {
  audioUrl,
  checkCodec,
  codec,
  format,
  mustFollow,
  quality,
  seconds,
  videoUrl,
} from './fields/fields.ts';
import { madeHow } from './fields/spans.ts';
import { audioTrack, tracks } from './fields/tracks.ts';
import { operation } from './operation.ts';

/** A decision list of this length fits into a request. */
export const MAX_SEGMENTS = 3000;

export const editExports = ['edl', 'fcpxml', 'otio', 'csv'] as const;
export type SilenceExport = (typeof editExports)[number];

export const segmentActions = ['keep', 'silent'] as const;

export const silenceProcess = operation('silence_process', {
  path: '/silence_process',
  group: 'video',
  title: 'Silence',
  summary: 'Find the silent parts of a video or audio file and remove, speed up or mute them.',
  search: {
    title: 'Remove silence from video and audio',
    lead: 'Find the pauses of a recording and remove, speed up or mute them. Get the edit for your editing software, too.',
  },
  tool: {
    name: 'remove_silence',
    description:
      'Cut pauses out of a talk or podcast, or speed them up, mute them or only list them (mode detect). For known times use cut_video. Returns the edited file and the list of its cuts.',
    fields: {
      video_url: 'Source video',
      audio_url: 'Source audio instead',
      mode: 'What happens to silence',
      threshold_db: 'Sound is louder than this; default auto',
      min_silence: 'Shorter pauses stay; seconds',
    },
  },
  description:
    'Detection works in four steps: 1. voices are found, or every 10 ms window that reaches `threshold_db`, as `detector` says; 2. padding is added around the sound; 3. sound shorter than `min_clip` becomes silence; 4. silences shorter than `min_silence` are kept. Video is cut at the nearest frame and the audio at the same time; inside a long frame, the cut is made at the exact time. If the video can be copied without re-encoding, detected edges move slightly so that fewer frames are re-encoded: a start moves up to 0.3 s earlier, or later into the padding by up to 0.1 s and at most half of `padding_before`; an end moves up to four frames into the silence, at least half of which remains. Edges do not move without padding or in `segments`. `mode: detect` renders nothing: its main file is the decision list, which you can edit and send back as `segments`. In that list, `silent` segments are processed according to `mode`, and the detection settings have no effect. The file `levels` contains the level every 100 ms. `export` adds the edit as EDL (CMX 3600), FCPXML 1.10, OpenTimelineIO or CSV. Timecodes count frames of the video from the timecode that the source states, otherwise from zero, and are drop-frame at 29.97 and 59.94 fps, unless the source says otherwise, and non-drop at all other rates; a variable frame rate counts at its average, audio-only sources at 30 fps. EDL record times start at one hour.',
  work: 'The audio is decoded to measure its level, and with `detector: auto` or `speech` again for the detector of voices. The kept parts are then cut as by `/cut`: packets are copied, and only a few frames at each joint are re-encoded. `speed_up` re-encodes the sped-up parts, `mute` only the audio, and `detect` nothing.',
  feature: 'video',
  fields: {
    video_url: videoUrl().optional(),
    audio_url: audioUrl().optional(),
    mode: z.enum(['remove', 'detect', 'speed_up', 'mute']).default('remove').meta({
      description:
        'What happens to silences. `remove` cuts them out, `speed_up` plays them at `silent_speed`, `mute` mutes them and keeps the picture, `detect` only lists them.',
    }),
    threshold_db: z
      .union([z.number().min(-90).max(0), z.literal('auto')], {
        error: 'must be a level from -90 to 0 dB or "auto"',
      })
      .default('auto')
      .meta({
        description:
          'Level above which sound is detected, in dBFS. `auto` follows the room: it uses 12 dB above the noise floor (the 10th percentile of the levels in the surrounding 90 seconds), or more if the noise has higher peaks. It is always below the loudest level and between −60 and −24.',
      }),
    detector: z.enum(['auto', 'energy', 'speech']).default('auto').meta({
      description:
        'What counts as sound. `auto` keeps voices and removes pauses even if there are other sounds in them, such as typing, chairs or breaths; in recordings of meetings it removes several times as much as `energy`, and sometimes a soft word, about 1 % of the speech. If the source has no voices, or with a number as `threshold_db`, it works like `energy`, which keeps everything that reaches `threshold_db`. `speech` keeps only voices, without regard to levels, and fails if there are none.',
    }),
    min_silence: z.number().min(0.05).max(30).default(0.5).meta({
      description: 'Keep silences that are shorter than this after padding, in seconds.',
    }),
    padding_before: z.number().min(0).max(10).default(0.1).meta({
      description: 'Seconds to keep before each sound.',
    }),
    padding_after: z.number().min(0).max(10).default(0.2).meta({
      description: 'Seconds to keep after each sound.',
    }),
    min_clip: z.number().min(0).max(30).default(0.1).meta({
      description: 'Treat sounds shorter than this as silence, in seconds including the padding.',
    }),
    keep_silence: z.number().min(0).max(5).default(0).meta({
      description:
        'Seconds to keep of each silence, half at each end. At the start or end of the source, all of them are kept next to the sound.',
    }),
    silent_speed: z.number().min(1).max(16).default(4).meta({
      description: 'Playback speed of silences with `mode: speed_up`. The pitch is kept.',
    }),
    audio_fade_ms: z.number().min(0).max(200).default(10).meta({
      description: 'Audio fade at each cut, in milliseconds.',
    }),
    segments: z
      .array(
        z.strictObject({
          start: seconds().meta({ description: 'Start of the segment in seconds.' }),
          end: seconds().meta({ description: 'End of the segment in seconds.' }),
          action: z.enum(segmentActions).meta({
            description: '`keep` leaves the segment unchanged; `silent` processes it according to `mode`.',
          }),
        }),
      )
      .min(1)
      .max(MAX_SEGMENTS, {
        error: ({ input }) => {
          const all: { action?: unknown }[] = Array.isArray(input) ? input : [];
          const silent = all.filter((segment) => segment?.action === 'silent').length;
          const help =
            silent > MAX_SEGMENTS
              ? `${silent} of them are \`silent\`: divide the source into several tasks`
              : 'Leave out those with `keep`: parts that are in no segment are kept';
          return `has ${all.length} items; at most ${MAX_SEGMENTS} are allowed. ${help}`;
        },
      })
      .optional()
      .meta({
        description:
          'Decision list to apply instead of detection, in time order, as returned by a `detect` task or by `/edit_by_text`. Parts that are in no segment are kept, so the `silent` segments of a long list are enough.',
      }),
    protect_ranges: z
      .array(
        z.strictObject({
          start: seconds().meta({ description: 'Start of the range in seconds.' }),
          end: seconds({ min: 0.001 }).meta({ description: 'End of the range in seconds.' }),
        }),
      )
      .max(100)
      .default([])
      .meta({ description: 'Ranges to keep even if they are silent.' }),
    export: z
      .array(z.enum(editExports))
      .max(editExports.length)
      .default([])
      .meta({ description: 'Export the edit for editing programs. The format is the role of the file.' }),
    tracks: tracks(),
    audio_track: audioTrack(),
    quality: quality(),
    codec: codec(),
    deinterlace: deinterlace(),
    format: format(),
  },
  refine: (input, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if ((input.video_url === undefined) === (input.audio_url === undefined)) {
      issue(['video_url'], 'Give either `video_url` or `audio_url`.');
    }
    let last = 0;
    for (const [index, { start, end }] of (input.segments ?? []).entries()) {
      if (end <= start) issue(['segments', index, 'end'], mustFollow(start));
      if (start < last)
        issue(
          ['segments', index, 'start'],
          'Segments must be in time order: `start` must not be before the end of the previous segment.',
        );
      last = Math.max(last, end);
    }
    for (const [index, { start, end }] of input.protect_ranges.entries()) {
      if (end <= start) issue(['protect_ranges', index, 'end'], mustFollow(start));
    }
    if (new Set(input.export).size < input.export.length) issue(['export'], 'Give each format only once.');
    if (input.detector === 'speech' && input.threshold_db !== 'auto') {
      issue(
        ['threshold_db'],
        'has no effect with `detector: "speech"`; leave it out, or use `detector: "energy"`.',
      );
    }
    checkCodec(input, context);
  },
  data: z.strictObject({
    segments: z
      .array(z.strictObject({ start: z.number(), end: z.number(), action: z.enum(segmentActions) }))
      .meta({ description: 'The decision list: the whole source in time order, in seconds.' }),
    silence_seconds: z.number().meta({ description: 'Total silence in the source, in seconds.' }),
    saved_seconds: z.number().meta({
      description:
        'Seconds by which the output is shorter than the source. With `mode: detect`, the seconds that `remove` would save.',
    }),
    noise_floor_db: z.number().nullable().meta({
      description: 'Noise floor in dBFS (10th percentile of the levels); null if `segments` was given.',
    }),
    threshold_db: z.number().nullable().meta({
      description:
        'Threshold that was used, in dBFS. With `auto`, it is the threshold of the whole source; louder and quieter sections have their own. Null if voices were detected instead, or if `segments` was given.',
    }),
    detector: z.enum(['energy', 'speech']).nullable().meta({
      description:
        'What the decision is based on: the level (`energy`) or voices (`speech`); null if `segments` was given.',
    }),
    ...madeHow(),
  }),
  sources: (input) =>
    input.video_url !== undefined
      ? [{ pointer: '/video_url', url: input.video_url }]
      : [{ pointer: '/audio_url', url: input.audio_url ?? '' }],
  errors: [
    'source_no_video',
    'source_no_audio',
    'track_not_found',
    'all_silent',
    'time_out_of_range',
    'engine_unavailable',
  ],
  exampleResult: {
    file_name: 'silence_process.mp4',
    role: 'video',
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
      detector: 'energy',
      copied_seconds: 8.1,
      rendered_seconds: 1.4,
      spans: [
        { out: [0, 4], frames: 120, copied: true, rendered_because: null },
        { out: [4, 4.2], frames: 6, copied: false, rendered_because: 'cut' },
        { out: [4.2, 5.4], frames: 36, copied: false, rendered_because: 'cut' },
        { out: [5.4, 9.5], frames: 123, copied: true, rendered_because: null },
      ],
    },
    time_map: [
      { source: 0, in: [0, 4.2], out: [0, 4.2] },
      { source: 0, in: [6.9, 12.2], out: [4.2, 9.5] },
    ],
  },
  examples: [
    { title: 'Cut out silences', input: { video_url: 'https://media.example.com/talk.mp4' } },
    {
      title: 'List silences and export them for editing programs',
      input: { video_url: 'https://media.example.com/talk.mp4', mode: 'detect', export: ['edl', 'fcpxml'] },
    },
    {
      title: 'Apply an edited list',
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
