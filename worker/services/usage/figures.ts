import { type Figures, figures } from '../../../schema/api/usage.ts';

interface Shown {
  /** In a heading or an option. */
  title: string;
  /** A value as a person reads it. */
  text(value: number): string;
}

const count = (value: number) => value.toLocaleString('en');

function duration(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const minutes = seconds / 60;
  return minutes < 60 ? `${Number(minutes.toFixed(1))} min` : `${Number((minutes / 60).toFixed(1))} h`;
}

function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${Number((bytes / 1000 ** power).toFixed(1))} ${units[power]}`;
}

export type FigureName = keyof Figures;

/** How the figures of usage are shown to people. */
export const shownFigures: Record<FigureName, Shown> = {
  completed: { title: 'Completed', text: count },
  failed: { title: 'Failed', text: count },
  source_seconds: { title: 'Source', text: duration },
  output_seconds: { title: 'Output', text: duration },
  processing_seconds: { title: 'Processing', text: duration },
  bytes_read: { title: 'Read', text: size },
  bytes_stored: { title: 'Stored', text: size },
};

export const figureNames = Object.keys(figures) as FigureName[];

export const isFigure = (text: string): text is FigureName => Object.hasOwn(shownFigures, text);
