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

/** Decoded once for every second, a longer source would take more time than any plan gives a task. */
export const MOST_REVERSED_SECONDS = 600;

const rate = () => z.number().min(0.1).max(16);

export const speed = operation('speed', {
  path: '/speed',
  group: 'video',
  title: 'Speed',
  summary:
    'Change the speed of a video or audio file or of parts of it, play it backwards, rotate or flip it.',
  search: {
    title: 'Slow motion, fast forward, reverse and rotate',
    lead: 'Play a recording or parts of it from 0.1 to 16 times as fast, with the pitch kept or not. Reverse, rotate and mirror it.',
  },
  tool: {
    name: 'change_speed',
    description:
      'Play a video or audio file slower, faster or backwards, all of it or some ranges; rotate or mirror the picture. To speed up pauses use remove_silence. Returns the file; output.time_map says where each range went.',
    fields: {
      video_url: 'Source video',
      audio_url: 'Source audio instead',
      rate: '2 is twice as fast',
      ranges: 'Parts with a rate of their own',
      pitch: 'Keep it, or let it follow the rate',
      reverse: 'Play backwards',
      rotate: 'Clockwise degrees',
      flip: 'Mirror',
    },
  },
  description:
    'A `rate` of 2 plays twice as fast, 0.5 half as fast. With `ranges`, each range has its own rate and the rest plays at 1. The frame rate of the source is kept, as in an editor: at rates above 1 the output shows the frame nearest to each of its own frames, at rates below 1 frames are repeated. Each range takes a whole number of frames, and its sound exactly as long; `time_map` has the result. If the source has a variable frame rate, every frame moves to its exact new time and stays on screen longer or shorter instead. Ranges begin and end at the nearest frame; inside a long frame, at the exact time. `pitch: follow` resamples the sound like a tape, exact to the sample; `pitch: keep` stretches it with Rubber Band: the attack of a sound comes within 2 ms of its time at rates from 0.9 to 2, within 9 ms at 0.5 and within 45 ms at 0.25; above 2 the shortest sounds are lost. `reverse` plays everything backwards after the rates are applied, sound included, for sources of up to 10 minutes; the spans of `time_map` then run from the later second of the source to the earlier one. `rotate` turns the displayed picture clockwise, then `flip` mirrors it. In mp4 and mov, a rotation changes only the display matrix, which players apply.',
  work: 'What plays at rate 1 is copied as by `/cut`, and so is a picture that is only rotated; everything else is re-encoded. `reverse`, `flip`, and rotations in webm and mkv re-encode the whole video. `reverse` decodes it in short sections from the end to the beginning.',
  feature: 'video',
  fields: {
    video_url: videoUrl().optional(),
    audio_url: audioUrl().optional(),
    rate: rate().optional().meta({
      description: 'Playback speed of the whole source, from 0.1 to 16. Use either `rate` or `ranges`.',
    }),
    ranges: z
      .array(
        z.strictObject({
          start: seconds().meta({ description: 'Start of the range in seconds.' }),
          end: seconds({ min: 0.001 }).meta({ description: 'End of the range in seconds.' }),
          rate: rate().meta({ description: 'Playback speed of the range, from 0.1 to 16.' }),
        }),
      )
      .min(1)
      .max(200)
      .optional()
      .meta({
        description: 'Ranges with their own speed, in time order and without overlap. The rest plays at 1.',
      }),
    pitch: z.enum(['keep', 'follow']).default('keep').meta({
      description: 'Pitch of the sound: `keep` preserves it, `follow` raises and lowers it with the rate.',
    }),
    reverse: z.boolean().default(false).meta({ description: 'Play backwards.' }),
    rotate: z
      .union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)], {
        error: 'must be 0, 90, 180 or 270',
      })
      .default(0)
      .meta({ description: 'Clockwise turn of the displayed picture, in degrees.' }),
    flip: z.enum(['none', 'horizontal', 'vertical']).default('none').meta({
      description: 'Mirror the picture: `horizontal` swaps left and right, `vertical` top and bottom.',
    }),
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
    if (input.rate !== undefined && input.ranges) {
      issue(['ranges'], 'Give either `rate` or `ranges`, not both.');
    }
    const turned = input.rotate !== 0 || input.flip !== 'none';
    if (input.rate === undefined && !input.ranges && !input.reverse && !turned) {
      issue(['rate'], 'Give `rate`, `ranges`, `reverse`, `rotate` or `flip`.');
    }
    if (turned && input.audio_url !== undefined) {
      issue([input.rotate === 0 ? 'flip' : 'rotate'], 'needs a `video_url`: sound has no picture.');
    }
    let last = 0;
    for (const [index, { start, end }] of (input.ranges ?? []).entries()) {
      if (end <= start) issue(['ranges', index, 'end'], mustFollow(start));
      if (start < last)
        issue(
          ['ranges', index, 'start'],
          'Ranges must be in time order and must not overlap: `start` must not be before the end of the previous range.',
        );
      last = Math.max(last, end);
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
    file_name: 'speed.mp4',
    role: 'video',
    media_type: 'video/mp4',
    duration: 14,
    width: 1920,
    height: 1080,
    fps: 30,
    data: {
      copied_seconds: 9.8,
      rendered_seconds: 4.2,
      spans: [
        { out: [0, 4], frames: 120, copied: true, rendered_because: null },
        { out: [4, 8], frames: 120, copied: false, rendered_because: 'speed' },
        { out: [8, 8.2], frames: 6, copied: false, rendered_because: 'cut' },
        { out: [8.2, 14], frames: 174, copied: true, rendered_because: null },
      ],
    },
    time_map: [
      { source: 0, in: [0, 4], out: [0, 4] },
      { source: 0, in: [4, 6], out: [4, 8] },
      { source: 0, in: [6, 12], out: [8, 14] },
    ],
  },
  examples: [
    {
      title: 'Twice as fast, with the pitch of the voice kept',
      input: { video_url: 'https://media.example.com/talk.mp4', rate: 2 },
    },
    {
      title: 'A moment in slow motion',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        ranges: [{ start: 4, end: 6, rate: 0.5 }],
        pitch: 'follow',
      },
    },
    {
      title: 'Turn a video that lies on its side, without re-encoding',
      input: { video_url: 'https://media.example.com/talk.mp4', rotate: 90 },
    },
  ],
});
