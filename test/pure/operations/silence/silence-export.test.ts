import { describe, expect, test } from 'vitest';
import { readTimeline } from '../../../../schema/otio/document.ts';
import { pacedFrames } from '../../../../transcoder/operations/plan/frames.ts';
import type { Segment } from '../../../../transcoder/operations/silence/detect.ts';
import { editOf } from '../../../../transcoder/operations/silence/edit-list.ts';
import { csvText } from '../../../../transcoder/operations/silence/export/csv.ts';
import type { Edit } from '../../../../transcoder/operations/silence/export/edit.ts';
import { edlText } from '../../../../transcoder/operations/silence/export/edl.ts';
import { fcpxmlText } from '../../../../transcoder/operations/silence/export/fcpxml.ts';
import { otioText } from '../../../../transcoder/operations/silence/export/otio.ts';
import {
  firstHour,
  frameOf,
  rateOf,
  timecode,
} from '../../../../transcoder/operations/silence/export/timecode.ts';
import { clipsLeft } from '../../../../transcoder/operations/silence/segments.ts';
import { source } from '../sources.ts';

const segments: Segment[] = [
  { start: 0, end: 2, action: 'keep' },
  { start: 2, end: 4, action: 'silent' },
  { start: 4, end: 10, action: 'keep' },
];

function edit(
  mode: 'remove' | 'speed_up' | 'mute',
  url = 'https://media.example.com/a/talk%20%26%20%22more%22.mp4?key=1',
  timecode?: { text: string; perSecond: number | null },
): Edit {
  const grid = pacedFrames({ zero: 0, step: 1 / 30, count: 300, until: 10 });
  const clips = clipsLeft(segments, { mode, silent_speed: 4 }, grid);
  const probe = timecode ? { ...source, timecode } : source;
  return editOf({ input: { video_url: url }, probe, segments, clips, grid }, false);
}

describe('timecode', () => {
  test.each([
    [1799, '00:00:59;29'],
    [1800, '00:01:00;02'],
    [3597, '00:01:59;29'],
    [3598, '00:02:00;02'],
    [17_981, '00:09:59;29'],
    [17_982, '00:10:00;00'],
    [107_892, '01:00:00;00'],
    [2_589_408, '00:00:00;00'],
  ])('of frame %i at 29.97 is %s', (frame, expected) => {
    expect(timecode(frame, rateOf(29.97))).toBe(expected);
  });

  test.each([
    [3600, 59.94, '00:01:00;04'],
    [1440, 23.976, '00:01:00:00'],
    [1500, 25, '00:01:00:00'],
    [90_000, 25, '01:00:00:00'],
    [90, 15, '00:00:06:00'],
  ])('of frame %i at %f is %s', (frame, perSecond, expected) => {
    expect(timecode(frame, rateOf(perSecond))).toBe(expected);
  });

  test.each([23.976, 24, 25, 29.97, 30, 50, 59.94, 60])('begins an hour at %f with zeros', (perSecond) => {
    const rate = rateOf(perSecond);
    expect(timecode(firstHour(rate), rate)).toMatch(/^01:00:00[:;]00$/);
  });
});

