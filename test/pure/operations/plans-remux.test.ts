import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import { remuxArguments } from '../../../transcoder/ffmpeg/remux-arguments.ts';
import type { Plan } from '../../../transcoder/model/plan.ts';
import type { Contents, ContentTrack } from '../../../transcoder/model/source/contents.ts';
import type { MovingProbe } from '../../../transcoder/model/source/media-probe.ts';
import type { Remux } from '../../../transcoder/model/steps.ts';
import { remux } from '../../../transcoder/operations/remux/remux.ts';
import { means, source } from './sources.ts';

const track = (
  index: number,
  type: ContentTrack['type'],
  codec: string,
  more: Partial<ContentTrack> = {},
) => ({
  ...{ index, type, codec, tag: '', tags: {}, flags: [] },
  ...more,
});

const phone: Contents = {
  tags: {
    ...{ major_brand: 'qt  ', encoder: 'Camera 1', creation_time: '2026-01-01T00:00:00Z' },
    ...{ title: 'Trip', comment: 'At 52.52001, 13.40503', 'com.apple.quicktime.make': 'Acme' },
    ...{ location: '+52.5200+013.4050/', 'location-eng': '+52.5200+013.4050/' },
  },
  tracks: [
    track(0, 'video', 'h264', {
      flags: ['default'],
      tags: { handler_name: 'Acme AVC', timecode: '01:00:00:00' },
    }),
    track(1, 'audio', 'aac', { flags: ['default'], tags: { language: 'eng' } }),
    track(2, 'audio', 'aac', { flags: ['forced'], tags: { language: 'deu', title: 'Deutsch' } }),
    track(3, 'subtitle', 'mov_text', { tags: { language: 'fra' } }),
    track(4, 'data', 'bin_data', { tag: 'gpmd' }),
    track(5, 'data', 'bin_data', { tag: 'text' }),
    track(6, 'data', 'unknown', { tag: 'tmcd' }),
    track(7, 'cover', 'mjpeg'),
  ],
  chapters: [{ start: 0, end: 10, title: 'All' }],
};

function planned(
  request: Record<string, unknown>,
  contents: Contents = phone,
  own: Partial<MovingProbe> = {},
): Plan {
  const address = request.audio_url === undefined ? { video_url: 'https://media.example.com/a.mp4' } : {};
  const input = operations.remux.input.parse({ ...address, ...request });
  const cover = { ...source, format: 'jpeg_pipe' as const };
  return remux.plan({ input, probes: [{ ...source, ...own }, cover], facts: { contents }, ...means });
}

function stepOf({ steps }: Plan): Remux {
  const step = steps.find(({ kind }) => kind === 'remux');
  if (step?.kind !== 'remux') throw new Error('no remux');
  return step;
}

const textOf = ({ steps }: Plan) => steps.flatMap((step) => (step.kind === 'text' ? step.text : [])).join('');
const lines = (plan: Plan) => textOf(plan).split('\n');

/** Tracks of the output by index in the source, with their flags, and covers. */
const shape = (plan: Plan) => [
  ...stepOf(plan).tracks.map(({ stream, flags }) => [stream, ...flags].join(' ')),
  ...stepOf(plan).covers.map((cover) => `cover ${'stream' in cover ? cover.stream : 'of the request'}`),
];

