import { z } from 'zod';
import { engineUsed } from '../media/engines.ts';
import { photoPresetNames, photoPresets } from '../media/photo-presets.ts';
import { transitionNames } from '../media/transitions.ts';
import { checkCodec, color, evenSide, sourceUrl } from './fields/fields.ts';
import { foundFocus } from './fields/found-focus.ts';
import { drawnVideoFields } from './fields/generated-video.ts';
import { operation } from './operation.ts';

const MOST_PHOTOS = 60;

const photoFills = ['cover', 'contain', 'blur'] as const;

const listed = photoPresetNames.map((name) => `\`${name}\`: ${photoPresets[name]}.`).join(' ');

const preset = () => z.enum(photoPresetNames);
const duration = () => z.number().min(1).max(60);
const focus = () => z.number().min(0).max(1);

export const photoAnimate = operation('photo_animate', {
  path: '/photo/animate',
  group: 'photo',
  title: 'Animate photos',
  summary: 'Turn one or more photos into a video with movement, transitions and music.',
  search: {
    title: 'Turn photos into video',
    lead: 'Pan, zoom and drift over one or more photos, with transitions between them and music under them.',
  },
  tool: {
    name: 'animate_photos',
    description:
      'Make a video from photos with camera movement, transitions and music. For videos use merge_videos. Returns a video.',
    fields: {
      photo_url: 'One photo',
      photo_urls: 'Or several, in order',
      preset: 'Movement',
      duration: 'Seconds of each photo',
      aspect_ratio: 'Such as 9:16',
      transition: 'Such as fade. Names: spool://transitions',
      audio_url: 'Music',
    },
  },
  description:
    'Shows each photo (png, jpeg, webp or the first picture of a gif) with a smooth, sub-pixel movement. Photos are rotated upright by their EXIF orientation. The output is as long as all photos together, minus the overlap of the transitions.',
  work: 'Each photo is read once at the size it needs. Every frame is resampled at sub-pixel positions and encoded once. The cost grows with the size of the picture, the frame rate and the length.',
  feature: 'photo',
  fields: {
    photo_url: sourceUrl('the photo').optional(),
    photo_urls: z
      .array(
        z.union(
          [
            sourceUrl('a photo'),
            z.strictObject({
              url: sourceUrl('the photo'),
              duration: duration().optional().meta({ description: 'Seconds that the photo is shown.' }),
              preset: preset().optional().meta({ description: 'Movement of this photo.' }),
              focus_x: focus()
                .optional()
                .meta({ description: 'Horizontal position of the subject, from 0 (left) to 1 (right).' }),
              focus_y: focus()
                .optional()
                .meta({ description: 'Vertical position of the subject, from 0 (top) to 1 (bottom).' }),
            }),
          ],
          {
            error:
              'must be an https:// URL or an object with `url`, `duration`, `preset`, `focus_x` and `focus_y`',
          },
        ),
      )
      .min(1)
      .max(MOST_PHOTOS)
      .optional()
      .meta({
        description:
          'Photos in order. Each is a URL, or an object with the URL and its own settings. Give either `photo_url` or `photo_urls`.',
      }),
    preset: preset()
      .default('ken_burns')
      .meta({ description: `Movement of the photos. ${listed} See \`/docs/examples\` for previews.` }),
    duration: duration()
      .default(5)
      .meta({ description: 'Seconds that each photo is shown, including its transitions.' }),
    fps: z.number().min(1).max(60).default(30).meta({ description: 'Frame rate in frames per second.' }),
    width: evenSide('Width').optional(),
    height: evenSide('Height').optional(),
    aspect_ratio: z
      .string()
      .regex(/^[1-9]\d{0,3}:[1-9]\d{0,3}$/, { error: 'must be width:height, such as "16:9"' })
      .default('16:9')
      .meta({
        description:
          'Aspect ratio of the output, such as `9:16`. Ignored if both `width` and `height` are given. Without `width` and `height`, the shorter side is 1080 px, or the longer side is 1920 px if that gives a smaller picture.',
      }),
    zoom_start: z.number().min(1).max(3).default(1).meta({
      description: 'Zoom factor at the start. 1 shows as much of the photo as fits.',
    }),
    zoom_end: z.number().min(1).max(3).default(1.2).meta({
      description:
        'Zoom factor at the end. `zoom_out` moves from `zoom_end` to `zoom_start`. Pans stay at `zoom_start` if the photo is large enough in that direction; otherwise they use `zoom_end`.',
    }),
    focus: z.enum(['point', 'auto']).default('point').meta({
      description:
        '`auto` finds the subject of each photo: its faces, otherwise what stands out, otherwise the center. `point` uses `focus_x` and `focus_y`. A photo that has its own `focus_x` or `focus_y` uses them in either case.',
    }),
    focus_x: focus()
      .default(0.5)
      .meta({ description: 'Horizontal position of the subject, from 0 (left) to 1 (right).' }),
    focus_y: focus()
      .default(0.5)
      .meta({ description: 'Vertical position of the subject, from 0 (top) to 1 (bottom).' }),
    easing: z.enum(['linear', 'ease_in_out']).default('ease_in_out').meta({
      description: 'Speed of the movement: `linear` is constant, `ease_in_out` starts and ends slowly.',
    }),
    fill: z.enum(photoFills).default('cover').meta({
      description:
        'How a photo with another aspect ratio fills the frame. `cover` crops it, `contain` shows all of it on the color `background`, `blur` shows all of it on a blurred copy of itself.',
    }),
    background: color().default('#000000').meta({
      description: 'Color around photos with `fill: contain` and behind transparent photos, as `#rrggbb`.',
    }),
    transition: z
      .enum(['none', ...transitionNames])
      .default('fade')
      .meta({
        description: 'Transition between photos. `none` is a hard cut. See `/docs/transitions` for previews.',
      }),
    transition_duration: z.number().min(0).max(10).default(1).meta({
      description:
        'Duration of each transition in seconds; at most half the duration of the shorter of the two photos.',
    }),
    audio_url: sourceUrl('the music; if it is a video, its audio is used').optional(),
    length_policy: z.enum(['video', 'audio', 'shortest']).default('video').meta({
      description:
        'Length of the output with music. `video`: as long as the photos; shorter music is repeated, longer music fades out. `audio`: as long as the music; the photos are shown accordingly. `shortest`: as long as the shorter of the two.',
    }),
    seed: z.number().int().min(0).max(2_147_483_647).default(0).meta({
      description:
        'Seed for the directions of `drift` and `ken_burns`. The same seed gives the same movement.',
    }),
    ...drawnVideoFields,
  },
  refine: (input, context) => {
    const issue = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if ((input.photo_url === undefined) === (input.photo_urls === undefined)) {
      issue('photo_url', 'Give either `photo_url` or `photo_urls`.');
    }
    const given = (['focus_x', 'focus_y'] as const).find((field) => input[field] !== 0.5);
    if (input.focus === 'auto' && given) {
      issue(given, `Leave out \`${given}\`: \`focus: auto\` finds the subject. Or leave out \`focus\`.`);
    }
    const [w = 1, h = 1] = input.aspect_ratio.split(':').map(Number);
    if (w / h > 4 || h / w > 4) issue('aspect_ratio', 'must be between 1:4 and 4:1');
    if (input.audio_url === undefined && input.length_policy !== 'video') {
      issue('length_policy', `\`length_policy: ${input.length_policy}\` needs an \`audio_url\`.`);
    }
    checkCodec(input, context);
  },
  data: z.strictObject({
    engine: engineUsed.nullable().meta({
      description: 'Engine that estimated the depth for `parallax`; null if no photo uses it.',
    }),
    timeline: z
      .array(
        z.strictObject({
          photo: z.number().int().meta({ description: 'Index of the photo, starting at 0.' }),
          preset: preset().meta({ description: 'Movement of the photo.' }),
          start: z.number().meta({ description: 'Second of the output at which the photo appears.' }),
          end: z.number().meta({ description: 'Second of the output at which the photo disappears.' }),
          focus: foundFocus.optional().meta({ description: 'With `focus: auto`: the subject of the photo.' }),
        }),
      )
      .meta({ description: 'When each photo is visible. Two photos are visible during a transition.' }),
  }),
  sources: ({ photo_url, photo_urls, audio_url }) => [
    ...(photo_url === undefined ? [] : [{ pointer: '/photo_url', url: photo_url }]),
    ...(photo_urls ?? []).map((photo, index) =>
      typeof photo === 'string'
        ? { pointer: `/photo_urls/${index}`, url: photo }
        : { pointer: `/photo_urls/${index}/url`, url: photo.url },
    ),
    ...(audio_url === undefined ? [] : [{ pointer: '/audio_url', url: audio_url }]),
  ],
  errors: ['source_no_video', 'source_no_audio', 'clip_too_short', 'engine_unavailable'],
  exampleResult: {
    file_name: 'photo_animate.mp4',
    role: 'video',
    media_type: 'video/mp4',
    duration: 5,
    width: 1920,
    height: 1080,
    fps: 30,
    data: { engine: null, timeline: [{ photo: 0, preset: 'ken_burns', start: 0, end: 5 }] },
    time_map: [],
  },
  examples: [
    {
      title: 'One photo, moving towards a face',
      input: { photo_url: 'https://media.example.com/beach.jpg', focus: 'auto' },
    },
    {
      title: 'Portrait slide show, as long as its music',
      input: {
        photo_urls: [
          'https://media.example.com/one.jpg',
          { url: 'https://media.example.com/two.jpg', preset: 'pan_left', duration: 8 },
          'https://media.example.com/three.jpg',
        ],
        aspect_ratio: '9:16',
        fill: 'blur',
        transition: 'smoothleft',
        transition_duration: 0.5,
        audio_url: 'https://media.example.com/music.mp3',
        length_policy: 'audio',
      },
    },
    {
      title: 'A panorama',
      input: {
        photo_url: 'https://media.example.com/mountains.jpg',
        preset: 'pan_right',
        duration: 12,
        easing: 'linear',
      },
    },
  ],
});
