import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import { readTimeline } from '../../../schema/otio/document.ts';
import { clipsOf, givenName, mediaFaults } from '../../../schema/otio/media.ts';
import { prunedDocument } from '../../../schema/otio/pruned.ts';
import { type Item, pathText, type Timeline, type Track } from '../../../schema/otio/timeline.ts';

const time = (value: number, rate = 24) => ({ OTIO_SCHEMA: 'RationalTime.1', value, rate });
const range = (start: number, length: number, rate = 24) => ({
  OTIO_SCHEMA: 'TimeRange.1',
  start_time: time(start, rate),
  duration: time(length, rate),
});
const external = (url: string, more: object = {}) => ({
  OTIO_SCHEMA: 'ExternalReference.1',
  target_url: url,
  ...more,
});
const clip = (more: object = {}, url = 'file:///a/one.mov') => ({
  OTIO_SCHEMA: 'Clip.2',
  name: 'Shot 1',
  source_range: range(10, 20),
  media_references: { DEFAULT_MEDIA: external(url) },
  ...more,
});
const gap = (length: number) => ({ OTIO_SCHEMA: 'Gap.1', source_range: range(0, length) });
const transition = (before: number, after: number, more: object = {}) => ({
  OTIO_SCHEMA: 'Transition.1',
  transition_type: 'SMPTE_Dissolve',
  in_offset: time(before),
  out_offset: time(after),
  ...more,
});
const track = (children: readonly object[], more: object = {}) => ({
  OTIO_SCHEMA: 'Track.1',
  kind: 'Video',
  children,
  ...more,
});
const stack = (children: readonly object[], more: object = {}) => ({
  OTIO_SCHEMA: 'Stack.1',
  children,
  ...more,
});
const timeline = (...tracks: object[]) => ({ OTIO_SCHEMA: 'Timeline.1', tracks: stack(tracks) });

/** What a task keeps of a document is the same timeline, under the names of `media` alone. */
function expectSamePruned(document: unknown, read: Timeline) {
  const media = Object.fromEntries(clipsOf(read).map(({ names }) => [names.at(-1), 'https://a.test/b']));
  const named = (track: Track): Track => ({
    ...track,
    items: track.items.map((item) =>
      item.kind === 'clip' ? { ...item, names: [String(givenName(item, media))], url: null } : item,
    ),
  });
  const kept = prunedDocument(document, read, media);
  expect(readTimeline(kept).timeline).toEqual({
    picture: read.picture && named(read.picture),
    sound: read.sound.map(named),
  });
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  expect(JSON.stringify(kept).length).toBeLessThan(text.length);
}

/** A line for each item of the picture. */
function linesOf(document: unknown): string[] {
  const { timeline: read, faults } = readTimeline(document);
  const line = (item: Item) => {
    if (item.kind === 'transition') return `${item.type} ${item.inOffset.value}+${item.outOffset.value}`;
    if (item.kind === 'gap') return `gap ${item.duration.value}`;
    const rate = item.rate === 1 ? '' : ` × ${item.rate}`;
    return `${item.names[0]} ${item.start?.value ?? 'start'}+${item.duration?.value ?? 'all'}${rate}`;
  };
  expect(faults).toEqual([]);
  if (read) expectSamePruned(document, read);
  return (read?.picture?.items ?? []).map(line);
}

/** A name for each frame of the picture: its file and its number there. Null for none. */
function framesOf(document: unknown): (string | null)[] {
  const { timeline: read, faults } = readTimeline(document);
  expect(faults).toEqual([]);
  return (read?.picture?.items ?? []).flatMap((item) => {
    if (item.kind === 'transition') throw new Error('there is none');
    const of = (index: number) =>
      item.kind === 'clip' ? `${item.names[0]} ${(item.start?.value ?? 0) + index}` : null;
    return Array.from({ length: item.duration?.value ?? 0 }, (_, index) => of(index));
  });
}

/** Clips of a file and gaps. */
const childrenOf = (file: string) =>
  fc.array(
    fc
      .tuple(fc.boolean(), fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 40 }))
      .map(([isClip, start, frames]) =>
        isClip ? clip({ source_range: range(start, frames) }, file) : gap(frames),
      ),
    { minLength: 1, maxLength: 8 },
  );