describe('the tracks of a remux', () => {
  test('are not AMR in mov, of which phones put several frames into a packet and ffmpeg takes one', () => {
    const tracks = [track(0, 'video', 'h263'), track(1, 'audio', 'amr_nb')];
    const spoken: Contents = { tags: {}, chapters: [], tracks };
    expect(() => planned({ format: 'mov' }, spoken)).toThrow('`mov` cannot hold track 1 (audio, amr_nb)');
  });

  test.each(['private', 'all', 'none'])(
    'are without the subtitles of a flight, unless strip is none: %s',
    (strip) => {
      const named = (handler_name: string) => ({ tags: { handler_name } });
      const drone: Contents = {
        ...{ tags: {}, chapters: [] },
        tracks: [
          track(0, 'video', 'h264'),
          track(1, 'subtitle', 'mov_text', named('DJI.Subtitle')),
          track(2, 'subtitle', 'mov_text', named('SubtitleHandler')),
        ],
      };
      expect(shape(planned({ strip }, drone))).toEqual(strip === 'none' ? ['0', '1', '2'] : ['0', '2']);
    },
  );

  test.each<[string, Record<string, unknown>, string[], string[]]>([
    ['all of them', {}, ['0 default', '1 default', '2 forced', '3', '4', 'cover 7'], ['metadata_dropped']],
    [
      'without data, if private',
      { strip: 'private' },
      ['0 default', '1 default', '2 forced', '3', 'cover 7'],
      [],
    ],
    ['without data and covers, if all', { strip: 'all' }, ['0 default', '1 default', '2 forced', '3'], []],
    [
      'data that the request lists',
      { strip: 'all', tracks: [{ index: 4 }] },
      ['0 default', '1 default', '2 forced', '3', '4'],
      [],
    ],
    [
      'a new default',
      { strip: 'all', tracks: [{ index: 2, default: true }] },
      ['0 default', '1', '2 default forced', '3'],
      [],
    ],
    [
      'two defaults',
      { strip: 'all', tracks: [1, 2].map((index) => ({ index, default: true })) },
      ['0 default', '1 default', '2 default forced', '3'],
      [],
    ],
    [
      'no text and data in Matroska',
      { strip: 'none', format: 'mkv' },
      ['0 default', '1 default', '2 forced', 'cover 7'],
      ['stream_dropped'],
    ],
    [
      'sound alone in an audio format',
      { strip: 'private', format: 'm4a' },
      ['1 default', '2 forced', 'cover 7'],
      ['stream_dropped'],
    ],
    [
      'sound alone of an audio_url',
      { strip: 'private', audio_url: 'https://media.example.com/a.mp4' },
      ['1 default', '2 forced', 'cover 7'],
      [],
    ],
    [
      'the cover of the request',
      { strip: 'private', cover_url: 'https://media.example.com/c.jpg' },
      ['0 default', '1 default', '2 forced', '3', 'cover of the request'],
      [],
    ],
  ])('are %s', (_, request, tracks, warnings) => {
    const plan = planned(request);
    expect(shape(plan)).toEqual(tracks);
    expect(plan.warnings.map(({ code }) => code)).toEqual(expect.arrayContaining(warnings));
    expect(plan.expect.media[0]?.streams?.length).toBe(stepOf(plan).tracks.length);
  });
});

