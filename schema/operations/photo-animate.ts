import { z } from 'zod';
import { engineUsed } from '../media/engines.ts';
import { photoPresetNames, photoPresets } from '../media/photo-presets.ts';
import { transitionNames } from '../media/transitions.ts';
import { checkCodec, color, evenSide, sourceUrl } from './fields/fields.ts';
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
  group: 'create',
  title: 'Animate photos',
  summary: 'One photo or many become a video in which they move, with transitions and music.',
  description:
    'Every photo (png, jpeg, webp; of a gif its first picture) is turned upright by its EXIF orientation and moves by fractions of a pixel, so that nothing jitters. The result is as long as its photos, less what transitions overlap.',
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
              duration: duration().optional().meta({ description: 'Seconds that it is shown.' }),
              preset: preset().optional().meta({ description: 'How it moves.' }),
              focus_x: focus().optional().meta({ description: 'What it is about, from 0 (left) to 1.' }),
              focus_y: focus().optional().meta({ description: 'What it is about, from 0 (top) to 1.' }),
            }),
          ],
          { error: 'Expected an https:// URL, or an object with url, duration, preset, focus_x, focus_y' },
        ),
      )
      .min(1)
      .max(MOST_PHOTOS)
      .optional()
      .meta({
        description:
          'Photos in order: URLs, or objects with a URL and what is different for it. Give `photo_url` or `photo_urls`.',
      }),
    preset: preset()
      .default('ken_burns')
      .meta({ description: `How photos move. ${listed} See \`/docs/examples\`.` }),
    duration: duration()
      .default(5)
      .meta({ description: 'Seconds that each photo is shown, transitions included.' }),
    fps: z.number().min(1).max(60).default(30).meta({ description: 'Frames a second.' }),
    width: evenSide('Width').optional(),
    height: evenSide('Height').optional(),
    aspect_ratio: z
      .string()
      .regex(/^[1-9]\d{0,3}:[1-9]\d{0,3}$/, { error: 'Expected a ratio such as "16:9"' })
      .default('16:9')
      .meta({
        description:
          'Shape of the result such as `9:16`, where width and height are not both given. Without either its shorter side has 1080 px, or its longer one 1920 if that is less.',
      }),
    zoom_start: z.number().min(1).max(3).default(1).meta({
      description: 'How close the view is at first: 1 shows as much as fits.',
    }),
    zoom_end: z.number().min(1).max(3).default(1.2).meta({
      description:
        'How close it is at last. `zoom_out` goes from here to `zoom_start`; the pans keep `zoom_start` where the photo reaches far enough that way, else this.',
    }),
    focus_x: focus()
      .default(0.5)
      .meta({ description: 'What the photo is about, from 0 (left) to 1 (right).' }),
    focus_y: focus()
      .default(0.5)
      .meta({ description: 'What the photo is about, from 0 (top) to 1 (bottom).' }),
    easing: z.enum(['linear', 'ease_in_out']).default('ease_in_out').meta({
      description: 'Whether the movement starts and ends gently.',
    }),
    fill: z.enum(photoFills).default('cover').meta({
      description:
        'How a photo of another shape fills the frame: `cover` cuts it, `contain` shows all of it on `background`, `blur` on a blurred copy of itself.',
    }),
    background: color().default('#000000').meta({
      description:
        'Colour as `#rrggbb` around a photo that is contained, and behind one that can be seen through.',
    }),
    transition: z
      .enum(['none', ...transitionNames])
      .default('fade')
      .meta({
        description: 'How one photo becomes the next; `none` is a hard cut. `/docs/transitions` shows each.',
      }),
    transition_duration: z.number().min(0).max(10).default(1).meta({
      description: 'Seconds that a transition takes; at most half of the shorter photo.',
    }),
    audio_url: sourceUrl('music; of a video, its sound is taken').optional(),
    length_policy: z.enum(['video', 'audio', 'shortest']).default('video').meta({
      description:
        'With music: `video` is as long as the photos (music that is shorter begins again, music that is longer fades out), `audio` shows the photos for as long as the music lasts, `shortest` ends with whichever ends first.',
    }),
    seed: z.number().int().min(0).max(2_147_483_647).default(0).meta({
      description: 'Another number gives other directions to `drift` and `ken_burns`; the same one the same.',
    }),
    ...drawnVideoFields,
  },
  refine: (input, context) => {
    const issue = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if ((input.photo_url === undefined) === (input.photo_urls === undefined)) {
      issue('photo_url', 'Give exactly one of photo_url and photo_urls');
    }
    const [w = 1, h = 1] = input.aspect_ratio.split(':').map(Number);
    if (w / h > 4 || h / w > 4) issue('aspect_ratio', 'Expected a ratio between 1:4 and 4:1');
    if (input.audio_url === undefined && input.length_policy !== 'video') {
      issue('length_policy', `length_policy ${input.length_policy} needs an audio_url`);
    }
    checkCodec(input, context);
  },
  data: z.strictObject({
    engine: engineUsed.nullable().meta({
      description: 'The engine that has seen the depth for `parallax`; null where no photo asks for it.',
    }),
    timeline: z
      .array(
        z.strictObject({
          photo: z.number().int().meta({ description: 'Counted from 0.' }),
          preset: preset().meta({ description: 'How it moves.' }),
          start: z.number().meta({ description: 'Second of the result at which it appears.' }),
          end: z.number().meta({ description: 'Second at which it is gone.' }),
        }),
      )
      .meta({ description: 'When each photo is seen; during a transition two are.' }),
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
    file_name: 'beach.mp4',
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
      title: 'One photo, towards a face',
      input: { photo_url: 'https://media.example.com/beach.jpg', focus_x: 0.3, focus_y: 0.4 },
    },
    {
      title: 'An upright show as long as its music',
      input: {
        photo_urls: [
          'https://media.example.com/one.jpg',
          { url: 'https://media.example.com/two.jpg', preset: 'pan_left', duration: 8 },
          'https://media.example.com/three.jpg',
        ],
        aspect_ratio: '9:16',
        fill: 'blur',
        transition: 'smoothleft',
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