const faultsOf = (document: unknown) =>
  readTimeline(document).faults.map(({ path, message }) => `${pathText(path)}: ${message}`);

const one = 'file:///a/one.mov 10+20';

describe('a document is read as', () => {
  test.each<[string, unknown, string[]]>([
    ['a clip with several media references', timeline(track([clip()])), [one]],
    [
      'the reference that is active',
      timeline(
        track([
          clip({ active_media_reference_key: 'proxy', media_references: { proxy: external('proxy.mov') } }),
        ]),
      ),
      ['proxy.mov 10+20'],
    ],
    [
      'a clip with its only media reference',
      timeline(
        track([{ OTIO_SCHEMA: 'Clip.1', source_range: range(1, 2), media_reference: external('b.mov') }]),
      ),
      ['b.mov 1+2'],
    ],
    ['its text', JSON.stringify(timeline(track([clip()]))), [one]],
    [
      'the only timeline of a collection',
      { OTIO_SCHEMA: 'SerializableCollection.1', children: [timeline(track([clip()]))] },
      [one],
    ],
    ['a track of the first version', timeline(track([clip()], { OTIO_SCHEMA: 'Sequence.1' })), [one]],
    [
      'a gap for a clip that is disabled or black',
      timeline(
        track([
          clip({ enabled: false }),
          clip({
            media_references: {
              DEFAULT_MEDIA: { OTIO_SCHEMA: 'GeneratorReference.1', generator_kind: 'black' },
            },
          }),
          clip(),
          { ...gap(3), OTIO_SCHEMA: 'Filler.1' },
        ]),
      ),
      ['gap 20', 'gap 20', one, 'gap 3'],
    ],
    [
      'the whole media without a range',
      timeline(track([clip({ source_range: null })])),
      ['file:///a/one.mov start+all'],
    ],
    [
      'the available range of the media without another',
      timeline(
        track([
          clip({
            source_range: null,
            media_references: { DEFAULT_MEDIA: external('a.mov', { available_range: range(86_400, 50) }) },
          }),
        ]),
      ),
      ['a.mov 86400+50'],
    ],
    [
      'a rate that is the product of its warps, and a frozen frame',
      timeline(
        track([
          clip({
            effects: [
              { OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 2 },
              { OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 1.5 },
              { OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 4, enabled: false },
            ],
          }),
          clip({ effects: [{ OTIO_SCHEMA: 'FreezeFrame.1', time_scalar: 0 }] }),
        ]),
      ),
      [`${one} × 3`, `${one} × 0`],
    ],
    [
      'what nested tracks and stacks of one child hold, in their place',
      timeline(track([clip(), stack([track([clip(), gap(2)])]), track([stack([clip()])])])),
      [one, one, 'gap 2', one],
    ],
    [
      'a track with a range that holds all of it',
      timeline(
        track([clip(), gap(2)], { source_range: range(0, 22) }),
        track([], { source_range: range(0, 0) }),
      ),
      [one, 'gap 2'],
    ],
    [
      'what the uppermost video track with a clip shows',
      timeline(
        track([clip(), gap(10), clip(), clip()]),
        track([gap(5), clip({}, 'two.mov'), gap(30), clip({}, 'two.mov')], { kind: 'Video' }),
        track([gap(70), clip({}, 'three.mov')]),
      ),
      [
        ...['file:///a/one.mov 10+5', 'two.mov 10+20', 'gap 5', 'file:///a/one.mov 10+20'],
        ...['file:///a/one.mov 10+5', 'two.mov 10+15', 'three.mov 10+20'],
      ],
    ],
    [
      'transitions between a video track and the one below it',
      timeline(
        track([clip({ source_range: range(0, 60) })]),
        track([gap(20), transition(0, 6), clip({}, 'two.mov'), transition(6, 0), gap(4)]),
      ),
      [
        ...['file:///a/one.mov 0+20', 'fade 0+6', 'two.mov 10+20'],
        ...['fade 6+0', 'file:///a/one.mov 40+20'],
      ],
    ],
    [
      'what the range of a track leaves of its clips and gaps',
      timeline(
        track([clip({ effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 2 }] }), gap(10), clip()], {
          source_range: range(5, 40),
        }),
      ),
      ['file:///a/one.mov 20+15 × 2', 'gap 10', 'file:///a/one.mov 10+15'],
    ],
    [
      'what the range of a nested track leaves, with gaps where it has more than the track',
      timeline(
        track([
          clip(),
          track([clip()], { source_range: range(15, 10) }),
          stack([clip()], { source_range: range(-3, 5) }),
        ]),
      ),
      [one, 'file:///a/one.mov 25+5', 'gap 5', 'gap 3', 'file:///a/one.mov 10+2'],
    ],
    [
      'what the range of all tracks leaves of each',
      {
        OTIO_SCHEMA: 'Timeline.1',
        tracks: stack([track([clip(), transition(2, 2), clip()])], { source_range: range(4, 30) }),
      },
      ['file:///a/one.mov 14+16', 'fade 2+2', 'file:///a/one.mov 10+14'],
    ],
    [
      'a track whose range is as long but begins at a time code',
      timeline(track([clip(), clip()], { source_range: range(86_400, 40) })),
      [one, one],
    ],
    [
      'gaps for what is nested and disabled',
      timeline(track([clip(), track([clip(), gap(2)], { enabled: false })])),
      [one, 'gap 20', 'gap 2'],
    ],
    [
      'transitions under our names and the names of editors',
      timeline(
        track([
          transition(0, 2),
          clip(),
          transition(2, 3, { transition_type: 'Custom_Transition', name: 'Wipe Left' }),
          clip(),
          transition(4, 4, { transition_type: 'Custom_Transition', name: 'Dip To Black' }),
          clip(),
          transition(3, 3, { transition_type: 'Custom_Transition', name: 'Light Leak' }),
          clip(),
          transition(3, 3, { transition_type: 'Custom_Transition', name: 'Whip Pan' }),
          clip(),
        ]),
      ),
      ['fade 0+2', one, 'wipeleft 2+3', one, 'fadeblack 4+4', one, 'lightleak 3+3', one, 'whipleft 3+3', one],
    ],
    [
      'the only video track that has clips and is enabled',
      timeline(
        track([gap(50)]),
        track([clip()]),
        track([clip()], { enabled: false }),
        track([], { kind: 'Data' }),
      ),
      [one],
    ],
  ])('%s', (_, document, expected) => {
    expect(linesOf(document)).toEqual(expected);
  });

  test('effects that an editor lists without a change are ignored', () => {
    const resolve = (parameters: object[], more: object = {}) => ({
      OTIO_SCHEMA: 'Effect.1',
      effect_name: 'Resolve Effect',
      metadata: {
        Resolve_OTIO: { 'Effect Name': 'Transform', Enabled: true, Parameters: parameters, ...more },
      },
    });
    const zoom = { 'Parameter ID': 'zoom', 'Default Parameter Value': 1, 'Key Frames': {} };
    const premiere = (name: string, parameters: object[]) => ({
      OTIO_SCHEMA: 'Effect.1',
      effect_name: name,
      metadata: { PremierePro_OTIO: { MatchName: name, Parameters: parameters } },
    });
    const opacity = (value: number) => premiere('AE.ADBE Opacity', [{ ID: 1, StartValue: { Value: value } }]);
    const motion = (x: number) =>
      premiere('AE.ADBE Motion', [{ ID: 1, StartValue: { Value: { X: x, Y: 0.5 } } }]);
    const unset = [
      resolve([]),
      resolve([{ ...zoom, 'Parameter Value': 1 }]),
      resolve([{ ...zoom, 'Parameter Value': 2 }], { Enabled: false }),
      opacity(100),
      motion(0.5),
      premiere('Internal Volume Stereo', [{ ID: 1, Keyframes: [] }]),
    ];
    expect(linesOf(timeline(track([clip({ effects: unset })], { effects: unset })))).toEqual([one]);
    for (const effect of [
      resolve([{ ...zoom, 'Parameter Value': 2 }]),
      resolve([{ ...zoom, 'Parameter Value': 1, 'Key Frames': { 3: 2 } }]),
      opacity(50),
      motion(0.2),
      premiere('AE.ADBE Invert', []),
      premiere('Internal Volume Stereo', [{ ID: 1, Keyframes: [{ Value: 1 }] }]),
    ]) {
      const [fault] = faultsOf(timeline(track([clip({ effects: [effect] })])));
      expect(fault).toContain('otio.tracks.children[0].children[0].effects[0]: `Effect.1`');
    }
  });

  test('a range of a track shows the frames that it shows of the whole track', () => {
    fc.assert(
      fc.property(
        childrenOf('one.mov'),
        fc.integer({ min: -20, max: 330 }),
        fc.integer({ min: 1, max: 350 }),
        (children, from, many) => {
          // The clip before it keeps the track from being empty.
          const whole = framesOf(timeline(track([clip(), ...children]))).slice(20);
          const nested = track(children, { source_range: range(from, many) });
          const shown = framesOf(timeline(track([clip(), nested]))).slice(20);
          const isOther = many === whole.length && (from >= whole.length || from + many <= 0);
          const expected = Array.from({ length: many }, (_, i) => whole[from + i] ?? null);
          expect(shown).toEqual(isOther ? whole : expected);
        },
      ),
    );
  });

  test('several video tracks show each frame of the uppermost that has one there', () => {
    fc.assert(
      fc.property(childrenOf('one.mov'), childrenOf('two.mov'), childrenOf('three.mov'), (...all) => {
        // The clip after it keeps each track from being empty.
        const tracks = all.map((children) => track([...children, clip({}, 'last.mov')]));
        const each = tracks.map((one) => framesOf(timeline(one)));
        const length = Math.max(...each.map((frames) => frames.length));
        const expected = Array.from({ length }, (_, at) =>
          each.reduce<string | null>((below, frames) => frames[at] ?? below, null),
        );
        expect(framesOf(timeline(...tracks))).toEqual(expected);
      }),
    );
  });

  test('the length of a clip of Premiere Pro is that of its media', () => {
    const warped = { effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 2 }] };
    const own = { metadata: { PremierePro_OTIO: {} } };
    expect(linesOf(timeline(track([clip({ ...warped, ...own })])))).toEqual(['file:///a/one.mov 10+10 × 2']);
  });
});