describe('the tags of a remux', () => {
  test('are all but technical ones, with a warning for those without a place', () => {
    const plan = planned({});
    expect(lines(plan).slice(0, 6)).toEqual([
      ';FFMETADATA1',
      'creation_time=2026-01-01T00:00:00Z',
      'title=Trip',
      'comment=At 52.52001, 13.40503',
      'location=+52.5200+013.4050/',
      '[STREAM]',
    ]);
    expect(plan.warnings).toEqual([
      { code: 'metadata_dropped', detail: '`mp4` cannot hold the tags com.apple.quicktime.make.' },
    ]);
  });

  test('describe the work alone with private, without coordinates, devices and times', () => {
    const plan = planned({ strip: 'private' });
    expect(textOf(plan)).not.toMatch(/52\.52|Acme|2026|timecode/);
    expect(lines(plan)).toContain('title=Trip');
    expect(lines(plan)).toContain('handler_name=Deutsch');
    expect(plan.data).toMatchObject({ tags: ['title'], chapters: 1 });
  });

  test('are QuickTime keys in mov where user data has no place for them', () => {
    expect(stepOf(planned({ format: 'mov' })).keyed).toBe(true);
    expect(stepOf(planned({ format: 'mov', strip: 'private' })).keyed).toBe(false);
  });

  test('are set and removed by the request', () => {
    const plan = planned({ set: { title: '', artist: 'a=b;c#d\\' }, strip: 'private' });
    expect(lines(plan)[1]).toBe('artist=a\\=b\\;c\\#d\\\\\\\0');
    expect(plan.data).toMatchObject({ tags: ['artist'] });
  });

  test('leave room for the sizes of a WAV of more than 4 GiB', () => {
    const step = stepOf(planned({ set: { title: 'a' } }));
    const argumentsFor = (seconds: number) =>
      remuxArguments({ ...step, container: 'wav', seconds }, { path: '/tmp/a.wav', format: 'wav' }, []).join(
        ' ',
      );
    expect(argumentsFor(8000)).toContain('-rf64 auto');
    expect(argumentsFor(60)).not.toContain('-rf64');
  });

  test('are no argument of ffmpeg, whatever they are', () => {
    const text = '-i /etc/passwd';
    const plan = planned({ set: { title: text }, chapters: [{ start: 0, title: text }] });
    const args = remuxArguments(stepOf(plan), { path: '/tmp/a.mp4', format: 'mov' }, []);
    expect(args.join(' ')).not.toContain('passwd');
  });

  test('of tracks stay in Matroska, and are named where they are lost', () => {
    const tags = { DURATION: '00:00:10', BPS: '1', MICROPHONE: 'left' };
    const tracks = [track(0, 'video', 'h264'), track(1, 'audio', 'aac', { tags })];
    const contents: Contents = { tags: {}, chapters: [], tracks };
    const from = { format: 'matroska', container: 'mkv' } as const;
    expect(textOf(planned({}, contents, from))).toContain('\nMICROPHONE=left\n');
    expect(textOf(planned({ strip: 'private' }, contents, from))).not.toContain('MICROPHONE');
    const plan = planned({ format: 'mp4' }, contents, from);
    expect(plan.warnings).toEqual([
      { code: 'metadata_dropped', detail: '`mp4` cannot hold the tags of track 1.' },
    ]);
  });

  test('of chapters end with the tracks, and those behind them are left out', () => {
    const chapters = [
      { start: 0, end: 2, title: 'First' },
      { start: 2, end: 100, title: 'Second' },
      { start: 100, end: 200, title: 'Third' },
    ];
    const plan = planned({ format: 'mp4' }, { ...phone, chapters });
    expect(plan.data).toMatchObject({ chapters: 2 });
    const ends = [...textOf(plan).matchAll(/^END=(\d+)$/gm)].map(([, end]) => Number(end));
    expect(ends.map((end) => end / (ends[0] ?? 1))).toEqual([1, 5]);
  });

  test('that no language is stated is no loss', () => {
    const plan = planned({ format: 'mov', tracks: [{ index: 1, language: 'und' }] });
    expect(plan.warnings.filter(({ detail }) => detail.includes('language'))).toEqual([]);
  });

  test('of Ogg come from its first sound track', () => {
    const tracks = [track(0, 'audio', 'opus', { tags: { title: 'Song', ARTIST: 'Ann' } })];
    const plan = planned(
      { audio_url: 'https://media.example.com/a.ogg' },
      { tags: {}, chapters: [], tracks },
      { format: 'ogg', container: 'ogg' },
    );
    expect(plan.data).toMatchObject({ tags: ['title', 'artist'] });
  });

  test('lose what the container has no place for, with a warning', () => {
    const plan = planned({ format: 'mov', tracks: [{ index: 1, language: 'gsw' }], strip: 'all' });
    expect(plan.warnings).toEqual([
      { code: 'metadata_dropped', detail: '`mov` cannot hold the language of track 1.' },
    ]);
    expect(plan.data).toMatchObject({ tracks: [{}, { language: null }, { language: 'ger' }, {}] });
  });
});

describe('a request for a remux', () => {
  test.each<[string, Record<string, unknown>, (string | number)[]]>([
    ['two sources', { audio_url: 'https://a.example.com/a' }, ['video_url']],
    [
      'chapters out of order',
      { chapters: [2, 1].map((start) => ({ start, title: '' })) },
      ['chapters', 1, 'start'],
    ],
    ['a track twice', { tracks: [{ index: 1 }, { index: 1 }] }, ['tracks', 1, 'index']],
    ['a language that is none', { tracks: [{ index: 1, language: 'German' }] }, ['tracks', 0, 'language']],
    ['a control character', { set: { title: 'a\u0000b' } }, ['set', 'title']],
    ['a text that is too long', { set: { title: 'x'.repeat(1001) } }, ['set', 'title']],
    ['an unknown tag', { set: { location: 'x' } }, ['set']],
  ])('with %s is refused at the field', (_, request, path) => {
    const parsed = operations.remux.input.safeParse({ video_url: 'https://a.example.com/a', ...request });
    expect(parsed.error?.issues.map((issue) => issue.path)).toEqual([path]);
  });
});
