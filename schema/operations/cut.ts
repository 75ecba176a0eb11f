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

export const cut = operation('cut', {
  path: '/cut',
  group: 'video',
  title: 'Cut',
  summary: 'Cut a video or audio file with frame accuracy, or join several ranges of it.',
  search: {
    title: 'Cut video and audio',
    lead: 'Keep one range or join several, exact to the frame. Only the frames at the edges are re-encoded; the rest is copied.',
  },
  tool: {
    name: 'cut_video',
    description:
      'Keep one part of a video or audio file, or join several of its parts, exact to the frame. For pauses use remove_silence, for several files merge_videos. Returns a video, or audio for audio_url.',
    fields: {
      video_url: 'Source video',
      audio_url: 'Source audio instead',
      start: 'Seconds; default 0',
      end: 'Seconds. Give end or duration',
      duration: 'Seconds',
      segments: 'Parts to keep instead, in order',
      fade_in: 'Seconds',
      fade_out: 'Seconds',
    },
  },
  description:
    'Trims the file to the part from `start` to `end`, or from `start` for `duration`. Video is cut at the frames nearest to these times and the audio at the same times, so both stay in sync; `time_map` contains the exact times. If `start` falls inside a long frame (a slide or a freeze), the cut is made at that time and the output begins with that frame. Audio-only cuts are exact to the sample. `segments` keeps several ranges and joins them. `mode: keyframe` copies every frame without re-encoding and starts at the keyframe at or before each start; where it joins ranges, their sound is re-encoded to stay in sync.',
  work: 'Packets between the cuts are copied. Only the frames from a cut to the next keyframe are re-encoded, in the codec and with the parameters of the source, so the cost depends on the keyframe interval and not on the length of the cut. Audio packets are copied where they can be trimmed to the sample, and re-encoded otherwise. A fade re-encodes the frames it covers. If the source has a structure that cannot be joined exactly, the range is re-encoded as a whole. The times of the frames at each edge are then compared with the source.',
  feature: 'video',
  fields: {
    video_url: videoUrl().optional(),
    audio_url: audioUrl().optional(),
    start: seconds().optional().meta({
      description:
        'Start of the cut in seconds; 0 by default. Video starts at the nearest frame, audio-only cuts start at the exact sample.',
    }),
    duration: seconds({ min: 0.001 })
      .optional()
      .meta({ description: 'Length of the cut in seconds. Give either `duration` or `end`.' }),
    end: seconds({ min: 0.001 }).optional().meta({
      description:
        'End of the cut in seconds. Give either `end` or `duration`. Video ends at the frame boundary nearest to this time.',
    }),
    segments: z
      .array(
        z.strictObject({
          start: seconds().meta({ description: 'Start of the range in seconds; see `start`.' }),
          end: seconds({ min: 0.001 }).meta({ description: 'End of the range in seconds; see `end`.' }),
        }),
      )
      .min(1)
      .max(100)
      .optional()
      .meta({
        description:
          'Ranges to keep, joined in the given order. Use it instead of `start`, `duration` and `end`.',
      }),
    mode: z.enum(['precise', 'keyframe']).default('precise').meta({
      description:
        '`precise` is exact to the frame. `keyframe` copies every frame and starts at keyframes; a `codec` or `format` that needs re-encoding makes it `precise`, and so do several ranges of HEVC that cannot be joined without it.',
    }),
    audio: z
      .enum(['keep', 'mute'])
      .default('keep')
      .meta({ description: '`keep` keeps the audio, `mute` removes it.' }),
    fade_in: z
      .number()
      .min(0)
      .max(10)
      .default(0)
      .meta({ description: 'Fade-in from black and silence, in seconds.' }),
    fade_out: z
      .number()
      .min(0)
      .max(10)
      .default(0)
      .meta({ description: 'Fade-out to black and silence, in seconds.' }),
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
    if ((input.video_url === undefined) === (input.audio_url === undefined)) {
      issue('video_url', 'Give either `video_url` or `audio_url`.');
    }
    if (input.segments) {
      for (const field of ['start', 'duration', 'end'] as const) {
        if (input[field] !== undefined)
          issue(field, `\`${field}\` cannot be combined with \`segments\`. Remove one of them.`);
      }
      for (const [index, segment] of input.segments.entries()) {
        if (segment.end > segment.start) continue;
        context.addIssue({
          code: 'custom',
          path: ['segments', index, 'end'],
          message: mustFollow(segment.start),
        });
      }
    } else if ((input.duration === undefined) === (input.end === undefined)) {
      issue('duration', 'Give either `duration` or `end`, or give `segments`.');
    } else if (input.end !== undefined && input.end <= (input.start ?? 0)) {
      issue('end', mustFollow(input.start ?? 0));
    }
    if (input.mode === 'keyframe') {
      if (input.fade_in > 0)
        issue(
          'fade_in',
          '`mode: keyframe` copies without re-encoding and cannot fade. Use `mode: precise` or remove the fade.',
        );
      if (input.fade_out > 0)
        issue(
          'fade_out',
          '`mode: keyframe` copies without re-encoding and cannot fade. Use `mode: precise` or remove the fade.',
        );
    }
    if (input.mode === 'keyframe' && input.deinterlace === 'always') {
      issue(
        'deinterlace',
        '`mode: keyframe` copies without re-encoding and cannot deinterlace. Use `mode: precise` or `deinterlace: auto`.',
      );
    }
    if (input.audio_url !== undefined && input.audio === 'mute') {
      issue('audio', '`audio: mute` needs a `video_url`; it would leave nothing of an `audio_url`.');
    }
    checkCodec(input, context);
  },
  data: z.strictObject({
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
    'time_out_of_range',
    'engine_unavailable',
  ],
  exampleResult: {
    file_name: 'cut.mp4',
    role: 'video',
    media_type: 'video/mp4',
    duration: 5,
    width: 1920,
    height: 1080,
    fps: 30,
    data: {
      copied_seconds: 4.5,
      rendered_seconds: 0.5,
      spans: [
        { out: [0, 0.5], frames: 15, copied: false, rendered_because: 'cut' },
        { out: [0.5, 5], frames: 135, copied: true, rendered_because: null },
      ],
    },
    time_map: [{ source: 0, in: [1.5, 6.5], out: [0, 5] }],
  },
  examples: [
    {
      title: 'Five seconds, starting at 1.5 s',
      input: { video_url: 'https://media.example.com/talk.mp4', start: 1.5, duration: 5 },
    },
    {
      title: 'Two ranges joined, with fades',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        segments: [
          { start: 0, end: 4 },
          { start: '00:00:07.500', end: '00:00:10' },
        ],
        fade_in: 0.5,
        fade_out: 0.5,
      },
    },
  ],
});
