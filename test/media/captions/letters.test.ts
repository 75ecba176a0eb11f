import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type CaptionPreset, captionPresetNames } from '../../../schema/media/caption-presets.ts';
import { srtText } from '../../../schema/media/subtitles.ts';
import { operations } from '../../../schema/operations/index.ts';
import { loadLetters } from '../../../transcoder/letters/load-letters.ts';
import type { MovingProbe } from '../../../transcoder/model/media-probe.ts';
import { planners } from '../../../transcoder/operations/index.ts';
import { programs } from '../../fixtures/make.ts';
import { means, source } from '../../pure/operations/sources.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-letters-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const letters = await loadLetters(programs);

const texts = {
  latin: 'The quick brown fox jumps over the lazy dog, and runs away.',
  'one long word': 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhersteller',
  vietnamese: 'Xin chào, hôm nay chúng ta sẽ đi dạo trong thành phố',
  cyrillic: 'Съешь же ещё этих мягких французских булок',
  greek: 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία',
  devanagari: 'नमस्ते, आज हम शहर में घूमेंगे और नई चीज़ें देखेंगे',
  tamil: 'வணக்கம், இன்று நாம் நகரத்தில் சுற்றுவோம்',
  bengali: 'নমস্কার, আজ আমরা শহরে ঘুরব',
  telugu: 'నమస్కారం, ఈరోజు మనం నగరంలో తిరుగుదాం',
  kannada: 'ನಮಸ್ಕಾರ, ಇಂದು ನಾವು ನಗರದಲ್ಲಿ ಸುತ್ತೋಣ',
  malayalam: 'നമസ്കാരം, ഇന്ന് നമുക്ക് നഗരത്തിൽ ചുറ്റാം',
  gujarati: 'નમસ્તે, આજે આપણે શહેરમાં ફરીશું',
  gurmukhi: 'ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਅੱਜ ਅਸੀਂ ਸ਼ਹਿਰ ਘੁੰਮਾਂਗੇ',
  sinhala: 'ආයුබෝවන්, අද අපි නගරයේ ඇවිදිමු',
  thai: 'สวัสดีครับ วันนี้เราจะเที่ยวในเมืองกัน',
  lao: 'ສະບາຍດີ ມື້ນີ້ພວກເຮົາຈະໄປທ່ຽວ',
  khmer: 'សួស្តី ថ្ងៃនេះយើងនឹងដើរលេងក្នុងទីក្រុង',
  burmese: 'မင်္ဂလာပါ ဒီနေ့ မြို့ထဲ လျှောက်သွားမယ်',
  arabic: 'مرحبا بكم في هذا الفيديو القصير عن المدينة',
  hebrew: 'שלום לכם, היום נטייל בעיר הגדולה',
  chinese: '欢迎来到这个关于城市的短视频，今天我们一起散步',
  japanese: 'こんにちは、今日は街を歩いてみましょう。スーパーカリフラジリスティック',
  korean: '안녕하세요 오늘은 도시를 걸어 보겠습니다',
  georgian: 'გამარჯობა, დღეს ქალაქში გავისეირნებთ',
  armenian: 'Բարեւ, այսօր քաղաքում կզբոսնենք',
  ethiopic: 'ሰላም ዛሬ በከተማ እንዞራለን',
  emoji: 'Party 🎉 time 👨‍👩‍👧 with 🇩🇪🇫🇷 and 👍🏽 ❤️ 1️⃣ ok',
  'two directions': 'Watch השיר החדש 🎶 on YouTube now (2026)',
  'latin in arabic': 'مرحبا Spool 2.0 رائع 😀 جدا',
  'marks on marks': 'Ḧ̸͓́ë̶́l̵̈l̷̈ö̸́ t́́h̀̀ë̈r̂̂ê̂',
};
const said = Object.values(texts).map((text, index) => ({ start: index * 2, end: index * 2 + 2, text }));

