import { z } from 'zod';
import { visualStyleNames, visualStyles } from '../media/visual-styles.ts';
import {
  captionEngines,
  captionSources,
  captionsDrawn,
  captionsOver,
  checkCaptionsText,
} from './fields/captions.ts';
import { anchors, audioUrl, checkCodec, color, evenSide, sourceUrl } from './fields/fields.ts';
import { drawnVideoFields } from './fields/generated-video.ts';
import { operation } from './operation.ts';

const listed = visualStyleNames.map((name) => `\`${name}\`: ${visualStyles[name].title}.`).join(' ');

export const visualize = operation('visualize', {
  path: '/visualize',
  group: 'visual',
  title: 'Visualize',
  summary: 'Create a video that visualizes audio: bars, waves, rings and more.',
  search: {
    title: 'Turn audio into video',
    lead: 'Bars, waves, rings and more over a color, a picture or a video, with title and cover, in sync to the frame.',
  },
  tool: {
    name: 'visualize_audio',
    description:
      'Make a video from audio, with moving bars, waves or rings and a title. For photos use animate_photos. Returns a video.',
    fields: {
      audio_url: 'Source audio',
      style: 'What moves',
      title: 'Title',
      colors: 'Such as ["#ff5f6d"]',
    },
  },
  description:
    'Creates a video as long as the audio, on a color, a picture or a video. Levels are scaled to the loudness of the whole file, so quiet recordings move as much as loud ones. The same request always gives the same pictures. If you set a title, subtitle or cover but no `position`, the visualizer makes room for them. `captions` draws what is said over it, in the same encode.',
  work: 'The whole audio is analyzed first, and levels are scaled to its loudness. Then every frame is drawn and encoded once. The cost grows with the size of the picture, the frame rate and the length.',
  feature: 'visualizer',
  fields: {
    audio_url: audioUrl().meta({
      description:
        'Public https:// URL of the audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). If it is a video, its audio is used.',
    }),
    video_url: sourceUrl('a background video; it fills the frame and its audio is not used').optional(),
    image_url: sourceUrl('a background picture (png, jpeg, webp or gif); it fills the frame').optional(),
    background_color: color().default('#0b0d12').meta({
      description:
        'Background color as `#rrggbb`, if there is no background video or picture. Transparent pictures and covers lie on it, too.',
    }),
    style: z
      .enum(visualStyleNames)
      .default('bars')
      .meta({ description: `Style of the visualizer. ${listed} See \`/docs/examples\` for previews.` }),
    colors: z.array(color()).min(1).max(4).default(['#7c5cff', '#22d3ee']).meta({
      description:
        'One to four colors as `#rrggbb`, used as a gradient. Its direction depends on the style: left to right, bottom to top, around the circle or outwards.',
    }),
    width: evenSide('Width').default(1280),
    height: evenSide('Height').default(720),
    fps: z.number().min(1).max(60).default(30).meta({ description: 'Frame rate in frames per second.' }),
    bars: z.number().int().min(8).max(256).default(64).meta({
      description:
        'Number of bars, columns of dots or points of the curve. `cqt` always has 108 (one per semitone of nine octaves); `line` and `vectorscope` have none.',
    }),
    smoothing: z.number().min(0).max(1).default(0.5).meta({
      description:
        'How slowly levels fall, from 0 (immediately) to 1 (slowest). They always rise immediately.',
    }),
    position: z.enum(anchors).optional().meta({
      description:
        'Position of the visualizer. By default at the bottom or in the middle, depending on the style and the other elements.',
    }),
    size_percent: z.number().min(10).max(100).optional().meta({
      description:
        'Size of the visualizer in percent of the width, or of the shorter side for `ring` and `vectorscope`. Defaults to 88; for `ring` and `vectorscope` to 66, or 84 in portrait format. A `ring` is smaller where its title and subtitle need the room.',
    }),
    opacity: z.number().min(0.05).max(1).default(1).meta({
      description: 'Opacity of the visualizer, from 0.05 to 1.',
    }),
    title: z.string().trim().min(1).max(120).optional().meta({
      description: 'Title in any script; at most two lines are shown.',
    }),
    subtitle: z.string().trim().min(1).max(160).optional().meta({
      description: 'Smaller text under the title.',
    }),
    cover_url: sourceUrl(
      'a cover (png, jpeg, webp or gif); it is cropped to a square, or to a circle inside `ring`',
    ).optional(),
    when_background_shorter: z.enum(['loop', 'freeze']).default('loop').meta({
      description:
        'What follows if the background video ends before the audio: `loop` repeats it, `freeze` holds the last frame.',
    }),
    fade: z.number().min(0).max(10).default(0).meta({
      description:
        'Fade-in and fade-out of picture and audio, in seconds. Each is at most half the length of the audio.',
    }),
    captions: captionsOver(
      'Captions of what is said or sung, drawn over the visualizer. `{}` recognizes the words; `captions` or `captions_url` in it gives them. The fields have the same meaning as in `/captions/auto`. Without `position`, captions are where the visualizer, title and cover leave the most room.',
    ),
    ...drawnVideoFields,
  },
  refine: (input, context) => {
    if (input.video_url !== undefined && input.image_url !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['image_url'],
        message: 'Give either `video_url` or `image_url`, not both.',
      });
    }
    checkCodec(input, context);
  },
  checkText: ({ captions }, context) => checkCaptionsText(captions, context),
  engines: ({ captions }) => captionEngines(captions),
  speechApi: true,
  data: z.strictObject({
    peak_db: z.number().nullable().meta({
      description: 'True peak of the audio in dBTP; null if it is silent or shorter than 0.4 s.',
    }),
    lufs: z.number().nullable().meta({
      description:
        'Integrated loudness of the audio in LUFS (EBU R 128); null if it is silent or shorter than 0.4 s.',
    }),
    captions: captionsDrawn(),
  }),
  sources: ({ audio_url, video_url, image_url, cover_url, captions }) => [
    { pointer: '/audio_url', url: audio_url },
    ...(video_url === undefined ? [] : [{ pointer: '/video_url', url: video_url }]),
    ...(image_url === undefined ? [] : [{ pointer: '/image_url', url: image_url }]),
    ...(cover_url === undefined ? [] : [{ pointer: '/cover_url', url: cover_url }]),
    ...captionSources(captions),
  ],
  errors: [
    ...(['source_no_audio', 'source_no_video', 'captions_invalid', 'font_invalid'] as const),
    ...(['no_speech_found', 'time_out_of_range', 'engine_unavailable', 'engine_failed'] as const),
    'provider_rejected_key',
  ],
  exampleResult: {
    file_name: 'visualize.mp4',
    role: 'video',
    media_type: 'video/mp4',
    duration: 184.2,
    width: 1280,
    height: 720,
    fps: 30,
    data: { peak_db: -0.4, lufs: -11.2, captions: null },
    time_map: [{ source: 0, in: [0, 184.2], out: [0, 184.2] }],
  },
  examples: [
    {
      title: 'Bars in brand colors',
      input: {
        audio_url: 'https://media.example.com/song.mp3',
        style: 'bars',
        colors: ['#ff5f6d', '#ffc371'],
        title: 'Night Drive',
        subtitle: 'The Example Band',
      },
    },
    {
      title: 'Portrait, around a cover',
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
    {
      title: 'A podcast with its words',
      input: {
        audio_url: 'https://media.example.com/podcast.mp3',
        ...{ style: 'wave', width: 1080, height: 1920 },
        captions: { language: 'en', preset: 'word_pop' },
      },
    },
  ],
});