describe('what cannot be rendered is named with its place', () => {
  const at = 'otio.tracks.children[0].children[0]';
  test.each<[unknown, string]>([
    [null, 'otio: must be an object of OpenTimelineIO'],
    ['{', 'otio: is not valid JSON'],
    [{}, 'otio: must be an object of OpenTimelineIO'],
    [{ OTIO_SCHEMA: 'Clip.2' }, 'otio.OTIO_SCHEMA: `Clip.2` is not supported'],
    [{ OTIO_SCHEMA: 'Timeline.1' }, 'otio.tracks: must be an object'],
    [timeline(), 'otio.tracks: No track has a clip.'],
    [timeline(track([gap(3)])), 'otio.tracks: No track has a clip.'],
    [
      timeline(track([clip({ source_range: null })]), track([clip()])),
      'otio.tracks.children[0]: needs clips with a `source_range`, because another video track',
    ],
    [
      timeline(track([clip(), transition(2, 2), clip()]), track([gap(19), clip({}, 'two.mov')])),
      'otio.tracks.children[0].children[1]: is partly covered by the video track above it.',
    ],
    [
      timeline(track([clip(), clip()]), track([gap(15), transition(0, 6), clip({}, 'two.mov')])),
      'otio.tracks.children[1].children[1]: blends with the video track below, where another clip begins',
    ],
    [
      timeline(track([clip()]), track([transition(0, 6), clip({}, 'two.mov')])),
      'otio.tracks.children[1].children[0]: blends with the video track below',
    ],
    [
      timeline(track([clip()]), track([clip({}, 'two.mov'), transition(6, 0)])),
      'otio.tracks.children[1].children[1]: blends with the video track below',
    ],
    [
      timeline(track([clip()]), track([clip()], { kind: 'Subtitle' })),
      'otio.tracks.children[1].kind: Tracks other',
    ],
    [
      timeline(track([clip({ source_range: null }), clip()], { source_range: range(0, 1) })),
      'otio.tracks.children[0].source_range: cuts clips whose length the document does not say.',
    ],
    [
      timeline(track([clip(), transition(2, 2), clip()], { source_range: range(0, 21) })),
      'otio.tracks.children[0].children[1]: is cut by the `source_range` of the track or stack around it.',
    ],
    [
      timeline(track([clip()], { effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 2 }] })),
      'otio.tracks.children[0].effects[0]: `LinearTimeWarp.1` on a whole track',
    ],
    [timeline(clip()), 'otio.tracks.children[0]: `Clip.2` is not supported here'],
    [timeline(track([stack([clip(), clip()])])), `${at}: A stack of several children`],
    [timeline(track([{ OTIO_SCHEMA: 'Clip.9' }])), `${at}: \`Clip.9\` is not supported.`],
    [
      timeline(
        track([clip({ media_references: { DEFAULT_MEDIA: { OTIO_SCHEMA: 'ImageSequenceReference.1' } } })]),
      ),
      `${at}.media_references.DEFAULT_MEDIA: \`ImageSequenceReference.1\` is not supported`,
    ],
    [
      timeline(track([clip({ name: '', media_references: {} })])),
      `${at}: has no name that its media could be given under`,
    ],
    [
      timeline(track([clip({ effects: [{ OTIO_SCHEMA: 'TimeEffect.1' }] })])),
      `${at}.effects[0]: \`TimeEffect.1\``,
    ],
    [
      timeline(track([clip({ effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: -1 }] })])),
      `${at}.effects: plays backwards`,
    ],
    [
      timeline(track([clip({ effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 17 }] })])),
      `${at}.effects: has a rate of 17`,
    ],
    [
      timeline(track([clip({ enabled: false, source_range: null }), clip()])),
      `${at}: needs a \`source_range\``,
    ],
    [
      timeline(track([clip({ source_range: range(0, 1, 0) })])),
      `${at}.source_range.start_time: must be a \`RationalTime\` whose \`rate\` is above 0`,
    ],
    [
      timeline(track([clip({ source_range: range(0, -1) })])),
      `${at}.source_range.duration: must not be negative`,
    ],
    [timeline(track([clip({ source_range: range(1e300, 1) })])), `${at}.source_range.start_time: must be a`],
    [
      timeline(track([clip({ source_range: range(0, 24 * 86_401) })])),
      'children[0]: The track is longer than 86400 s.',
    ],
    [timeline(track([transition(2, 2), clip()])), `${at}.in_offset: must be 0 at the beginning`],
    [timeline(track([clip(), transition(2, 2)])), 'children[1].out_offset: must be 0 at the end'],
    [timeline(track([clip(), transition(2, 2), transition(2, 2), clip()])), 'children[2]: Two transitions'],
    [timeline(track([clip(), transition(1000, 1000), clip()])), 'children[1]: lasts longer than 60 s.'],
    [
      timeline(track([clip(), transition(2, 12), clip(), transition(12, 2), clip()])),
      'children[2]: is shorter than',
    ],
    [
      timeline(
        track([clip(), transition(2, 2, { transition_type: 'Custom_Transition', name: 'Morph' }), clip()]),
      ),
      'children[1].transition_type: The transition `Morph` is not supported.',
    ],
  ])('%#', (document, expected) => {
    expect(faultsOf(document).join('\n')).toContain(expected);
  });

  test('all of it at once, up to a number', () => {
    const wrong = clip({ effects: [{ OTIO_SCHEMA: 'TimeEffect.1' }] });
    expect(faultsOf(timeline(track([wrong, clip(), wrong])))).toHaveLength(2);
    expect(faultsOf(timeline(track(Array.from({ length: 500 }, () => wrong))))).toHaveLength(20);
  });
});

