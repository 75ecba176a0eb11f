import { z } from 'zod';
import {
  type AudioContainer,
  audioContainers,
  audioUrl,
  containers,
  seconds,
  source,
  videoUrl,
} from './fields/fields.ts';
import { operation } from './operation.ts';

/** Control characters other than tab and line breaks. No container holds a zero byte, and players show the others as garbage. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((value) => !control.test(value), {
      error: 'must not contain control characters other than tabs and line breaks',
    });

const tag = (what: string, longest = 1000) =>
  text(longest)
    .optional()
    .meta({ description: `${what} An empty text removes it.` });

/** mp4 holds such a number, and how many there are, in 16 bits each; it would lose a text. */
const numbers = /^(?:0{0,4}[1-9][0-9]{0,4}(?:\/0{0,4}[1-9][0-9]{0,4})?)?$/;

const numberTag = (what: string) =>
  z
    .string()
    .refine((value) => numbers.test(value) && value.split('/').every((number) => Number(number) <= 65_535), {
      error: 'must be a number from 1 to 65535, or two of them such as `3/12`',
    })
    .optional()
    .meta({ description: `${what} An empty text removes it.` });

/** Tags that a caller can set. */
export const tagFields = {
  title: tag('Title.'),
  artist: tag('Artist or author.'),
  album_artist: tag('Artist of the whole album.'),
  album: tag('Album.'),
  composer: tag('Composer.'),
  genre: tag('Genre.'),
  date: tag('Date of publication: `2026` or `2026-11-23`.', 40),
  track: numberTag('Number in the album: `3` or `3/12`.'),
  disc: numberTag('Number of the disc: `1` or `1/2`.'),
  copyright: tag('Copyright notice.'),
  comment: tag('Comment.', 10_000),
  description: tag('Description.', 10_000),
  lyrics: tag('Lyrics.', 20_000),
} as const;

export const remuxFormats = [...containers, ...audioContainers] as const;
export type RemuxFormat = (typeof remuxFormats)[number];

export const isAudioFormat = (format: RemuxFormat): format is AudioContainer =>
  (audioContainers as readonly string[]).includes(format);

const MOST_CHAPTERS = 500;
const MOST_TRACKS = 64;

const outputTrack = z.strictObject({
  index: z.number().int().meta({ description: 'Index in the output.' }),
  source_index: z.number().int().meta({ description: 'Index in the source, as `/probe` returns it.' }),
  type: z.enum(['video', 'audio', 'subtitle', 'data', 'attachment']),
  codec: z.string(),
  language: z.string().nullable(),
  title: z.string().nullable(),
  default: z.boolean(),
});

