import { describe, expect, test } from 'vitest';
import {
  type CaptionPreset,
  captionPresetNames,
  PUNCH_SIZE,
  PUNCH_WORDS,
  punchPresets,
} from '../../../schema/media/caption-presets.ts';
import { parseSubtitles } from '../../../schema/media/subtitles.ts';
import { drawnOver, expectInside, isDrawn, marginsOf, outsideMiddle, textsOf } from './drawn.ts';

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
const said = Object.values(texts).map((text, index) => ({ start: index, end: index + 1, text }));

/** The document that captions are drawn from. */
const documentOf = (preset: CaptionPreset, width: number, height: number, captions = said) =>
  textsOf({ captions, preset, outputs: [] }, { width, height, duration: said.length })[0] ?? '';

const shapes = [
  [640, 360],
  [360, 640],
  [480, 480],
] as const;
const RATE = 4;

/** Fails if a frame of a document with all texts shows something at these pixels, or if a text is hardly seen. */
function expectAllInside(document: string, width: number, height: number, outer: readonly number[]): void {
  const picture = { width, height, rate: RATE, color: '0x808080' };
  const frames = drawnOver(document, picture, said.length, 'gray');
  const size = width * height;
  for (const [index, name] of Object.keys(texts).entries()) {
    let shown = 0;
    for (let at = RATE * index; at < RATE * (index + 1); at++) {
      const frame = frames.subarray(at * size, (at + 1) * size);
      if (frame.some((_, pixel) => isDrawn(frame, pixel))) shown += 1;
      expectInside(frame, outer, width, `${name} in frame ${at}`);
    }
    expect(shown, `frames that show ${name}`).toBeGreaterThanOrEqual(RATE / 2);
  }
}

describe.each(shapes)('in a picture of %i × %i', (width, height) => {
  const margins = marginsOf(width, height);
  test.each(captionPresetNames)('%s draws every script inside the margins', (preset) => {
    const punch = height > width && punchPresets.includes(preset);
    const outer = punch ? [...margins, ...outsideMiddle(width, height)] : margins;
    expectAllInside(documentOf(preset, width, height), width, height, outer);
  });
});

test.each([
  ['word_pop', 640, 360],
  ['bold_box', 480, 480],
] as const)('punch captions of %s at %i × %i are in the middle third', (preset, width, height) => {
  const request = { captions: said, preset, layout: 'punch', outputs: [] };
  const [document = ''] = textsOf(request, { width, height, duration: said.length });
  const outer = [...marginsOf(width, height), ...outsideMiddle(width, height)];
  expectAllInside(document, width, height, outer);
});

describe.each(captionPresetNames)('punch captions of %s', (preset) => {
  const request = { captions: said, preset, layout: 'punch', outputs: ['srt'] };
  test.each(shapes)('show every word once, 1 to 4 at a time and large, at %i × %i', (width, height) => {
    const [document = '', srt = ''] = textsOf(request, { width, height, duration: said.length });
    const font = /^Style: Caption,([^,]*)/m.exec(document)?.[1] ?? '';
    const sizes = [...document.matchAll(new RegExp(`\\\\fn${font}\\\\fs([\\d.]+)`, 'g'))].map(
      ([, size]) => (100 * Number(size)) / Math.min(width, height),
    );
    expect(sizes.length).toBeGreaterThan(20);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(PUNCH_SIZE.least - 0.01);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(PUNCH_SIZE.most + 0.01);
    const shown = parseSubtitles(srt) ?? [];
    expect(Math.max(...shown.map(({ text }) => text.split(' ').length))).toBeLessThanOrEqual(PUNCH_WORDS);
    const letters = (list: readonly { text: string }[]) =>
      list.map(({ text }) => text.replace(/\s/g, '')).join('');
    expect(letters(shown)).toBe(letters(said));
    for (const [index, { start }] of shown.slice(1).entries())
      expect(start).toBeGreaterThanOrEqual((shown[index]?.end ?? 0) - 0.001);
  });
});