describe('exports of a source that begins at a timecode', () => {
  const url = 'https://media.example.com/a.mp4';
  const talk = edit('remove', url, { text: '10:00:00:15', perSecond: 30 });

  test('state it in an EDL and in a CSV', () => {
    expect(edlText(talk)).toContain('C        10:00:00:15 10:00:02:15 01:00:00:00 01:00:02:00');
    expect(csvText(talk)).toContain('0,2,keep,0,60,10:00:00:15,10:00:02:15');
  });

  test('count from it in an FCPXML', () => {
    expect(fcpxmlText(talk)).toContain('<asset id="r2" name="a.mp4" start="1080015/30s" duration="10s"');
    expect(fcpxmlText(talk)).toContain('offset="2s" start="1080135/30s" duration="6s"');
    const fast = fcpxmlText(edit('speed_up', url, { text: '10:00:00:15', perSecond: 30 }));
    expect(fast).toContain('<timept time="0s" value="1080075/30s" interp="linear"/>');
  });

  test('count from it in an OTIO, which /timeline reads from the beginning of the file', () => {
    const { timeline } = readTimeline(otioText(talk));
    const clips = timeline?.picture?.items.filter((item) => item.kind === 'clip') ?? [];
    expect(clips.map(({ start, mediaStart }) => [start?.value, mediaStart?.value])).toEqual([
      [1_080_015, 1_080_015],
      [1_080_135, 1_080_015],
    ]);
  });

  test.each([
    ['00:01:00;02', 29.97, null, 1800],
    ['00:01:00.02', 29.97, null, 1800],
    ['01:00:00;00', 29.97, 29.97, 107_892],
    ['00:00:01:14', 60, 30, 88],
    ['00:00:01:30', 30, 30, null],
    ['00:00:01:10', 25, 30, null],
  ])('%s at %f frames per second, counted %s a second, is frame %s', (text, perSecond, counted, frame) => {
    expect(frameOf(text, rateOf(perSecond), counted)).toBe(frame);
  });

  test('are not drop-frame if it is not', () => {
    const grid = pacedFrames({ zero: 0, step: 1001 / 30_000, count: 300, until: 10 });
    const probe = { ...source, timecode: { text: '01:00:00:00', perSecond: null } };
    const clips = clipsLeft(segments, { mode: 'remove', silent_speed: 4 }, grid);
    const text = edlText(editOf({ input: { video_url: 'a.mp4' }, probe, segments, clips, grid }, false));
    expect(text).toContain('FCM: NON-DROP FRAME');
    expect(text).toContain('C        01:00:00:00 01:00:02:00 01:00:00:00');
  });
});

test('an EDL lists what is kept', () => {
  expect(edlText(edit('remove'))).toBe(
    [
      'TITLE: talk & "more".mp4',
      'FCM: NON-DROP FRAME',
      '',
      '001  AX       AA/V  C        00:00:00:00 00:00:02:00 01:00:00:00 01:00:02:00',
      '* FROM CLIP NAME: talk & "more".mp4',
      '002  AX       AA/V  C        00:00:04:00 00:00:10:00 01:00:02:00 01:00:08:00',
      '* FROM CLIP NAME: talk & "more".mp4',
      '',
    ].join('\n'),
  );
});

test('an EDL states the speed of an event, and which have no sound', () => {
  expect(edlText(edit('speed_up')).split('\n').slice(5, 8)).toEqual([
    '002  AX       AA/V  C        00:00:02:00 00:00:04:00 01:00:02:00 01:00:02:15',
    'M2   AX       120.0                00:00:02:00',
    '* FROM CLIP NAME: talk & "more".mp4',
  ]);
  expect(edlText(edit('mute')).split('\n')[5]).toBe(
    '002  AX       V     C        00:00:02:00 00:00:04:00 01:00:02:00 01:00:04:00',
  );
});

test('a CSV has every segment', () => {
  expect(csvText(edit('remove'))).toBe(
    [
      'start,end,action,start_frame,end_frame,start_timecode,end_timecode',
      '0,2,keep,0,60,00:00:00:00,00:00:02:00',
      '2,4,silent,60,120,00:00:02:00,00:00:04:00',
      '4,10,keep,120,300,00:00:04:00,00:00:10:00',
      '',
    ].join('\r\n'),
  );
});

