import { z } from 'zod';
import { audioUrl, checkCodec, codec, format, quality, seconds, videoUrl } from './fields/fields.ts';
import { operation } from './operation.ts';

export const cut = operation('cut', {
  path: '/cut',
  group: 'edit',
  title: 'Cut',
  summary: 'A frame-exact cut of a video or audio file, or several ranges of it joined in order.',
  description:
    'Keeps the frames from `start` for `duration` (or up to `end`). A cut of video begins and ends at the frame nearest to the time asked for, and its sound is cut at the same instants, so picture and sound stay together; `time_map` has the instants. If a time falls inside a long frame (a slide, a freeze), the cut is made at that time and the output begins with that frame. A cut of sound alone is exact to the sample. `segments` keeps several ranges and joins them. `mode: keyframe` copies without rendering and begins at the keyframe at or before each start.',
  feature: 'video',
  fields: {
    video_url: videoUrl().optional(),
    audio_url: audioUrl().optional(),
    start: seconds().optional().meta({
      description:
        'Where the cut begins, in seconds; 0 if left out. Video begins with the nearest frame, sound alone with this very sample.',
    }),
    duration: seconds({ min: 0.001 })
      .optional()
      .meta({ description: 'How long the cut is, in seconds; give this or `end`.' }),
    end: seconds({ min: 0.001 }).optional().meta({
      description:
        'Where the cut ends, in seconds; give this or `duration`. Video ends where the frame nearest to it would begin.',
    }),
    segments: z
      .array(
        z.strictObject({
          start: seconds().meta({ description: 'Where the range begins, in seconds; as `start`.' }),
          end: seconds({ min: 0.001 }).meta({ description: 'Where it ends, in seconds; as `end`.' }),
        }),
      )
      .min(1)
      .max(100)
      .optional()
      .meta({
        description: 'Ranges to keep, joined in the order given; in place of start, duration and end.',
      }),
    mode: z.enum(['precise', 'keyframe']).default('precise').meta({
      description: '`precise` is exact to the frame; `keyframe` copies everything and starts at keyframes.',
    }),
    audio: z.enum(['keep', 'mute']).default('keep').meta({ description: '`mute` drops the sound.' }),
    fade_in: z
      .number()
      .min(0)
      .max(10)
      .default(0)
      .meta({ description: 'Seconds of fade from black and silence.' }),
    fade_out: z
      .number()
      .min(0)
      .max(10)
      .default(0)
      .meta({ description: 'Seconds of fade to black and silence.' }),
    quality: quality(),
    codec: codec(),
    format: format(),
  },
  refine: (input, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((input.video_url === undefined) === (input.audio_url === undefined)) {
      issue('video_url', 'Give exactly one of video_url and audio_url');
    }
    if (input.segments) {
      for (const field of ['start', 'duration', 'end'] as const) {
        if (input[field] !== undefined) issue(field, 'Leave this out when segments is given');
      }
      for (const [index, segment] of input.segments.entries()) {
        if (segment.end > segment.start) continue;
        context.addIssue({
          code: 'custom',
          path: ['segments', index, 'end'],
          message: 'end must be after start',
        });
      }
    } else if ((input.duration === undefined) === (input.end === undefined)) {
      issue('duration', 'Give exactly one of duration and end, or segments');
    } else if (input.end !== undefined && input.end <= (input.start ?? 0)) {
      issue('end', 'end must be after start');
    }
    if (input.mode === 'keyframe') {
      if (input.fade_in > 0) issue('fade_in', 'A keyframe cut copies and cannot fade; use mode precise');
      if (input.fade_out > 0) issue('fade_out', 'A keyframe cut copies and cannot fade; use mode precise');
    }
    if (input.audio_url !== undefined && input.audio === 'mute') {
      issue('audio', 'A cut of audio alone cannot be mute');
    }
    checkCodec(input, context);
  },
  data: z.strictObject({
    copied_seconds: z.number().meta({ description: 'Seconds of video whose packets were copied.' }),
    rendered_seconds: z.number().meta({ description: 'Seconds of video that were encoded anew.' }),
  }),
  sources: (input) =>
    input.video_url !== undefined
      ? [{ pointer: '/video_url', url: input.video_url }]
      : [{ pointer: '/audio_url', url: input.audio_url ?? '' }],
  errors: ['source_no_video', 'source_no_audio', 'time_out_of_range'],
  exampleResult: {
    file_name: 'talk.mp4',
    media_type: 'video/mp4',
    duration: 5,
    width: 1920,
    height: 1080,
    fps: 30,
    data: { copied_seconds: 0, rendered_seconds: 5 },
    time_map: [{ source: 0, in: [1.5, 6.5], out: [0, 5] }],
  },
  examples: [
    {
      title: 'Five seconds from 1.5 s',
      input: { video_url: 'https://media.example.com/talk.mp4', start: 1.5, duration: 5 },
    },
    {
      title: 'Two ranges joined, with fades',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        segments: [
          { start: 0, end: 4 },
          { start: '00:01:10.500', end: '00:01:15' },
        ],
        fade_in: 0.5,
        fade_out: 0.5,
      },
    },
  ],
});
