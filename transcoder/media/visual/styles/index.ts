import type { VisualStyleName } from '../../../../schema/media/visual-styles.ts';
import type { MakeStyle } from '../stage.ts';
import { bars } from './bars.ts';
import { cqt } from './cqt.ts';
import { dots } from './dots.ts';
import { line } from './line.ts';
import { mirror } from './mirror.ts';
import { ring } from './ring.ts';
import { spectrum } from './spectrum.ts';
import { vectorscope } from './vectorscope.ts';
import { wave } from './wave.ts';

/** Typed over the schema's style names: a missing style does not compile. */
export const styles = {
  bars,
  wave,
  spectrum,
  ring,
  line,
  mirror,
  cqt,
  vectorscope,
  dots,
} satisfies Record<VisualStyleName, MakeStyle>;
