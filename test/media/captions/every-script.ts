import { expect } from 'vitest';
import { drawnOver, expectInside, showsSomething } from './drawn.ts';

export const texts = {
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
/** Each text for a second. */
export const said = Object.values(texts).map((text, index) => ({ start: index, end: index + 1, text }));

export const shapes = [
  [640, 360],
  [360, 640],
  [480, 480],
] as const;
const RATE = 4;

/** Fails if a frame of a document with all texts shows something at these pixels, or if a text is hardly seen. */
export function expectAllInside(
  document: string,
  width: number,
  height: number,
  outer: readonly number[],
  fontsIn: string | null = null,
): void {
  const picture = { width, height, rate: RATE, color: '0x808080' };
  const frames = drawnOver(document, picture, said.length, 'gray', fontsIn);
  const size = width * height;
  for (const [index, name] of Object.keys(texts).entries()) {
    let shown = 0;
    for (let at = RATE * index; at < RATE * (index + 1); at++) {
      const frame = frames.subarray(at * size, (at + 1) * size);
      if (showsSomething(frame)) shown += 1;
      expectInside(frame, outer, width, `${name} in frame ${at}`);
    }
    expect(shown, `frames that show ${name}`).toBeGreaterThanOrEqual(RATE / 2);
  }
}