/** The document that captions are drawn from. */
function documentOf(preset: CaptionPreset, width: number, height: number, cues = said): string {
  const input = operations.captions_auto.received.parse({
    ...{ video_url: 'https://media.example.com/a.mp4', captions: srtText(cues), preset, outputs: [] },
  });
  const size = { width, height, displayWidth: width, displayHeight: height };
  if (!source.video) throw new Error('a source without video');
  const probe: MovingProbe = {
    ...source,
    duration: cues.at(-1)?.end ?? 0,
    video: { ...source.video, ...size },
  };
  const facts = { letters, survey: null };
  const { steps, warnings } = planners.captions_auto.plan({ ...means, input, probes: [probe], facts });
  expect(warnings).toEqual([]);
  const step = steps.find((one) => one.kind === 'text');
  if (step?.kind !== 'text') throw new Error('nothing is drawn');
  return step.text;
}

/**
 * Draws a document over what a graph makes; its frames, one after another.
 * @param before Filters that end in a comma.
 */
function drawn(
  document: string,
  { width, height }: { width: number; height: number },
  background: string,
  pixels: 'rgb24' | 'gray',
  before = '',
): Buffer {
  const file = join(directory, 'drawn.ass');
  writeFileSync(file, document);
  const filters = `${before}ass=filename=${file}:original_size=${width}x${height},format=${pixels}`;
  const source = ['-v', 'error', '-f', 'lavfi', '-i', background];
  const raw = ['-fps_mode', 'passthrough', '-f', 'rawvideo', '-'];
  return execFileSync(programs.ffmpeg, [...source, '-vf', filters, ...raw], { maxBuffer: 2 ** 30 });
}

const shapes = [
  [640, 360],
  [360, 640],
  [480, 480],
] as const;
/** Levels; the fringe of a blur is fainter. */
const VISIBLE = 24;
const GREY = 128;
const RATE = 3;
const isVisible = (level: number) => Math.abs(level - GREY) > VISIBLE;

/** Pixels outside the margins, from the edge; of gray frames, the offsets in a frame. */
function marginsOf(width: number, height: number): number[] {
  const inside = {
    ...{ left: Math.round(0.05 * width), right: width - Math.round(0.05 * width) },
    ...{ top: Math.round(0.05 * height), bottom: height - Math.round(0.06 * height) },
  };
  return Array.from({ length: width * height }, (_, pixel) => pixel).filter((pixel) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    return x < inside.left || x >= inside.right || y < inside.top || y >= inside.bottom;
  });
}

describe.each(shapes)('in a picture of %i × %i', (width, height) => {
  const margins = marginsOf(width, height);
  test.each(captionPresetNames)('%s draws every script inside the margins', (preset) => {
    const grey = `color=c=0x808080:s=${width}x${height}:r=${RATE}:d=${2 * said.length}`;
    const frames = drawn(documentOf(preset, width, height), { width, height }, grey, 'gray');
    const size = width * height;
    for (const [index, name] of Object.keys(texts).entries()) {
      let shown = 0;
      for (let at = 2 * RATE * index; at < 2 * RATE * (index + 1); at++) {
        const frame = frames.subarray(at * size, (at + 1) * size);
        // Most captions are at the bottom.
        if (frame.findLastIndex(isVisible) >= 0) shown += 1;
        const outside = margins
          .filter((pixel) => isVisible(frame[pixel] ?? GREY))
          .map((pixel) => [pixel % width, Math.floor(pixel / width)]);
        expect(outside.slice(0, 5), `${name} in frame ${at}`).toEqual([]);
      }
      expect(shown, `frames that show ${name}`).toBeGreaterThan(RATE);
    }
  });
});

/** The light of each level of sRGB, by WCAG 2. https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
const light = Float64Array.from({ length: 256 }, (_, level) => {
  const share = level / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/** Mean relative luminance of some pixels of a frame. */
