import { z } from 'zod';
import { transitionNames } from '../media/transitions.ts';
import { checkCodec, codec, color, evenSide, format, quality, seconds, sourceUrl } from './fields/fields.ts';
import { operation } from './operation.ts';

const MOST_INPUTS = 100;

const mergeFits = ['contain', 'cover', 'blur', 'stretch'] as const;

const transitionType = () => z.enum(['none', ...transitionNames]);

const transitionSeconds = () => z.number().min(0).max(10);

const decibels = (description: string) => z.number().min(-60).max(20).meta({ description });

/** A clip to merge: its address, or an object that also says what to use of it. */
export const clip = () =>
  z.union(
    [
      sourceUrl('a clip'),
      z.strictObject({
        url: sourceUrl('the clip'),
        start: seconds().optional().meta({ description: 'Where the clip begins; its start if left out.' }),
        end: seconds({ min: 0.001 })
          .optional()
          .meta({ description: 'Where the clip ends; its end if left out.' }),
        volume_db: decibels('Gain of its sound in decibels.').optional(),
      }),
    ],
    { error: 'Expected an https:// URL, or an object with url, start, end, volume_db' },
  );

const clips = (description: string) =>
  z.array(clip()).min(2).max(MOST_INPUTS).optional().meta({ description });

export const mergeUrls = operation('merge_urls', {
  path: '/merge_urls',
  group: 'edit',
  title: 'Merge',
  summary: 'Several clips joined in order, with hard cuts or transitions.',
  description:
    'Joins two or more videos. Size, frame rate and colours are those of the first clip unless asked otherwise, and every clip is brought to them; a clip without sound gets silence. Clips that already have what the result needs, and are coded alike, are copied but for a few frames at their ends. A transition overlaps the end of one clip with the start of the next, so that the result is shorter by its duration.',
  feature: 'video',
  fields: {
    urls: clips('The clips in order: URLs, or objects with a URL and what to use of it.'),
    video_urls: clips('The same as `urls`, under another name; give one of the two.'),
    transition: transitionType().default('none').meta({
      description: 'How one clip becomes the next; `none` is a hard cut. `/docs/transitions` shows each.',
    }),
    duration: transitionSeconds().default(1).meta({ description: 'Seconds that a transition takes.' }),
    transitions: z
      .array(
        z.strictObject({
          type: transitionType().optional().meta({ description: '`transition` if left out.' }),
          duration: transitionSeconds()
            .optional()
            .meta({ description: 'Seconds that it takes; `duration` if left out.' }),
          offset: seconds().optional().meta({
            description:
              'Seconds from the start of the clip before it to the start of the transition, if that clip is not to be shown to its end.',
          }),
        }),
      )
      .max(MOST_INPUTS - 1)
      .default([])
      .meta({
        description:
          'The transition of each joint, the first being that between the first two clips; joints without an entry take `transition` and `duration`.',
      }),
    audio_transition: z.enum(['crossfade', 'cut']).default('crossfade').meta({
      description: 'Sound during a transition: crossfaded, or changed over in the middle of it.',
    }),
    width: evenSide('Width').optional(),
    height: evenSide('Height').optional(),
    fps: z.number().min(1).max(120).optional().meta({
      description:
        'Constant frame rate of the result. If left out, that of the first clip, or of the fastest where the frames of the first stand at irregular distances or are shown for more than 0.1 s.',
    }),
    fit: z.enum(mergeFits).default('contain').meta({
      description:
        'How a clip of another shape is fitted: `contain` on bars of `background`, `cover` cropped, `blur` on a blurred copy of itself, `stretch` out of shape.',
    }),
    background: color()
      .default('#000000')
      .meta({ description: 'Colour of the bars of `fit: contain`, as `#rrggbb`.' }),
    normalize_audio: z.boolean().default(false).meta({
      description: 'Bring each clip to the same loudness, −16 LUFS, before `volume_db`.',
    }),
    background_audio_url: sourceUrl('music to lay under the whole result; repeated if shorter').optional(),
    background_volume_db: decibels('Gain of the background music in decibels.').default(-12),
    duck: z.boolean().default(true).meta({
      description: 'Lower the background music while the clips are heard.',
    }),
    on_short_clip: z.enum(['shorten', 'error']).default('shorten').meta({
      description:
        'When a clip is shorter than its transitions: `shorten` them, with a warning, or end in `clip_too_short`.',
    }),
    quality: quality(),
    codec: codec(),
    format: format(),
  },
  refine: (input, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if ((input.urls === undefined) === (input.video_urls === undefined)) {
      issue(['urls'], 'Give exactly one of urls and video_urls');
    }
    const field = input.urls ? 'urls' : 'video_urls';
    const list = input.urls ?? input.video_urls ?? [];
    for (const [index, clip] of list.entries()) {
      if (typeof clip === 'string' || clip.end === undefined || clip.end > (clip.start ?? 0)) continue;
      issue([field, index, 'end'], 'end must be after start');
    }
    if (list.length > 0 && input.transitions.length > list.length - 1) {
      issue(['transitions'], `${list.length} clips have ${list.length - 1} joints`);
    }
    checkCodec(input, context);
  },
  data: z.strictObject({
    joints: z
      .array(
        z.strictObject({
          index: z.number().int().meta({ description: 'Counted from 0; joint 0 follows the first clip.' }),
          type: transitionType().meta({ description: 'The transition; `none` is a hard cut.' }),
          at: z.number().meta({ description: 'Second of the result at which it begins.' }),
          duration: z.number().meta({ description: 'Seconds that it takes; 0 for a hard cut.' }),
        }),
      )
      .meta({ description: 'Where the clips meet.' }),
    copied_seconds: z.number().meta({ description: 'Seconds of video whose packets were copied.' }),
    rendered_seconds: z.number().meta({ description: 'Seconds of video that were encoded anew.' }),
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
  errors: ['source_no_video', 'source_no_audio', 'time_out_of_range', 'clip_too_short'],
  exampleResult: {
    file_name: 'intro.mp4',
    media_type: 'video/mp4',
    duration: 71.4,
    width: 1920,
    height: 1080,
    fps: 30,
    data: {
      joints: [{ index: 0, type: 'fade', at: 9, duration: 1 }],
      copied_seconds: 69.1,
      rendered_seconds: 2.3,
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
      title: 'Parts of clips, each joint of its own, on music',
      input: {
        urls: [
          { url: 'https://media.example.com/intro.mp4', end: 5 },
          { url: 'https://media.example.com/talk.mp4', start: '00:01:00', end: '00:01:20', volume_db: -3 },
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
