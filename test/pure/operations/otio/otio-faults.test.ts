import { describe, expect, test } from 'vitest';
import { operations } from '../../../../schema/operations/index.ts';
import { readTimeline } from '../../../../schema/otio/document.ts';
import { mediaFaults } from '../../../../schema/otio/media.ts';
import { clip, faultsOf, gap, range, stack, timeline, track, transition } from './otio-documents.ts';

describe('what cannot be rendered is named with its place', () => {
  const at = 'otio.tracks.children[0].children[0]';
  test.each<[unknown, string]>([
    [null, 'otio: must be an OpenTimelineIO object'],
    ['{', 'otio: is not valid JSON'],
    [
      '<?xml version="1.0"?><fcpxml/>',
      'otio: is XML. Export the timeline as OpenTimelineIO (.otio), which is JSON',
    ],
    ['{"OTIO_SCHEMA": "Infinity}', 'otio: is not valid JSON'],
    [{}, 'otio: must be an OpenTimelineIO object'],
    [{ OTIO_SCHEMA: 'Clip.2' }, 'otio.OTIO_SCHEMA: `Clip.2` is not supported'],
    [{ OTIO_SCHEMA: 'Timeline.1' }, 'otio.tracks: must be an OpenTimelineIO object'],
    [timeline(), 'otio.tracks: No track has a clip.'],
    [timeline(track([gap(3)])), 'otio.tracks: No track has a clip.'],
    [
      timeline(track([clip({ enabled: false })])),
      'otio.tracks: No track shows a clip: all are disabled, or outside of a `source_range`.',
    ],
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
      timeline(
        track([
          clip({
            source_range: range(0, 1),
            effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 25 }],
          }),
        ]),
      ),
      `${at}.effects: has a rate of 25. A clip plays at 0 (a freeze) or at 0.1 to 16.`,
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
    // One side of a transition is left, which would blend with something else.
    [
      timeline(track([clip(), transition(0, 12), clip()], { source_range: range(20, 20) })),
      'otio.tracks.children[0].children[1]: is cut by the `source_range`',
    ],
    [
      timeline(track([clip(), transition(12, 0), clip()], { source_range: range(0, 20) })),
      'otio.tracks.children[0].children[1]: is cut by the `source_range`',
    ],
    [
      timeline(track([clip(), track([gap(20), transition(0, 12), clip()], { source_range: range(20, 20) })])),
      `children[1].children[1]: is cut by the \`source_range\``,
    ],
    [
      timeline(track([clip(), transition(0, 12), clip()]), track([clip({}, 'two.mov'), gap(20)])),
      'otio.tracks.children[0].children[1]: is partly covered by the video track above it.',
    ],
    [
      timeline(track([clip(), transition(12, 0)]), track([gap(20), clip({}, 'two.mov')])),
      'otio.tracks.children[0].children[1]: is partly covered by the video track above it.',
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
    const disabled = track(items, { enabled: false });
    expect(faultsOf(timeline(track([clip()]), disabled, track([clip()])))[0]).toContain(
      'more than 6000 items',
    );
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
      'otio.tracks: must be an OpenTimelineIO object with an `OTIO_SCHEMA`',
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

  test('of clips that are not shown is not needed', () => {
    const hidden = clip({ enabled: false }, 'off.mov');
    const below = clip({}, 'below.mov');
    const document = timeline(
      track([below, hidden, first]),
      track([clip({}, 'over.mov')]),
      track([clip({}, 'track-off.mov')], { enabled: false }),
    );
    const { timeline: read } = readTimeline(document);
    const names = ['off.mov', 'below.mov', 'track-off.mov', 'of.mov', 'over.mov', 'shot 1.mov'];
    const media = Object.fromEntries(names.map((name) => [name, 'a']));
    const faults = (read ? mediaFaults(read, media) : []).map(({ path, message }) => `${path}: ${message}`);
    const why = 'is used only by clips that are not shown, because they are disabled, covered';
    expect(faults).toEqual([
      ...['off.mov', 'below.mov', 'track-off.mov'].map((name) => expect.stringContaining(`${name}: ${why}`)),
      'of.mov: is not used by the document, which uses `over.mov`, `shot 1.mov`.',
    ]);
  });

  test('that another entry gives already is not needed', () => {
    expect(given({ 'shot 1.mov': 'a', 'Shot 1': 'b' }, first)).toEqual([
      'Shot 1: is not used: the entry `shot 1.mov` gives its media. Remove one.',
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
