import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import { renderArguments } from '../../../transcoder/ffmpeg/arguments.ts';
import { asBefore } from '../../../transcoder/media/remux/contain.ts';
import type { Facts, Plan } from '../../../transcoder/model/plan.ts';
import type { MovingProbe, StreamFacts } from '../../../transcoder/model/source/media-probe.ts';
import type { Render, Splice, Step } from '../../../transcoder/model/steps.ts';
import { crop } from '../../../transcoder/operations/crop/crop.ts';
import type { SplicedSound } from '../../../transcoder/operations/plan/audio-file.ts';
import { keepTracks } from '../../../transcoder/operations/plan/tracks/keep-tracks.ts';
import { redubVc } from '../../../transcoder/operations/redub/redub-vc.ts';
import { speed } from '../../../transcoder/operations/speed/speed.ts';
import { closed } from './plan-graph.ts';
import { means, source } from './sources.ts';

const { video, audio } = source;
if (!video || !audio) throw new Error('the source of the tests has a picture and a sound');

const stream = (index: number, type: StreamFacts['type'], more: Partial<StreamFacts>): StreamFacts => ({
  ...{ index, type, codec: 'unknown', tag: null, profile: null, duration: 10, startTime: 0, kbps: null },
  ...{ language: null, title: null, default: false, video: null, audio: null },
  ...more,
});

const film: MovingProbe = {
  ...source,
  streams: [
    stream(0, 'video', { codec: 'h264', video, default: true }),
    stream(1, 'audio', { codec: 'aac', audio, language: 'eng', default: true }),
    stream(2, 'audio', { codec: 'aac', audio: { ...audio, index: 2 }, language: 'deu', title: 'Deutsch' }),
    stream(3, 'subtitle', { codec: 'mov_text', language: 'fra' }),
    stream(4, 'data', { codec: 'bin_data', tag: 'text' }),
  ],
  chapters: [
    { start: 0, end: 4, title: 'One' },
    { start: 4, end: 10, title: 'Two' },
  ],
};

const facts: Facts = { sources: [{ texts: [{ stream: 3, cues: [{ start: 1, end: 2, text: 'first' }] }] }] };

function planned(request: Record<string, unknown> = {}, probe = film, known = facts): Plan {
  const url = 'https://media.example.com/a.mp4';
  const input = operations.crop.input.parse({ video_url: url, aspect_ratio: '1:1', ...request });
  return closed(crop.plan({ ...means, input, probes: [probe], facts: known }));
}

const rendersOf = ({ steps }: Plan): Render[] => steps.filter((step) => step.kind === 'render');

/** The output that the plan delivers. */
function outputOf(plan: Plan) {
  const outputs = rendersOf(plan).flatMap((step) => step.outputs);
  const output = outputs.find(({ file }) => file === plan.files[0].file);
  if (!output || !('audio' in output)) throw new Error('the plan makes no video');
  return output;
}

const textOf = ({ steps }: Plan, name: string): string => {
  const step = steps.find(
    (each): each is Extract<Step, { kind: 'text' }> => 'file' in each && each.file === name,
  );
  return step?.text ?? '';
};

/** The source without its other tracks. */
const alone: MovingProbe = { ...film, streams: film.streams.slice(0, 2) };

describe('a plan for a source with several tracks', () => {
  test('has every sound', () => {
    expect(outputOf(planned()).sounds).toMatchObject([{ label: { language: 'deu', title: 'Deutsch' } }]);
    expect(planned().expect.media[0]?.sounds).toEqual([{ streams: [2], codec: 'aac' }]);
  });

  test('has the languages of all tracks', () => {
    const { labels, sounds, texts } = outputOf(planned());
    const languages = [labels?.audio, ...[...(sounds ?? []), ...(texts ?? [])].map(({ label }) => label)];
    expect(languages.map((label) => label?.language)).toEqual(['eng', 'deu', 'fra']);
  });

  test('has one sound and one text that players choose, though Matroska marks each that says nothing', () => {
    const streams = [
      ...film.streams.map((each) => ({ ...each, default: true })),
      stream(5, 'subtitle', { codec: 'subrip', default: true }),
    ];
    const texts = [3, 5].map((each) => ({ stream: each, cues: [{ start: 1, end: 2, text: 'first' }] }));
    const output = outputOf(planned({}, { ...film, streams }, { sources: [{ texts }] }));
    expect([output.labels?.audio, ...(output.sounds ?? []).map(({ label }) => label)]).toMatchObject([
      { default: true },
      { default: false },
    ]);
    expect((output.texts ?? []).map(({ label }) => label.default)).toEqual([true, false]);
  });

  test('plays every sound backwards with its picture', () => {
    const mp4 = {
      ...film,
      streams: film.streams.map((one) => ({ ...one, profile: one.audio ? 'LC' : null })),
    };
    const input = operations.speed.input.parse({
      video_url: 'https://media.example.com/a.mp4',
      reverse: true,
    });
    const plan = closed(speed.plan({ ...means, input, probes: [mp4], facts }));
    expect(plan.steps.filter(({ kind }) => kind === 'backwards')).toHaveLength(2);
  });

  test('has the text where its words are said', () => {
    expect(textOf(planned(), 'track3.srt')).toContain('00:00:01,000 --> 00:00:02,000\nfirst');
    const late = planned({}, { ...film, origin: 0.5 });
    expect(textOf(late, 'track3.srt')).toContain('00:00:00,500 --> 00:00:01,500\nfirst');
  });

  test('has the chapters, and expects them', () => {
    const plan = planned();
    expect(textOf(plan, 'chapters.txt')).toContain('START=4000000\nEND=10000000\ntitle=Two');
    expect(plan.expect.media[0]?.chapters).toEqual(film.chapters);
    expect(plan.warnings).toEqual([]);
  });

  test('has one track of a kind if only the first is asked for', () => {
    const { sounds, texts, chapters } = outputOf(planned({ tracks: 'first' }));
    expect([sounds, texts, chapters]).toEqual([undefined, undefined, undefined]);
  });

  test.each([
    [
      'text that cannot be read',
      { sources: [{ texts: [{ stream: 3, cues: [] }] }] },
      'track 3 (subtitle, mov_text)',
    ],
    ['text that was not read', {}, 'track 3 (subtitle, mov_text)'],
    [
      'text that is too long',
      { sources: [{ texts: [{ stream: 3, cues: [], tooLong: true }] }] },
      'track 3 (subtitle, mov_text, too long)',
    ],
  ])('names %s', (_, known, name) => {
    const detail = `Not kept: ${name}.`;
    expect(planned({}, film, known).warnings).toEqual([{ code: 'stream_dropped', detail }]);
  });

  test('tracks that a remux has left out are named, too', () => {
    const subtitle = stream(4, 'subtitle', { codec: 'dvb_subtitle' });
    const before = { ...film, streams: [...film.streams.slice(0, 3), subtitle], chapters: [] };
    const remuxed = asBefore({ ...film, streams: film.streams.slice(0, 3) }, before);
    const detail = 'Not kept: track 4 (subtitle, dvb_subtitle).';
    expect(planned({}, remuxed, {}).warnings).toEqual([{ code: 'stream_dropped', detail }]);
  });

  test('names chapters above the limit', () => {
    const chapters = Array.from({ length: 1001 }, (_, at) => ({
      start: at / 200,
      end: (at + 1) / 200,
      title: '',
    }));
    const { warnings } = planned({}, { ...alone, chapters });
    expect(warnings.map(({ detail }) => detail)).toEqual(['Not kept: chapters after the first 1000.']);
  });
});

