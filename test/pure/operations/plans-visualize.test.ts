import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visualStyleNames } from '../../../schema/media/visual-styles.ts';
import { anchors } from '../../../schema/operations/fields/fields.ts';
import { operations } from '../../../schema/operations/index.ts';
import { graphText } from '../../../transcoder/model/filter-text.ts';
import type { Facts, Plan } from '../../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import type { Render } from '../../../transcoder/model/steps.ts';
import { LINE_HEIGHT, layoutOf } from '../../../transcoder/operations/visualize/layout.ts';
import { titleScript } from '../../../transcoder/operations/visualize/text.ts';
import { linesOf } from '../../../transcoder/operations/visualize/title-wrapping.ts';
import { visualize } from '../../../transcoder/operations/visualize/visualize.ts';
import { letters } from '../letters/letters.ts';
import { closed } from './plan-graph.ts';
import { like, means, source, stillLike } from './sources.ts';

const url = 'https://media.example.com/a';
const song: MediaProbe = { ...source, format: 'mp3', video: null };
const photo = stillLike({ width: 900, height: 600, pixelFormat: 'rgba' });

const parsed = (request: Record<string, unknown>) =>
  operations.visualize.input.parse({ audio_url: url, ...request });

function planOf(request: Record<string, unknown>, more: MediaProbe[] = [], facts: Facts = {}): Plan {
  const input = parsed(request);
  return closed(visualize.plan({ input, probes: [song, ...more], facts, ...means }), { facts });
}

function mainOf(plan: Plan): Render {
  const step = plan.steps.at(-1);
  if (step?.kind !== 'render') throw new Error('the last step renders');
  return step;
}

const codeOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a visualizer becomes these steps', () => {
  test('samples and colors first, then one run that draws, lays over and encodes', () => {
    const plan = planOf({});
    expect(plan.steps.map(({ kind }) => kind)).toEqual(['render', 'palette', 'render']);
    const main = mainOf(plan);
    expect(graphText(main.chains)).toBe(
      [
        'color=color=0x0b0d12:size=1280x720:rate=1,trim=end_frame=1,format=pix_fmts=gbrp,scale=out_color_matrix=bt709:out_range=limited,format=pix_fmts=yuv420p[ground]',
        '[ground]loop=loop=-1:size=1,settb=expr=1/30,setpts=expr=N,fps=fps=30/1,trim=end_frame=300[backdrop]',
        '[1:0]scale=out_color_matrix=bt709:out_range=limited,format=pix_fmts=yuva420p,loop=loop=-1:size=1,settb=expr=1/30,setpts=expr=N,fps=fps=30/1,trim=end_frame=300[colors]',
        '[2:0]settb=expr=1/30,setpts=expr=N,fps=fps=30/1[mask]',
        '[colors][mask]alphamerge[visual]',
        '[backdrop][visual]overlay=x=52:y=322:format=yuv420,format=pix_fmts=yuv420p[v]',
        '[0:1]asetpts=expr=round(PTS-(0.000000)/TB),aresample=async=1:min_hard_comp=0.01:first_pts=0,atrim=end=10.000000,aformat=sample_rates=48000,apad=whole_len=480000,asetpts=expr=N,atrim=end_sample=480000,aformat=sample_rates=48000:channel_layouts=stereo[a]',
      ].join(';'),
    );
    expect(main.inputs.at(-1)).toMatchObject({
      drawing: { scene: { style: 'bars', frames: 300, gainDb: 0 } },
    });
    expect(plan).toMatchObject({ duration: 10, width: 1280, height: 720, fps: 30 });
  });

  test('covers of any shape show their middle', () => {
    const middleOf = (width: number, height: number) => {
      const size = { width, height, displayWidth: width, displayHeight: height };
      const plan = planOf({ cover_url: url, style: 'ring' }, [stillLike(size)]);
      return graphText(mainOf(plan).chains);
    };
    expect(middleOf(1280, 720)).toContain(
      'scale=w=508:h=286:flags=bicubic,setsar=sar=1,crop=w=286:h=286:x=110:y=0',
    );
    expect(middleOf(720, 1280)).toContain('crop=w=286:h=286:x=0:y=110');
  });

  test('sound that can stay as it is, is copied', () => {
    const input = parsed({});
    const plan = visualize.plan({ input, probes: [source], facts: {}, ...means });
    expect(mainOf(plan).outputs).toMatchObject([{ audio: { from: '0:1', encode: 'copy' } }]);
  });

  test('loudness becomes the gain of what is drawn, and part of the result', () => {
    const loudness = { integrated: -30, truePeak: -9, range: 4, threshold: -40 };
    const plan = planOf({}, [], { loudness });
    expect(plan.data).toEqual({ peak_db: -9, lufs: -30, captions: null });
    expect(mainOf(plan).inputs.at(-1)).toMatchObject({ drawing: { scene: { gainDb: 16 } } });
    expect(planOf({}, [], { loudness: null }).data).toEqual({
      ...{ peak_db: null, lufs: null, captions: null },
    });
  });

  test('sound that ends before its container says ends the video', () => {
    expect(planOf({ fps: 20 }, [], { heard: 8.5 })).toMatchObject({ duration: 8.5 });
  });

  test('a background video is repeated, or stays on its last frame', () => {
    const behind = (when: string) =>
      mainOf(planOf({ video_url: url, when_background_shorter: when }, [source]));
    expect(behind('loop').inputs[1]).toEqual({ source: 1, seek: null, loop: true });
    expect(behind('freeze').inputs[1]).toEqual({ source: 1, seek: null, loop: false });
    expect(graphText(behind('freeze').chains)).toContain('tpad=stop=-1:stop_mode=clone');
  });

  test('a transparent background video is opaque, and a warning says so', () => {
    const clear = like({ alpha: true, pixelFormat: 'yuva420p' });
    expect(planOf({ video_url: url }, [clear]).warnings).toMatchObject([{ code: 'alpha_dropped' }]);
    expect(planOf({ video_url: url }, [source]).warnings).toEqual([]);
  });

  test('pictures are turned upright by their own orientation and laid on the color behind them', () => {
    const facts: Facts = { sources: [{}, { orientation: 6 }, { orientation: 1 }] };
    const plan = planOf({ image_url: url, cover_url: url, style: 'ring' }, [photo, photo], facts);
    const graph = graphText(mainOf(plan).chains);
    expect(graph).toContain('[1:0]trim=end_frame=1,setpts=expr=0,transpose=dir=clock,scale=w=600:h=900');
    expect(graph).toContain('[behindclear]');
    expect(plan.steps.map(({ kind }) => kind)).toEqual(['render', 'palette', 'rounded', 'render']);
  });

  test('a video where a picture belongs, sound without sound and a side beyond the plan are refused', () => {
    expect(codeOf(() => planOf({ cover_url: url }, [source]))).toBe('source_not_media');
    expect(codeOf(() => planOf({ video_url: url }, [song]))).toBe('source_no_video');
    expect(codeOf(() => planOf({ width: 4096 }))).toBe('output_too_large');
    const mute = { ...source, audio: null };
    expect(codeOf(() => visualize.analyses(parsed({}), [mute], means))).toBe('source_no_audio');
    expect(codeOf(() => planOf({ video_url: url, title: 'x' }, [source]))).toBe('engine_unavailable');
    expect(visualize.analyses(parsed({ title: 'x' }), [song], means)).toHaveLength(1);
  });
});