export const remux = operation('remux', {
  path: '/remux',
  group: 'video',
  title: 'Remux',
  summary:
    'Change the container, tags, chapters, cover or tracks of a file without re-encoding, or strip private data.',
  search: {
    title: 'Edit metadata without re-encoding',
    lead: 'Set tags, chapters and a cover, choose tracks, move to another container, or remove GPS and device data. Picture and sound are copied bit for bit.',
  },
  tool: {
    name: 'edit_metadata',
    description:
      'Change tags, chapters, cover, track languages (fields: describe_operation) or the container of a file, or remove GPS and device data (strip: private). Picture and sound are copied. To change a codec, use convert_media. Returns a video or audio file.',
    fields: {
      video_url: 'Source video',
      audio_url: 'Source audio instead',
      strip: 'none, private (GPS, device) or all',
      set: 'Tags to set, such as title',
      format: 'Default as the source',
    },
  },
  description: [
    'Copies every packet of every kept track into a new file; nothing is decoded. The output shows the same frames at the same times and plays the same samples. All video, sound and subtitle tracks, chapters, covers, languages, titles and default flags are kept unless the request says otherwise. A subtitle, data track, cover or tag that `format` cannot hold is left out with a warning; a video or sound track that it cannot hold fails the task with `codec_unsupported`.',
    '`strip: private` removes GPS and device data: every tag except title, artist, album, date and the other fields of `set`, any of these that holds coordinates, data tracks (GoPro `gpmd`, `camm`, timecode), the subtitles in which DJI drones write their flight, attachments, creation times, handler names, XMP and manufacturer boxes, and Exif in covers. Chapters, covers, track titles, languages and flags stay. `strip: all` removes every tag, chapter, cover, track title, data track and attachment; languages and flags stay, since players select tracks by them. `set`, `chapters`, `cover_url` and `tracks` are applied afterwards. What an encoder wrote into the video itself, such as its name and settings, is part of the video and stays.',
  ].join(' '),
  work: 'The source is read once and written once, at the speed of the disk. Afterwards every packet of the output is compared with the source, byte for byte and time for time. Manufacturer boxes and XMP of an MP4 are left out even with `strip: none`, because no other container describes them. In Matroska and WebM, all tracks start later together by the encoder delay of the sound (about 20 ms), because these have no negative times. If the first chapter of an MP4 does not start at 0, a chapter without a title precedes it.',
  feature: 'video',
  fields: {
    video_url: videoUrl().optional(),
    audio_url: audioUrl().optional(),
    strip: z.enum(['none', 'private', 'all']).default('none').meta({
      description:
        'What to remove from the source: nothing, GPS and device data (`private`), or all metadata (`all`). What `set`, `chapters`, `cover_url` and `tracks` give is kept.',
    }),
    set: z.strictObject(tagFields).default({}).meta({
      description:
        'Tags of the file to set; an empty text removes a tag. Other tags are kept as `strip` says.',
    }),
    chapters: z
      .array(
        z.strictObject({
          start: seconds().meta({
            description: 'Start of the chapter in seconds. It ends where the next one starts.',
          }),
          title: text(500).meta({ description: 'Title of the chapter.' }),
        }),
      )
      .max(MOST_CHAPTERS)
      .optional()
      .meta({
        description:
          'Chapters that replace the ones of the source, in ascending order. An empty list removes them.',
      }),
    cover_url: source().optional().meta({
      description:
        'Public https:// URL of a JPEG or PNG that replaces the covers of the source, `upload:<upload_id>` or `task:<task_id>`. Its Exif is removed. mp4, m4a, mkv, mp3 and flac hold covers.',
      format: 'uri',
    }),
    tracks: z
      .array(
        z.strictObject({
          index: z
            .number()
            .int()
            .min(0)
            .max(MOST_TRACKS - 1)
            .meta({ description: 'Index of the track in the source, as `/probe` returns it.' }),
          keep: z.boolean().default(true).meta({ description: 'Whether the track is part of the output.' }),
          language: z
            .string()
            .regex(/^[a-z]{3}$/, {
              error: 'must be an ISO 639-2 language code of three letters, such as `eng` or `deu`',
            })
            .optional()
            .meta({ description: 'Language, as an ISO 639-2 code such as `eng`; `und` for unknown.' }),
          default: z.boolean().optional().meta({
            description:
              'Whether players select the track. If true, other tracks of its type lose the flag unless listed with it.',
          }),
          title: text(500).optional().meta({ description: 'Title of the track. An empty text removes it.' }),
        }),
      )
      .max(MOST_TRACKS)
      .default([])
      .meta({ description: 'Tracks to drop or relabel. Tracks that are not listed are kept as they are.' }),
    format: z.enum(remuxFormats).optional().meta({
      description:
        'Container format of the output. Defaults to the container of the source if it can be written, otherwise to mkv. With an audio format, only the sound is kept.',
    }),
  },
  refine: (input, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if ((input.video_url === undefined) === (input.audio_url === undefined))
      issue(['video_url'], 'Give either `video_url` or `audio_url`.');
    if (input.audio_url !== undefined && (input.format === 'mp4' || input.format === 'mov'))
      issue(
        ['format'],
        `\`audio_url\` needs an audio format, mkv or webm. It is \`${input.format}\`; use \`m4a\`.`,
      );
    for (const [at, { start }] of (input.chapters ?? []).entries()) {
      const before = input.chapters?.[at - 1];
      if (before && start <= before.start)
        issue(['chapters', at, 'start'], 'must be greater than the start of the previous chapter');
    }
    const seen = new Set<number>();
    for (const [at, { index }] of input.tracks.entries()) {
      if (seen.has(index)) issue(['tracks', at, 'index'], `Track ${index} is listed twice.`);
      seen.add(index);
    }
  },
  data: z.strictObject({
    tracks: z.array(outputTrack).meta({ description: 'Tracks of the output, without covers.' }),
    chapters: z.number().int().meta({ description: 'Number of chapters in the output.' }),
    covers: z.number().int().meta({ description: 'Number of covers in the output.' }),
    tags: z.array(z.string()).meta({ description: 'Names of the tags of the output.' }),
  }),
  untrusted: ['/tracks/*/language', '/tracks/*/title', '/tags/*'],
  sources: ({ video_url, audio_url, cover_url }) => [
    video_url === undefined
      ? { pointer: '/audio_url', url: audio_url ?? '' }
      : { pointer: '/video_url', url: video_url },
    ...(cover_url === undefined ? [] : [{ pointer: '/cover_url', url: cover_url }]),
  ],
  errors: ['source_no_video', 'source_no_audio', 'track_not_found', 'time_out_of_range'],
  exampleResult: {
    file_name: 'remux.mp4',
    role: 'video',
    media_type: 'video/mp4',
    duration: 62.4,
    width: 1920,
    height: 1080,
    fps: 30,
    data: {
      tracks: [
        {
          ...{ index: 0, source_index: 0, type: 'video', codec: 'h264' },
          ...{ language: null, title: null, default: true },
        },
        {
          ...{ index: 1, source_index: 1, type: 'audio', codec: 'aac' },
          ...{ language: 'eng', title: null, default: true },
        },
      ],
      chapters: 0,
      covers: 0,
      tags: ['title'],
    },
    time_map: [{ source: 0, in: [0, 62.4], out: [0, 62.4] }],
  },
  examples: [
    {
      title: 'Remove GPS and device data, set a title',
      input: {
        video_url: 'https://media.example.com/talk.mp4',
        strip: 'private',
        set: { title: 'My talk' },
      },
    },
    {
      title: 'Chapters and a cover for a podcast',
      input: {
        audio_url: 'https://media.example.com/episode.m4a',
        set: { title: 'Episode 12', artist: 'The Show', album: 'Season 2' },
        chapters: [
          { start: 0, title: 'Welcome' },
          { start: '00:04:10', title: 'The interview' },
        ],
        cover_url: 'https://media.example.com/cover.jpg',
      },
    },
    {
      title: 'German by default, without the third track, as Matroska',
      input: {
        video_url: 'https://media.example.com/film.mp4',
        tracks: [
          { index: 2, language: 'deu', default: true },
          { index: 3, keep: false },
        ],
        format: 'mkv',
      },
    },
  ],
});