test('an FCPXML has a clip a span, escaped, and a time map where the speed differs', () => {
  const name = 'talk &amp; &quot;more&quot;.mp4';
  expect(fcpxmlText(edit('speed_up'))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fcpxml>
<fcpxml version="1.10">
  <resources>
    <format id="r1" frameDuration="1/30s" width="1280" height="720"/>
    <asset id="r2" name="${name}" start="0s" duration="10s" hasVideo="1" videoSources="1" format="r1" hasAudio="1" audioSources="1" audioChannels="2" audioRate="48000">
      <media-rep kind="original-media" src="./talk%20%26%20%22more%22.mp4"/>
    </asset>
  </resources>
  <library>
    <event name="Spool">
      <project name="${name}">
        <sequence format="r1" duration="255/30s" tcStart="0s" tcFormat="NDF" audioLayout="stereo" audioRate="48k">
          <spine>
            <asset-clip ref="r2" name="${name}" offset="0s" start="0s" duration="2s" tcFormat="NDF"/>
            <asset-clip ref="r2" name="${name}" offset="2s" start="0s" duration="15/30s" tcFormat="NDF">
              <timeMap>
                <timept time="0s" value="2s" interp="linear"/>
                <timept time="15/30s" value="4s" interp="linear"/>
              </timeMap>
            </asset-clip>
            <asset-clip ref="r2" name="${name}" offset="75/30s" start="4s" duration="6s" tcFormat="NDF"/>
          </spine>
        </sequence>
      </project>
    </event>
  </library>
</fcpxml>
`);
  expect(fcpxmlText(edit('mute'))).toContain('start="2s" duration="2s" tcFormat="NDF" srcEnable="video"/>');
});

test('an OTIO has a track of video and one of sound', () => {
  const timeline = JSON.parse(otioText(edit('speed_up')));
  const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate: 30, value });
  const span = (start: number, length: number) => ({
    OTIO_SCHEMA: 'TimeRange.1',
    start_time: time(start),
    duration: time(length),
  });
  expect(timeline).toMatchObject({ OTIO_SCHEMA: 'Timeline.1', tracks: { OTIO_SCHEMA: 'Stack.1' } });
  const tracks = timeline.tracks.children;
  expect(tracks.map((track: { kind: string }) => track.kind)).toEqual(['Video', 'Audio']);
  expect(tracks[0].children).toHaveLength(3);
  expect(tracks[0].children[1]).toEqual({
    OTIO_SCHEMA: 'Clip.2',
    metadata: {},
    name: 'talk & "more".mp4',
    source_range: span(60, 15),
    active_media_reference_key: 'DEFAULT_MEDIA',
    media_references: {
      DEFAULT_MEDIA: {
        OTIO_SCHEMA: 'ExternalReference.1',
        metadata: {},
        name: 'talk & "more".mp4',
        available_range: span(0, 300),
        available_image_bounds: null,
        target_url: 'talk%20%26%20%22more%22.mp4',
      },
    },
    effects: [
      {
        OTIO_SCHEMA: 'LinearTimeWarp.1',
        metadata: {},
        name: 'speed',
        effect_name: 'LinearTimeWarp',
        time_scalar: 4,
      },
    ],
    markers: [],
    enabled: true,
  });
  const muted = JSON.parse(otioText(edit('mute'))).tracks.children[1].children[1];
  expect(muted).toMatchObject({ OTIO_SCHEMA: 'Gap.1', source_range: span(0, 60) });
});

test('an OTIO of any silences at the highest speed is a document that /timeline reads', () => {
  const grid = pacedFrames({ zero: 0, step: 1 / 30, count: 300, until: 10 });
  for (let frames = 1; frames < 200; frames++) {
    const silence: Segment[] = [
      { start: 0, end: frames / 30, action: 'silent' },
      { start: frames / 30, end: 10, action: 'keep' },
    ];
    const clips = clipsLeft(silence, { mode: 'speed_up', silent_speed: 16 }, grid);
    const text = otioText(
      editOf({ input: { video_url: 'a.mp4' }, probe: source, segments: silence, clips, grid }, true),
    );
    expect(readTimeline(text).faults, `${frames} frames`).toEqual([]);
  }
});

test('an OTIO of sound alone has no time warp where its speed is 1', () => {
  const pauses = Array.from({ length: 60 }, (_, index): Segment => {
    const action = index % 2 === 0 ? 'keep' : 'silent';
    return { start: index * 0.1637, end: (index + 1) * 0.1637, action };
  });
  const clips = clipsLeft(pauses, { mode: 'remove', silent_speed: 4 }, null);
  const request = { input: { audio_url: 'a.wav' }, probe: source, segments: pauses, clips, grid: null };
  const [track] = JSON.parse(otioText({ ...editOf(request, true), picture: null })).tracks.children;
  const effects: object[] = track.children.flatMap((clip: { effects: object[] }) => clip.effects);
  expect(effects).toEqual([]);
});

test('a name holds nothing that would break a line or a path', () => {
  expect(edit('remove', 'https://media.example.com/a%0ATITLE%2Fb.mp4').name).toBe('a_TITLE_b.mp4');
  expect(edit('remove', 'https://media.example.com').name).toBe('source');
});