describe('the layout', () => {
  const requests = fc.record(
    {
      style: fc.constantFrom(...visualStyleNames),
      width: fc.integer({ min: 240, max: 4096 }),
      height: fc.integer({ min: 240, max: 4096 }),
      title: fc.string({ minLength: 1, maxLength: 120 }).filter((text) => text.trim() !== ''),
      subtitle: fc
        .string({ minLength: 1, maxLength: 160, unit: 'grapheme' })
        .filter((text) => text.trim() !== ''),
      cover_url: fc.constant(url),
      position: fc.constantFrom(...anchors),
      size_percent: fc.integer({ min: 10, max: 100 }),
    },
    { requiredKeys: ['style', 'width', 'height'] },
  );

  test('keeps everything inside the picture, and apart from one another', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const input = parsed(request);
        const ratio = input.width / input.height;
        fc.pre(ratio > 0.4 && ratio < 2.5);
        const { visual, cover, text } = layoutOf(input, letters);
        for (const box of [visual, ...(cover ? [cover] : [])]) {
          expect(box.x).toBeGreaterThanOrEqual(0);
          expect(box.y).toBeGreaterThanOrEqual(0);
          expect(box.x + box.width).toBeLessThanOrEqual(input.width);
          expect(box.y + box.height).toBeLessThanOrEqual(input.height + 1);
          expect([box.x % 2, box.y % 2, box.width % 2, box.height % 2]).toEqual([0, 0, 0, 0]);
        }
        for (const { y, size, lines } of text?.lines ?? []) {
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y + size * LINE_HEIGHT * lines.length).toBeLessThanOrEqual(input.height + 1);
          expect(lines.length).toBeLessThanOrEqual(2);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test.each([
  ['ring', undefined],
  ['ring', 'bottom'],
  ['vectorscope', 'center'],
])(
  '%s of all of the height leaves title and subtitle inside the picture (position: %s)',
  (style, position) => {
    const { visual, text } = layoutOf(
      parsed({ style, position, size_percent: 100, title: 'Night Drive', subtitle: 'Live' }),
      letters,
    );
    const [title, subtitle] = text?.lines ?? [];
    expect(title?.y).toBeGreaterThanOrEqual(style === 'ring' ? visual.y + visual.height : 0);
    expect((subtitle?.y ?? 720) + (subtitle?.size ?? 0) * LINE_HEIGHT).toBeLessThanOrEqual(720);
  },
);

test.each(visualStyleNames)('%s is never smaller than what can be drawn', (style) => {
  for (const [width, height] of [
    [16, 16],
    [100, 60],
    [1280, 16],
    [16, 720],
  ]) {
    for (const size_percent of [undefined, 10]) {
      const { visual } = layoutOf(
        parsed({ style, width, height, ...(size_percent ? { size_percent } : {}) }),
        undefined,
      );
      expect(Math.min(visual.width, visual.height)).toBeGreaterThanOrEqual(16);
    }
  }
});

describe('a title', () => {
  const measured = (text: string) =>
    letters.lineOf(text, { font: 'Inter', bold: true, spacing: 0, language: null }).width * LINE_HEIGHT;

  test.each([
    ['Malayalam', 'മലയാളത്തിലെ ഏറ്റവും മനോഹരമായ ഗാനങ്ങളുടെ സമാഹാരം'],
    ['Tamil', 'தமிழ்த் திரைப்படங்களின் மிகச் சிறந்த பாடல்களின் தொகுப்பு'],
    ['Kannada', 'ಕನ್ನಡ ಚಲನಚಿತ್ರಗಳ ಅತ್ಯುತ್ತಮ ಹಾಡುಗಳ ಸಂಗ್ರಹ'],
    ['Burmese', 'မြန်မာသီချင်းကောင်းများစုစည်းမှု'],
    ['capital W and M', 'WWWW MMMM WWWW MMMM WWWWWWWW'],
    ['one long word', 'W'.repeat(120)],
    ['Arabic after Latin', 'Café موسيقى عربية جميلة جدا من كل مكان في العالم'],
  ])('fits into its room, in the letters that draw it: %s', (_, text) => {
    for (const room of [120, 300, 500, 700, 901.5]) {
      const { lines, size } = linesOf(text, 44.64, room, measured);
      for (const line of lines) expect(measured(line) * size).toBeLessThanOrEqual(room);
      expect(lines.length).toBeLessThanOrEqual(2);
    }
  });

  test('is written in the fonts that it is measured with', () => {
    const input = parsed({ title: 'Best of മലയാളം' });
    const { text } = layoutOf(input, letters);
    const script = text ? titleScript(text, { width: 1280, height: 720 }, input, letters) : '';
    expect(script).toMatch(/\\fnInter\\fs[\d.]+\}Best of \{\\fnNoto Sans Malayalam\\fs[\d.]+\}മലയാളം/);
  });

  test('is broken between words and ideographs, and cut short after the second line', () => {
    expect(linesOf('Night Drive', 40, 1000, measured)).toEqual({ lines: ['Night Drive'], size: 40 });
    const long = linesOf(
      'A title that goes on for longer than it should and does not come to an end',
      40,
      500,
      measured,
    );
    expect(long.lines).toHaveLength(2);
    expect(long.lines[1]).toMatch(/…$/);
    const japanese = linesOf('夜のドライブと深夜の高速道路と海沿いの町', 40, 400, measured);
    expect(japanese.lines.join('')).toBe('夜のドライブと深夜の高速道路と海沿いの町');
  });

  test('is as wide and broken as well if its letters come in parts', () => {
    for (const text of [
      '한국어로 된 긴 노래 제목이 여기에 있습니다',
      'ドライブとガレージとブルーバードの歌',
      'Café à la crème brûlée',
    ])
      for (const room of [200, 400, 1000])
        expect(linesOf(text.normalize('NFD'), 40, room, measured)).toEqual(linesOf(text, 40, room, measured));
    for (let room = 40; room < 400; room += 7) {
      const { lines } = linesOf('👨‍👩‍👧‍👦🇩🇪👨‍👩‍👧‍👦🇩🇪👨‍👩‍👧‍👦🇩🇪👨‍👩‍👧‍👦🇩🇪', 40, room, measured);
      for (const line of lines) expect(line.replaceAll(/👨‍👩‍👧‍👦|🇩🇪|…/gu, '')).toBe('');
    }
  });

  test('is text whatever stands in it', () => {
    const input = parsed({ title: '{\\pos(0,0)}a\\Nb\u2028c' });
    const layout = layoutOf(input, letters);
    if (!layout.text) throw new Error('a title without text');
    const script = titleScript(layout.text, { width: 1280, height: 720 }, input, letters);
    const events = script.split('\n').filter((line) => line.startsWith('Dialogue:'));
    expect(events).toHaveLength(1);
    expect(events[0]).toContain('}\\{\\\u2060pos(0,0)\\}a\\\u2060Nb c');
  });
});