function luminanceOf(frame: Buffer, pixels: readonly number[]): number {
  const lightAt = (offset: number) => light[frame[offset] ?? 0] ?? 0;
  const sum = pixels.reduce(
    (all, pixel) =>
      all + 0.2126 * lightAt(3 * pixel) + 0.7152 * lightAt(3 * pixel + 1) + 0.0722 * lightAt(3 * pixel + 2),
    0,
  );
  return sum / pixels.length;
}

const contrast = (one: number, other: number) =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

const backgrounds = {
  ...{ black: '0x000000', white: '0xffffff', grey: '0x808080', bright: '0xd8d8d0', red: '0xd02020' },
  ...{ green: '0x30c040', blue: '0x2040d0', yellow: '0xf0e040', cyan: '0x40e0f0', skin: '0xe0b090' },
};

/** Pixels between a letter and what is compared with it: half the outline of the thinnest preset. */
const AWAY = 2;

/**
 * The pixels of letters and those that they are compared with, which are `AWAY` pixels from one.
 * @param letter Whether a pixel is the inside of a letter.
 */
function lettersAndSurroundings(letter: (pixel: number) => boolean, width: number, height: number) {
  const [inside, around]: [number[], number[]] = [[], []];
  for (let y = AWAY; y < height - AWAY; y++) {
    for (let x = AWAY; x < width - AWAY; x++) {
      const pixel = y * width + x;
      if (letter(pixel)) {
        inside.push(pixel);
        continue;
      }
      const near = (reach: number) =>
        letter(pixel + reach) ||
        letter(pixel - reach) ||
        letter(pixel + reach * width) ||
        letter(pixel - reach * width);
      if (near(AWAY) && !near(1)) around.push(pixel);
    }
  }
  if (inside.length === 0 || around.length === 0) throw new Error('there are no letters');
  return { inside, around };
}

/** One frame of each color: ffmpeg is started once for all of them. */
function framesOf(colors: readonly string[], width: number, height: number): string {
  const each = colors.map((color, index) => `color=c=${color}:s=${width}x${height}:r=1:d=1[c${index}]`);
  const labels = colors.map((_, index) => `[c${index}]`).join('');
  return `${each.join(';')};${labels}concat=n=${colors.length}`;
}

test.each(captionPresetNames)('%s can be read over ten colors', (preset) => {
  const [width, height] = [1280, 720];
  const cues = [{ start: 0, end: 2, text: 'Hamburg' }];
  const document = documentOf(preset, width, height, cues);
  // Letters alone: without outline, shadow, box and mark.
  const bare = document
    .split('\n')
    .filter((line) => !line.includes('\\p1'))
    .join('\n')
    .replace(/^(Style: Caption(?:,[^,]*){15}),[^,]*,[^,]*,/m, '$1,0,0,')
    .replace(/\\blur[\d.]+|\\3a&H..&\\bord[\d.]+\\blur[\d.]+\\shad0/g, '')
    .replace(/\\1a&HFF&/g, '')
    .replace(/\\[1-4]?c&H[0-9A-F]{6}&/g, '')
    .replace(/^(Style: Caption,[^,]*,[^,]*),[^,]*,[^,]*,/m, '$1,&H00FFFFFF,&H00FFFFFF,');
  // The highlight of a spoken word comes later or ends before.
  const over = (text: string, colors: readonly string[]) =>
    drawn(text, { width, height }, framesOf(colors, width, height), 'rgb24', 'settb=1,setpts=1,');
  const mask = over(bare, ['0x000000']);
  const isLetter = (pixel: number) => (mask[3 * pixel] ?? 0) > 200;
  const { inside, around } = lettersAndSurroundings(isLetter, width, height);
  const frames = over(document, Object.values(backgrounds));
  const size = 3 * width * height;
  expect(frames.length).toBe(size * Object.keys(backgrounds).length);
  for (const [index, name] of Object.keys(backgrounds).entries()) {
    const frame = frames.subarray(index * size, (index + 1) * size);
    const found = contrast(luminanceOf(frame, inside), luminanceOf(frame, around));
    expect(found, `contrast over ${name}`).toBeGreaterThanOrEqual(4.5);
  }
});
