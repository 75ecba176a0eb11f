import { describe, expect, test } from 'vitest';
import { parseCaptions } from '../../../../schema/media/captions.ts';

describe('captions are read', () => {
  test('as ASS with the names of speakers', () => {
    const ass = '[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,Ann,0,0,0,,Hi there';
    expect(parseCaptions(ass)).toEqual({
      kind: 'cues',
      cues: [{ start: 1, end: 2, text: 'Hi there', marks: [{ from: 0, to: 8, speaker: 'Ann' }] }],
    });
  });

  test.each([
    ['f\\{x\\} = 1', 'f{x} = 1'],
    ['\\{\\i1\\}one{\\i0} two', '{\\i1}one two'],
    ['{\\i1\\}one \\} two', 'one } two'],
    ['one\\\\{two\\}', 'one\\{two}'],
    ['{\\p1}m 0 0 l 9 9\\{\\p0}one', 'one'],
    ['one \\{two{ three', 'one {two{ three'],
  ])('as ASS with the braces that libass shows: %s', (written, text) => {
    const ass = `[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,${written}`;
    expect(parseCaptions(ass)).toEqual({ kind: 'cues', cues: [{ start: 1, end: 2, text }] });
  });

  test('as ASS, without tags and drawings, whatever the order of its fields', () => {
    const ass = [
      '[Script Info]',
      'ScriptType: v4.00+',
      '[Events]',
      'Format: Start, End, Style, Text',
      'Dialogue: 0:00:02.00,0:00:03.50,Default,{\\an8\\b1}Second, with a comma\\Nand a line',
      'Comment: 0:00:00.00,0:00:09.00,Default,Not shown',
      'Dialogue: 0:00:01.00,0:00:02.00,Default,{\\p1}m 0 0 l 9 9{\\p0}First',
      '[Fonts]',
      'Dialogue: 0:00:05.00,0:00:06.00,Default,Of another section',
    ].join('\n');
    expect(parseCaptions(ass)).toEqual({
      kind: 'cues',
      cues: [
        { start: 1, end: 2, text: 'First' },
        { start: 2, end: 3.5, text: 'Second, with a comma and a line' },
      ],
    });
  });
});