describe('hostile documents', () => {
  const nested = (depth: number, of: (inner: unknown) => unknown) => {
    let value: unknown = clip();
    for (let at = 0; at < depth; at++) value = of(value);
    return value as object;
  };

  test('may be nested as deeply as they like', () => {
    const deep = nested(100_000, (inner) => ({ OTIO_SCHEMA: 'Stack.1', children: [inner] }));
    expect(faultsOf(timeline(track([deep])))).toEqual(['otio: is nested too deeply']);
    const lists = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(faultsOf(lists)).toEqual(['otio: is nested too deeply']);
    const tracks = nested(10, (inner) => track([inner as object]));
    expect(faultsOf(timeline(track([tracks])))[0]).toContain('nested too deeply');
  });

  test('are read up to a number of items', () => {
    const items = Array.from({ length: 6001 }, () => gap(1));
    expect(faultsOf(timeline(track([clip(), ...items])))[0]).toContain('more than 6000 items');
  });

  test('name properties that every object has', () => {
    const keys = ['__proto__', 'constructor', 'toString'];
    for (const key of keys) {
      const document = timeline(track([clip({ name: key, active_media_reference_key: key })]));
      const { timeline: read } = readTimeline(JSON.stringify(document));
      expect(read && mediaFaults(read, {})[0]?.message).toContain(`has no entry for \`${key}\``);
    }
    const polluted = JSON.stringify(timeline(track([clip()]))).replace('"tracks"', '"__proto__"');
    expect(faultsOf(polluted)).toEqual([
      'otio.tracks: must be an object of OpenTimelineIO, with an `OTIO_SCHEMA`',
    ]);
  });

  test('have numbers that are none', () => {
    for (const value of ['1e999', '-1e999', '"1"', 'null', '{}', '[1]']) {
      const text = JSON.stringify(timeline(track([clip()]))).replace('"value":10', `"value":${value}`);
      expect(faultsOf(text)[0]).toContain('source_range.start_time: must be a `RationalTime`');
    }
  });
});

