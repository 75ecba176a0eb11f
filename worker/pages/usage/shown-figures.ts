import type { FigureName } from '../../services/usage/usage-tables.ts';
import { bytesText, durationText } from '../words.ts';

interface Shown {
  /** In a heading or an option. */
  title: string;
  /** A value as a person reads it. */
  text(value: number): string;
}

const count = (value: number) => value.toLocaleString('en');

/** How the figures of usage are shown. */
export const shownFigures: Record<FigureName, Shown> = {
  completed: { title: 'Completed', text: count },
  failed: { title: 'Failed', text: count },
  source_seconds: { title: 'Source', text: durationText },
  output_seconds: { title: 'Output', text: durationText },
  processing_seconds: { title: 'Processing', text: durationText },
  bytes_read: { title: 'Read', text: bytesText },
  bytes_stored: { title: 'Stored', text: bytesText },
};

export const isFigure = (text: string): text is FigureName => Object.hasOwn(shownFigures, text);
