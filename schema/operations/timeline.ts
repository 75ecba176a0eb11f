import { z } from 'zod';
import { MOST_PICTURES, readTimeline } from '../otio/document.ts';
import { mediaFaults, sourcesOf } from '../otio/media.ts';
import { prunedDocument } from '../otio/pruned.ts';
import { checkCodec, codec, color, evenSide, format, quality, sourceUrl } from './fields/fields.ts';
import { madeHow } from './fields/spans.ts';
import { audioTrack } from './fields/tracks.ts';
import { mergeFits } from './merge-urls.ts';
import { operation } from './operation.ts';

const MOST_SOURCES = 100;
/** Of a request: most of what editing programs write is not read. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Of what is read of a document, and is kept with the task. */
const MOST_KEPT = 256 * 1024;

const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate: 25, value });
const clip = (url: string, start: number, length: number) => ({
  OTIO_SCHEMA: 'Clip.2',
  source_range: { OTIO_SCHEMA: 'TimeRange.1', start_time: time(start), duration: time(length) },
  media_references: { DEFAULT_MEDIA: { OTIO_SCHEMA: 'ExternalReference.1', target_url: url } },
});
/** As the text of a file. */
const document = (...tracks: [kind: 'Video' | 'Audio', ...children: object[]][]) =>
  JSON.stringify({
    OTIO_SCHEMA: 'Timeline.1',
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      children: tracks.map(([kind, ...children]) => ({ OTIO_SCHEMA: 'Track.1', kind, children })),
    },
  });