describe('a file is written', () => {
  test('once if ffmpeg writes it, with or without chapters', () => {
    const writes = (probe: MovingProbe) => rendersOf(planned({}, probe, {})).length;
    expect(writes(alone)).toBe(writes({ ...alone, chapters: [] }));
  });

  const heard: SplicedSound = {
    ...{ steps: [], codec: 'aac', input: { source: 0, stream: 2 } },
    audio: { start: 48, end: 480, settle: 1 },
  };

  const spliced = (probe: MovingProbe, format: 'mp4' | 'mkv', known: Facts = {}): Plan => {
    const plan = planned({}, { ...probe, chapters: [] }, {});
    const file = plan.files[0].file;
    const splice = { kind: 'splice', file, container: format, inputs: [] } as unknown as Splice;
    const whole = { ...plan, steps: [splice] };
    return keepTracks(whole, {
      ...{ tracks: 'all', format, probes: [probe], facts: known, soundOf: () => heard },
    });
  };

  const kindsOf = ({ steps }: Plan) => steps.map(({ kind }) => kind);

  test('again by ffmpeg for chapters only if libav has written a container in which it cannot write them', () => {
    expect(kindsOf(spliced({ ...alone, chapters: [] }, 'mkv'))).toEqual(['splice']);
    expect(kindsOf(spliced(alone, 'mkv'))).toEqual(['splice', 'text', 'render']);
    expect(spliced(alone, 'mkv').steps[0]).toMatchObject({ file: 'main', between: true });
  });

  test('once if libav writes an mp4, with further sounds, texts and chapters', () => {
    const plan = spliced(film, 'mp4', facts);
    expect(kindsOf(plan)).toEqual(['text', 'render', 'splice']);
    expect(plan.steps.at(-1)).toMatchObject({
      file: plan.files[0].file,
      inputs: [{ source: 0, stream: 2 }, { file: 'track3.srt.mp4' }],
      others: [
        { input: 0, start: 48, end: 480, settle: 1, label: { language: 'deu', title: 'Deutsch' } },
        { input: 1, label: { language: 'fra' } },
      ],
      chapters: film.chapters,
      labels: { audio: { language: 'eng', default: true } },
    });
  });
});

test('titles of chapters are no arguments of ffmpeg', () => {
  const hostile = { ...alone, chapters: [{ start: 0, end: 10, title: '-metadata comment=x' }] };
  const [step] = rendersOf(planned({}, hostile, {}));
  if (!step) throw new Error('the plan renders nothing');
  const args = renderArguments(step, [{ path: '/source', format: 'mov', presented: true }], {
    version: '7.1',
  });
  expect(args.join(' ')).not.toContain('comment=x');
  const at = args.indexOf('file:chapters.txt');
  expect(args.slice(at - 5, at)).toEqual(['-protocol_whitelist', 'file', '-f', 'ffmetadata', '-i']);
});

test('a converted voice is stated in the file that has the tracks', () => {
  const url = 'https://media.example.com/a.mp4';
  const input = operations.redub_vc.input.parse({ video_url: url, voice_id: 'deep', consent: true });
  const plan = closed(redubVc.plan({ ...means, input, probes: [film], facts }));
  expect(outputOf(plan)).toMatchObject({ metadata: {}, texts: [{ label: { language: 'fra' } }] });
  expect(plan.expect.media[0]?.chapters).toEqual(film.chapters);
  expect(plan.warnings.map(({ detail }) => detail)).toEqual(['Not kept: track 2 (audio, aac).']);
});
