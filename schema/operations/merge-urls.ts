import { z } from 'zod';
import { transitionNames } from '../media/transitions.ts';
import { deinterlace } from './fields/deinterlace.ts';
import {
  checkCodec,
  codec,
  color,
  evenSide,
  format,
  mustFollow,
  quality,
  seconds,
  sourceUrl,
} from './fields/fields.ts';
import { madeHow } from './fields/spans.ts';
import { audioTrack, tracks } from './fields/tracks.ts';
import { operation } from './operation.ts';

const MOST_INPUTS = 100;

export const mergeFits = ['contain', 'cover', 'blur', 'stretch'] as const;

const transitionType = () => z.enum(['none', ...transitionNames]);

const transitionSeconds = () => z.number().min(0).max(10);

const decibels = (description: string) => z.number().min(-60).max(20).meta({ description });

/** A clip to merge: its URL, or an object that also says which part of it to use. */
export const clip = () =>
  z.union(
    [
      sourceUrl('a clip'),
      z.strictObject({
        url: sourceUrl('the clip'),
        start: seconds()
          .optional()
          .meta({ description: 'Start of the part to use, in seconds. Defaults to the start of the clip.' }),
        end: seconds({ min: 0.001 }).optional().meta({
          description:
            'End of the part to use, in seconds. Defaults to the end of the clip. Where its sound goes on for more than 0.2 s after the picture, the last frame stays until the sound ends.',
        }),
        volume_db: decibels('Gain of the clip in dB.').optional(),
      }),
    ],
    { error: 'must be an https:// URL or an object with `url`, `start`, `end` and `volume_db`' },
  );

const clips = (description: string) =>
  z.array(clip()).min(2).max(MOST_INPUTS).optional().meta({ description });

