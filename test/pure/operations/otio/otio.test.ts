import { describe, expect, test } from 'vitest';
import { readTimeline } from '../../../../schema/otio/document.ts';
import { clipsOf, givenName } from '../../../../schema/otio/media.ts';
import { prunedDocument } from '../../../../schema/otio/pruned.ts';
import type { Item, Timeline, Track } from '../../../../schema/otio/timeline.ts';
import {
  clip,
  external,
  faultsOf,
  gap,
  range,
  stack,
  timeline,
  track,
  transition,
} from './otio-documents.ts';

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
    names: expect.any(Set),
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
      'a rate of 1 but for its rounding',
      timeline(
        track([
          clip({ effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 0.99999999999998 }] }),
          clip({ effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 1.000001 }] }),
        ]),
      ),
      [one, `${one} × 1.000001`],
    ],
    [
      'a rate above the fastest that whole frames come nearest to it with, as `/silence_process` exports 82 frames at 16',
      timeline(
        track([
          clip({
            source_range: range(0, 5),
            effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 16.4 }],
          }),
          clip({
            source_range: range(0, 1),
            effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 23 }],
          }),
        ]),
      ),
      ['file:///a/one.mov 0+5 × 16.4', 'file:///a/one.mov 0+1 × 23'],
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
      'fades at the ends of a track, also where its range leaves out a gap before one',
      timeline(track([gap(10), transition(0, 4), clip(), transition(4, 0)], { source_range: range(10, 20) })),
      ['fade 0+4', one, 'fade 4+0'],
    ],
    [
      'a fade at the end of a track under a gap of another',
      timeline(track([clip(), clip(), transition(4, 0)]), track([clip({}, 'two.mov'), gap(20)])),
      ['two.mov 10+20', one, 'fade 4+0'],
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
      'gaps for what is disabled, whatever it holds',
      timeline(
        track(
          [
            clip({ enabled: false, effects: [{ OTIO_SCHEMA: 'TimeEffect.1' }] }),
            clip({
              enabled: false,
              media_references: { DEFAULT_MEDIA: { OTIO_SCHEMA: 'ImageSequenceReference.1' } },
            }),
            clip({
              enabled: false,
              media_references: {
                DEFAULT_MEDIA: { OTIO_SCHEMA: 'GeneratorReference.1', generator_kind: 'Title' },
              },
            }),
            clip({
              enabled: false,
              metadata: { PremierePro_OTIO: {} },
              effects: [{ OTIO_SCHEMA: 'Effect.1' }, { OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: -2 }],
            }),
            stack([clip(), track([clip(), transition(2, 2, { transition_type: 'Morph' }), gap(4)])], {
              enabled: false,
              effects: [{ OTIO_SCHEMA: 'TimeEffect.1' }],
            }),
            track([clip({ source_range: null, media_references: {} })], {
              enabled: false,
              source_range: range(0, 7),
            }),
            clip(),
          ],
          { effects: [{ OTIO_SCHEMA: 'TimeEffect.1', enabled: false }] },
        ),
      ),
      ['gap 20', 'gap 20', 'gap 20', 'gap 10', 'gap 20', 'gap 4', 'gap 7', one],
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

  test('a text with the infinite numbers that OpenTimelineIO writes, and with a byte order mark', () => {
    const metadata = { note: 'Infinity, "NaN" \\', least: 'LEAST', most: 'MOST', none: 'NONE' };
    const text = JSON.stringify(timeline(track([clip({ metadata })])))
      .replace('"LEAST"', '-Infinity')
      .replace('"MOST"', 'Inf')
      .replace('"NONE"', 'NaN');
    expect(linesOf(`\uFEFF${text}`)).toEqual(['file:///a/one.mov 10+20']);
  });

  test('the length of a clip of Premiere Pro is that of its media', () => {
    const warped = { effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 2 }] };
    const own = { metadata: { PremierePro_OTIO: {} } };
    expect(linesOf(timeline(track([clip({ ...warped, ...own })])))).toEqual(['file:///a/one.mov 10+10 × 2']);
  });
});