describe('media', () => {
  const given = (media: Record<string, string>, ...clips: object[]) => {
    const { timeline: read } = readTimeline(timeline(track(clips)));
    return (read ? mediaFaults(read, media) : []).map(({ path, message }) => `${path.join('/')}: ${message}`);
  };
  const [first, second] = [
    clip({}, 'file:///A/shot%201.mov'),
    clip({ name: 'Shot 2' }, 'file:///B/shot%202.mov'),
  ];

  test.each([
    ['its whole URL', { 'file:///A/shot%201.mov': 'a', 'file:///B/shot%202.mov': 'b' }],
    ['its file name, without escapes', { 'shot 1.mov': 'a', 'shot 2.mov': 'b' }],
    ['the name of the clip', { 'Shot 1': 'a', 'Shot 2': 'b' }],
  ])('is given under %s', (_, media) => {
    expect(given(media, first, second)).toEqual([]);
  });

  test('that is missing or unused is named', () => {
    expect(given({ 'shot 1.mov': 'a', 'shot 3.mov': 'b' }, first, second)).toEqual([
      ': has no entry for `shot 2.mov` (first used at `otio.tracks.children[0].children[1]`). The document uses `shot 1.mov`, `shot 2.mov`.',
      'shot 3.mov: is not used by the document, which uses `shot 1.mov`, `shot 2.mov`.',
    ]);
  });

  test('must not stand for two files of the same name', () => {
    const [a, b] = [clip({}, '/card1/C0001.MP4'), clip({}, '/card2/C0001.MP4')];
    expect(given({ 'C0001.MP4': 'a' }, a, b)[0]).toContain('C0001.MP4: stands for different files');
    expect(given({ '/card1/C0001.MP4': 'a', '/card2/C0001.MP4': 'b' }, a, b)).toEqual([]);
  });

  test('is all that a task keeps of the description of a source: 900 cuts fit', () => {
    const children = Array.from({ length: 900 }, (_, cut) => ({
      ...clip({ metadata: { editor: 'x'.repeat(1000) } }, 'file:///Volumes/Card%201/C0001.MP4'),
      source_range: range(cut * 7.25, 6.5, 29.97),
    }));
    const otio = timeline(track(children), track(children, { kind: 'Audio' }));
    const media = { 'C0001.MP4': 'https://media.example.com/a.mp4' };
    const text = JSON.stringify(otio);
    expect(text.length).toBeGreaterThan(2_000_000);
    const input = operations.timeline.input.parse({ otio: text, media });
    const kept = operations.timeline.kept?.(input);
    expect(JSON.stringify(kept).length).toBeLessThan(256 * 1024);
    expect(operations.timeline.received.parse(kept)).toEqual(kept);
    const { error } = operations.timeline.input.safeParse({
      otio: timeline(track([...children, ...children, ...children])),
      media,
    });
    expect(error?.issues[0]).toMatchObject({ path: ['otio'] });
  });

  test('of the same address is one source', () => {
    const url = 'https://media.example.com/a.mp4';
    const otio = timeline(track([first, second]));
    const input = operations.timeline.input.parse({ otio, media: { 'shot 1.mov': url, 'shot 2.mov': url } });
    expect(operations.timeline.sources(input)).toEqual([{ pointer: '/media/shot 1.mov', url }]);
    expect(operations.timeline.bound?.(input)).toMatchObject({ count: 1 });
  });
});
