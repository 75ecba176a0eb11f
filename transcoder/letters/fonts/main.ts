import { readFileSync, writeFileSync } from 'node:fs';
import { Faces } from '../faces.ts';
import { capitals, setLine } from '../set-line.ts';
import { FontFault } from './font-fault.ts';
import { type Answer, type Order, order } from './protocol.ts';
import { readFont } from './read-font.ts';
import { unpackedFont } from './unpack-font.ts';
import { writeFont } from './write-font.ts';

/** A confined process that opens one font of a caller, writes the font that is drawn, and sets texts with it. */

let opened: { faces: Faces; family: string } | null = null;

const answer = (value: Answer) => process.send?.(value);

process.on('disconnect', () => process.exit(0));
process.on('message', async (message) => {
  try {
    answer(await done(order.parse(message)));
  } catch (error) {
    const why = error instanceof FontFault ? error.message : '';
    answer({ refused: error instanceof FontFault ? 'unusable' : 'failed', why });
  }
});

async function done(asked: Order): Promise<Answer> {
  if ('open' in asked) return open(asked);
  if (!opened) throw new Error('no font is open');
  const { faces, family } = opened;
  return {
    lines: asked.set.map(([text, bold, spacing, language, parts]) =>
      // The name is that of the font that was opened.
      setLine(faces, text, { font: family as 'Caption Font', bold, spacing, language }, parts),
    ),
  };
}

async function open({ open: path, to, family, fonts }: Extract<Order, { open: string }>): Promise<Answer> {
  const font = readFont(await unpackedFont(readFileSync(path)));
  writeFileSync(to, writeFont(font, family));
  const file = { path: to, index: 0, bold: true, italic: false, overhangs: true };
  const faces = new Faces(new Map([...fonts, [family, [file]]]));
  const face = faces.of(family, true);
  if (!face || !Number.isFinite(face.em) || face.em <= 0.01 || face.em > 100)
    throw new FontFault('The font states no usable height of its lines. Export it again as TTF or OTF.');
  opened = { faces, family };
  // The name is that of the font that was opened.
  const own = capitals(faces, { font: family as 'Caption Font', bold: true });
  return { opened: { em: face.em, capitals: Math.min(100, own), variable: font.variable } };
}