export const timeline = operation('timeline', {
  path: '/timeline',
  group: 'video',
  title: 'Timeline',
  summary:
    'Render an OpenTimelineIO document, the timeline of your editing program, and copy what it leaves unchanged.',
  search: {
    title: 'Render an OpenTimelineIO timeline',
    lead: 'Send the OTIO file of an editing program and its media. Get the video, exact to the frame, with unchanged parts copied instead of re-encoded.',
  },
  tool: {
    name: 'render_timeline',
    description:
      'Render an OpenTimelineIO document of an editing program. To join whole files use merge_videos. Returns a video.',
    fields: {
      otio: 'The document',
      media: 'Source of each name in it',
    },
  },
  description: `Takes an OpenTimelineIO document with up to ${MOST_PICTURES} video tracks and any number of audio tracks, as DaVinci Resolve, other editing programs and \`export\` of \`/silence_process\` write it. Supported are clips, gaps (black or silence), transitions, \`LinearTimeWarp\` from 0.1 to 16 and \`FreezeFrame\`, in \`Clip.1\` and \`Clip.2\`, nested tracks or stacks of one child, and the \`source_range\` of tracks and stacks. Disabled clips are gaps; markers, metadata and effects that an editor lists without changing them are ignored. Anything else is a 422 error with a pointer to its place in the document. \`media\` gives the source of each media reference under its \`target_url\`, the file name in it, the name of the reference or the name of the clip; the first of them that \`media\` has is used. A \`source_range\` counts from the start of \`available_range\`, in frames of the media if its rate is that of the media, otherwise in seconds. A clip takes the frame nearest to its start and has the length of its range; the sound of a clip is exact to the sample. Transitions have the names of \`/docs/transitions\`, and \`SMPTE_Dissolve\` is a crossfade; the clips need media on both sides of the joint for as long as the transition lasts. An upper video track covers the tracks below it, and its gaps show them: pictures are not blended, so a transparent source over another clip is refused. Audio tracks are added up; a track equal to an earlier one, as editors list one for each channel, is heard once. Chapters and text tracks of the media are not part of the document, so the output has none. A clip with \`PremierePro_OTIO\` metadata has the length of its range divided by its rate, as Premiere Pro counts. A request has at most 4 MB. The task keeps what is read of the document, which may be 256 KB: about 900 cuts of picture and sound.`,
  work: 'A document whose sound follows its pictures, from one source and without gaps or transitions, is rendered as by `/cut` and `/speed`: packets at rate 1 are copied, also at a variable frame rate. Any other document is rendered as by `/merge_urls`: at a constant frame rate, clips with the codec, size and frame rate of the output are copied, and transitions, gaps and clips at another rate are re-encoded.',
  feature: 'video',
  fields: {
    otio: z
      .union([z.record(z.string(), z.unknown()), z.string().max(MOST_BYTES)], {
        error: 'must be an OpenTimelineIO document, as a JSON object or as its text',
      })
      .meta({ description: 'The OpenTimelineIO document (`Timeline.1`), as a JSON object or as its text.' }),
    media: z
      .record(z.string().min(1).max(1024), sourceUrl('the media'))
      .refine((media) => Object.keys(media).length <= MOST_SOURCES, {
        error: `must have at most ${MOST_SOURCES} entries`,
      })
      .meta({
        description:
          'The source of each media reference: by its `target_url`, the file name in it, its name or the name of the clip. Every entry must be used.',
        maxProperties: MOST_SOURCES,
      }),
    pitch: z.enum(['keep', 'follow']).default('keep').meta({
      description:
        'Pitch of the sound of clips with a time warp: `keep` preserves it, `follow` raises and lowers it with the rate.',
    }),
    width: evenSide('Width').optional(),
    height: evenSide('Height').optional(),
    fps: z.number().min(1).max(120).optional().meta({
      description:
        'Constant frame rate of the output. Defaults to the frame rate of the only source, or to the rate of the first clip if that is from 8 to 120.',
    }),
    fit: z.enum(mergeFits).default('contain').meta({
      description:
        'How a clip with another aspect ratio is fitted. `contain` adds bars in the color `background`, `cover` crops, `blur` adds a blurred copy as the background, `stretch` ignores the aspect ratio.',
    }),
    background: color()
      .default('#000000')
      .meta({ description: 'Color of the bars with `fit: contain`, as `#rrggbb`.' }),
    audio_track: audioTrack(),
    quality: quality(),
    codec: codec(),
    format: format(),
  },
  refine: (input, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const read = readTimeline(input.otio);
    for (const { path, message } of read.faults) issue(['otio', ...path], message);
    if (read.timeline) {
      for (const { path, message } of mediaFaults(read.timeline, input.media)) {
        issue(['media', ...path], message);
      }
      const bytes = JSON.stringify(prunedDocument(input.otio, read.timeline, input.media)).length;
      if (bytes > MOST_KEPT) {
        const message = `has ${Math.ceil(bytes / 1024)} KB of clips and transitions; at most ${MOST_KEPT / 1024} KB fit. Render it in parts and join them with \`/merge_urls\`.`;
        issue(['otio'], message);
      }
    }
    checkCodec(input, context);
  },
  data: z.strictObject(madeHow()),
  sources: ({ media }) => sourcesOf(media).map(({ name, url }) => ({ pointer: pointerOf(name), url })),
  mostBytes: MOST_BYTES,
  kept: (input) => {
    const { timeline: read } = readTimeline(input.otio);
    return read ? { ...input, otio: { ...prunedDocument(input.otio, read, input.media) } } : input;
  },
  bound: ({ media }) => ({
    pointer: '/media',
    count: sourcesOf(media).length,
    limit: 'merge_inputs',
    what: 'sources in one timeline',
  }),
  errors: [
    'source_no_video',
    'source_no_audio',
    'track_not_found',
    'engine_unavailable',
    'source_transparent',
    'time_out_of_range',
    'clip_too_short',
  ],
  exampleResult: {
    file_name: 'timeline.mp4',
    role: 'video',
    media_type: 'video/mp4',
    duration: 14,
    width: 1920,
    height: 1080,
    fps: 25,
    data: {
      copied_seconds: 14,
      rendered_seconds: 0,
      spans: [{ out: [0, 14], frames: 350, copied: true, rendered_because: null }],
    },
    time_map: [{ source: 0, in: [0, 14], out: [0, 14] }],
  },
  examples: [
    {
      title: 'The smallest document: one clip, all of it, without its sound',
      input: {
        otio: {
          OTIO_SCHEMA: 'Timeline.1',
          tracks: {
            OTIO_SCHEMA: 'Stack.1',
            children: [{ OTIO_SCHEMA: 'Track.1', children: [{ OTIO_SCHEMA: 'Clip.1', name: 'talk' }] }],
          },
        },
        media: { talk: 'https://media.example.com/talk.mp4' },
      },
    },
    {
      title: 'Two parts of one recording',
      input: {
        otio: document(
          ['Video', clip('talk.mp4', 50, 100), clip('talk.mp4', 200, 75)],
          ['Audio', clip('talk.mp4', 50, 100), clip('talk.mp4', 200, 75)],
        ),
        media: { 'talk.mp4': 'https://media.example.com/talk.mp4' },
      },
    },
    {
      title: 'Two sources with a dissolve, over music',
      input: {
        otio: document(
          [
            'Video',
            clip('file:///shoot/intro.mov', 0, 40),
            {
              OTIO_SCHEMA: 'Transition.1',
              transition_type: 'SMPTE_Dissolve',
              in_offset: time(12),
              out_offset: time(12),
            },
            clip('file:///shoot/talk.mov', 50, 30),
          ],
          ['Audio', clip('music.wav', 0, 70)],
        ),
        media: {
          'intro.mov': 'https://media.example.com/intro.mp4',
          'talk.mov': 'https://media.example.com/talk.mp4',
          'music.wav': 'https://media.example.com/music.mp3',
        },
      },
    },
  ],
});

/** RFC 6901. */
const pointerOf = (name: string) => `/media/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
