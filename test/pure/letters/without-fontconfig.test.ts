import { expect, test } from 'vitest';
import { packagedFonts } from '../../../schema/media/caption-presets.ts';
import { installedFonts } from '../../../transcoder/letters/installed-fonts.ts';
import { loadLetters } from '../../../transcoder/letters/load-letters.ts';

test('where fontconfig is missing, captions are set in the fonts that come with the transcoder', async () => {
  const programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };
  const { letters } = await loadLetters(
    programs,
    installedFonts(programs, () => false),
  );
  for (const font of packagedFonts) {
    const line = letters.lineOf('Hello', { font, bold: true, spacing: 0, language: null });
    expect(line.width).toBeGreaterThan(0);
    expect(line.missing).toEqual([]);
  }
});
