import { z } from 'zod';
import { visualStyleNames, visualStyles } from '../media/visual-styles.ts';
import { anchors, audioUrl, checkCodec, color, evenSide, sourceUrl } from './fields/fields.ts';
import { drawnVideoFields } from './fields/generated-video.ts';
import { operation } from './operation.ts';

const listed = visualStyleNames.map((name) => `\`${name}\`: ${visualStyles[name].title}.`).join(' ');

export const visualize = operation('visualize', {
  path: '/visualize',
  group: 'create',
  title: 'Visualize',
  summary: 'A video that shows a sound file: bars, waves, rings and more, in time with it.',
  description:
    'Draws a video as long as the sound, over a colour, a picture or a video. What is drawn follows the loudness of the whole file, so that quiet recordings move as much as loud ones; a frame shows what is heard until its end. The same request on the same sound gives the same pictures. With a title, subtitle or cover, a visualizer that is not placed by `position` makes room for them.',
  feature: 'visualizer',
  fields: {
    audio_url: audioUrl().meta({
      description: 'Public https:// URL of the sound; of a video, its sound is taken.',
    }),
    video_url: sourceUrl(
      'a video that is shown behind; it fills the picture, and its sound is not heard',
    ).optional(),
    image_url: sourceUrl(
      'a picture (png, jpeg, webp, gif) that is shown behind and fills the frame',
    ).optional(),
    background_color: color()
      .default('#0b0d12')
      .meta({ description: 'Colour behind, as `#rrggbb`, where neither a video nor a picture is.' }),
    style: z
      .enum(visualStyleNames)
      .default('bars')
      .meta({ description: `What is drawn. ${listed} See \`/docs/examples\`.` }),
    colors: z.array(color()).min(1).max(4).default(['#7c5cff', '#22d3ee']).meta({
      description:
        'One to four colours as `#rrggbb`, which become a gradient: from left to right, from below to above, around the circle or outwards, as the style has it.',
    }),
    width: evenSide('Width').default(1280),
    height: evenSide('Height').default(720),
    fps: z.number().min(1).max(60).default(30).meta({ description: 'Frames a second.' }),
    bars: z.number().int().min(8).max(256).default(64).meta({
      description:
        'How many bars, columns of dots or points of the curve there are. `cqt` always has 108, one for each semitone of nine octaves; `line` and `vectorscope` have none.',
    }),
    smoothing: z.number().min(0).max(1).default(0.5).meta({
      description: 'How slowly levels sink again, from 0 (at once) to 1; they rise at once in any case.',
    }),
    position: z.enum(anchors).optional().meta({
      description:
        'Where the visualizer stands. Left out: at the bottom or in the middle, as it suits the style and what stands beside it.',
    }),
    size_percent: z.number().min(10).max(100).optional().meta({
      description:
        'How much of the width it takes, or of the shorter side for `ring` and `vectorscope`. Left out: 88, and 66 (upright 84) for these two.',
    }),
    opacity: z.number().min(0.05).max(1).default(1).meta({
      description: 'How solid the visualizer is, from 0.05 to 1.',
    }),
    title: z.string().trim().min(1).max(120).optional().meta({
      description: 'Text beside the visualizer, in any script; at most two lines are shown.',
    }),
    subtitle: z.string().trim().min(1).max(160).optional().meta({
      description: 'Smaller text below the title.',
    }),
    cover_url: sourceUrl('a cover (png, jpeg, webp, gif), cut square; a round one in the `ring`').optional(),
    when_background_shorter: z.enum(['loop', 'freeze']).default('loop').meta({
      description: 'A background video that ends before the sound begins again, or stays on its last frame.',
    }),
    fade: z.number().min(0).max(10).default(0).meta({
      description:
        'Seconds in which picture and sound come up at the start and go down at the end; at most half of the sound each.',
    }),
    ...drawnVideoFields,
  },
  refine: (input, context) => {
    if (input.video_url !== undefined && input.image_url !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['image_url'],
        message: 'Give a video or a picture, not both',
      });
    }
    checkCodec(input, context);
  },
  data: z.strictObject({
    peak_db: z.number().nullable().meta({
      description: 'True peak of the sound in dBTP; null where all is silent.',
    }),
    lufs: z.number().nullable().meta({
      description: 'Integrated loudness of the sound after EBU R 128; null where all is silent.',
    }),
  }),
  sources: ({ audio_url, video_url, image_url, cover_url }) => [
    { pointer: '/audio_url', url: audio_url },
    ...(video_url === undefined ? [] : [{ pointer: '/video_url', url: video_url }]),
    ...(image_url === undefined ? [] : [{ pointer: '/image_url', url: image_url }]),
    ...(cover_url === undefined ? [] : [{ pointer: '/cover_url', url: cover_url }]),
  ],
  errors: ['source_no_audio', 'source_no_video', 'engine_unavailable'],
  exampleResult: {
    file_name: 'song.mp4',
    media_type: 'video/mp4',
    duration: 184.2,
    width: 1280,
    height: 720,
    fps: 30,
    data: { peak_db: -0.4, lufs: -11.2 },
    time_map: [{ source: 0, in: [0, 184.2], out: [0, 184.2] }],
  },
  examples: [
    {
      title: 'Bars in the colours of a brand',
      input: {
        audio_url: 'https://media.example.com/song.mp3',
        style: 'bars',
        colors: ['#ff5f6d', '#ffc371'],
        title: 'Night Drive',
        subtitle: 'The Example Band',
      },
    },
    {
      title: 'Upright, around a cover',
      input: {
        audio_url: 'https://media.example.com/song.mp3',
        style: 'ring',
        width: 1080,
        height: 1920,
        cover_url: 'https://media.example.com/cover.jpg',
        title: 'Night Drive',
      },
    },
    {
      title: 'A wave over a video',
      input: {
        audio_url: 'https://media.example.com/podcast.mp3',
        video_url: 'https://media.example.com/studio.mp4',
        style: 'wave',
        position: 'bottom',
        opacity: 0.9,
        fade: 1,
      },
    },
  ],
});