export const mergeUrls = operation('merge_urls', {
  path: '/merge_urls',
  group: 'video',
  title: 'Merge',
  summary: 'Join several clips with hard cuts or transitions.',
  search: {
    title: 'Merge videos with transitions',
    lead: `Join clips of different sizes and frame rates with hard cuts or one of ${transitionNames.length} transitions. Clips that match are copied, except around the joints.`,
  },
  tool: {
    name: 'merge_videos',
    description:
      'Join two or more videos in order, with hard cuts or transitions and background music. For parts of one file use cut_video with segments, for photos animate_photos. Returns a video.',
    fields: {
      urls: 'Clips in order',
      transition: 'Such as fade; default none. Names: spool://transitions',
      duration: 'Seconds of each transition',
      fit: 'How other shapes are fitted',
      background_audio_url: 'Music',
    },
  },
  description:
    'Joins two or more videos in order. Unless you set them, size, frame rate and colors are taken from the first clip, and all clips are converted to them. Channels and sample rate of the sound are taken from the first clip that has any; if other clips or the music have more, mono becomes stereo, and the sample rate rises to theirs, up to 48 kHz. Clips without audio are silent. Clips that already match the output are copied, except for a few frames at their ends. A transition overlaps the end of one clip with the start of the next, so each transition shortens the output by its duration.',
  work: 'Clips with the codec, size and frame rate of the output are copied; only the frames of transitions and a few at the joints are re-encoded. Clips that differ are decoded, converted and encoded once. Background music re-encodes the audio only.',
  feature: 'video',
  fields: {
    urls: clips('Clips in order. Each is a URL, or an object with the URL and the part to use.'),
    video_urls: clips('Alias of `urls`. Give one of the two.'),
    transition: transitionType().default('none').meta({
      description: 'Transition between clips. `none` is a hard cut. See `/docs/transitions` for previews.',
    }),
    duration: transitionSeconds().default(1).meta({ description: 'Duration of each transition in seconds.' }),
    transitions: z
      .array(
        z.strictObject({
          type: transitionType()
            .optional()
            .meta({ description: 'Transition of this joint. Defaults to `transition`.' }),
          duration: transitionSeconds()
            .optional()
            .meta({ description: 'Duration of this transition in seconds. Defaults to `duration`.' }),
          offset: seconds().optional().meta({
            description:
              'Start of the transition, in seconds from the start of the preceding clip. Use it to end that clip early.',
          }),
        }),
      )
      .max(MOST_INPUTS - 1)
      .default([])
      .meta({
        description:
          'Transitions of individual joints, in order; the first is between the first two clips. Joints without an entry use `transition` and `duration`.',
      }),
    audio_transition: z.enum(['crossfade', 'cut']).default('crossfade').meta({
      description: 'Audio during a transition: `crossfade`, or `cut` in the middle of the transition.',
    }),
    width: evenSide('Width').optional(),
    height: evenSide('Height').optional(),
    fps: z.number().min(1).max(120).optional().meta({
      description:
        'Constant frame rate of the output. Defaults to the frame rate of the first clip. If that clip has a variable frame rate or frames longer than 0.1 s, it defaults to the highest frame rate of all clips.',
    }),
    fit: z.enum(mergeFits).default('contain').meta({
      description:
        'How a clip with another aspect ratio is fitted. `contain` adds bars in the color `background`, `cover` crops, `blur` adds a blurred copy as the background, `stretch` ignores the aspect ratio.',
    }),
    background: color()
      .default('#000000')
      .meta({ description: 'Color of the bars with `fit: contain`, as `#rrggbb`.' }),
    normalize_audio: z.boolean().default(false).meta({
      description:
        'Normalize what is played of each clip to −16 LUFS before `volume_db` is applied. The gain of a clip is limited where its true peaks would exceed −1.5 dBTP: the clip is then quieter, and the warning `loudness_limited` says by how much. Silence, and sound shorter than 0.4 s, stay as they are.',
    }),
    background_audio_url: sourceUrl(
      'background music for the whole output; it is repeated if it is shorter',
    ).optional(),
    background_volume_db: decibels('Gain of the background music in dB.').default(-12),
    duck: z.boolean().default(true).meta({
      description: 'Lower the background music while the clips have sound.',
    }),
    on_short_clip: z.enum(['shorten', 'error']).default('shorten').meta({
      description:
        'If a clip is shorter than its transitions: `shorten` shortens the transitions and adds a warning; `error` fails the task with `clip_too_short`.',
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
    if ((input.urls === undefined) === (input.video_urls === undefined)) {
      issue(['urls'], 'Give either `urls` or `video_urls`.');
    }
    const field = input.urls ? 'urls' : 'video_urls';
    const list = input.urls ?? input.video_urls ?? [];
    for (const [index, clip] of list.entries()) {
      if (typeof clip === 'string' || clip.end === undefined || clip.end > (clip.start ?? 0)) continue;
      issue([field, index, 'end'], mustFollow(clip.start ?? 0));
    }
    if (list.length > 0 && input.transitions.length > list.length - 1) {
      issue(
        ['transitions'],
        `${list.length === 1 ? 'One clip has' : `${list.length} clips have`} ${list.length === 1 ? 'no joints' : list.length === 2 ? 'one joint' : `${list.length - 1} joints`}, but \`transitions\` has ${input.transitions.length} entries. Remove the last ones.`,
      );
    }
    checkCodec(input, context);
  },
  data: z.strictObject({
    joints: z
      .array(
        z.strictObject({
          index: z
            .number()
            .int()
            .meta({ description: 'Index of the joint; joint 0 follows the first clip.' }),
          type: transitionType().meta({ description: 'Transition of the joint; `none` is a hard cut.' }),
          at: z.number().meta({ description: 'Start of the transition in the output, in seconds.' }),
          duration: z.number().meta({ description: 'Duration in seconds; 0 for a hard cut.' }),
        }),
      )
      .meta({ description: 'The joints between clips, in order.' }),
    ...madeHow(),
  }),
  sources: (input) => {
    const field = input.urls ? 'urls' : 'video_urls';
    const music = input.background_audio_url;
    return [
      ...(input.urls ?? input.video_urls ?? []).map((clip, index) =>
        typeof clip === 'string'
          ? { pointer: `/${field}/${index}`, url: clip }
          : { pointer: `/${field}/${index}/url`, url: clip.url },
      ),
      ...(music === undefined ? [] : [{ pointer: '/background_audio_url', url: music }]),
    ];
  },
  bound: (input) => ({
    pointer: input.urls ? '/urls' : '/video_urls',
    count: (input.urls ?? input.video_urls ?? []).length,
    limit: 'merge_inputs',
    what: 'clips in one merge',
  }),
  errors: [
    'source_no_video',
    'source_no_audio',
    'track_not_found',
    'time_out_of_range',
    'clip_too_short',
    'engine_unavailable',
  ],
  exampleResult: {
    file_name: 'merge_urls.mp4',
    role: 'video',
    media_type: 'video/mp4',
    duration: 71.4,
    width: 1920,
    height: 1080,
    fps: 30,
    data: {
      joints: [{ index: 0, type: 'fade', at: 9, duration: 1 }],
      copied_seconds: 69.1,
      rendered_seconds: 2.3,
      spans: [
        { out: [0, 8], frames: 240, copied: true, rendered_because: null },
        { out: [8, 9], frames: 30, copied: false, rendered_because: 'cut' },
        { out: [9, 10], frames: 30, copied: false, rendered_because: 'transition' },
        { out: [10, 10.3], frames: 9, copied: false, rendered_because: 'cut' },
        { out: [10.3, 71.4], frames: 1833, copied: true, rendered_because: null },
      ],
    },
    time_map: [
      { source: 0, in: [0, 10], out: [0, 10] },
      { source: 1, in: [0, 62.4], out: [9, 71.4] },
    ],
  },
  examples: [
    {
      title: 'Two clips with a fade',
      input: {
        urls: ['https://media.example.com/intro.mp4', 'https://media.example.com/talk.mp4'],
        transition: 'fade',
        duration: 1,
      },
    },
    {
      title: 'Parts of clips with individual transitions and background music',
      input: {
        urls: [
          { url: 'https://media.example.com/intro.mp4', end: 5 },
          { url: 'https://media.example.com/talk.mp4', start: '00:00:05', end: '00:00:09', volume_db: -3 },
          'https://media.example.com/outro.mp4',
        ],
        transitions: [{ type: 'clock', duration: 0.5 }, { type: 'none' }],
        width: 1280,
        height: 720,
        background_audio_url: 'https://media.example.com/music.mp3',
      },
    },
  ],
});
