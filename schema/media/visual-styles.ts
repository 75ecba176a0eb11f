/** Visualizer styles with their default position, in display order. */
export const visualStyles = {
  bars: { title: 'Rounded frequency bars, low to high, with falling peaks', shape: 'flat', place: 'bottom' },
  wave: { title: 'Scrolling waveform with the current moment in the middle', shape: 'flat', place: 'center' },
  spectrum: { title: 'Spectrum as a glowing curve', shape: 'flat', place: 'bottom' },
  ring: { title: 'Bars around a circle, with room for a cover', shape: 'round', place: 'center' },
  line: { title: 'Single oscilloscope line', shape: 'flat', place: 'center' },
  mirror: {
    title: 'Bars mirrored vertically, low frequencies in the middle',
    shape: 'flat',
    place: 'center',
  },
  cqt: {
    title: 'Musical notes (constant-Q transform) as bars above a scrolling history',
    shape: 'flat',
    place: 'bottom',
  },
  vectorscope: { title: 'Left against right channel, with an afterglow', shape: 'round', place: 'center' },
  dots: { title: 'Matrix of dots that light up from the bottom', shape: 'flat', place: 'bottom' },
} as const satisfies Record<string, VisualStyle>;

interface VisualStyle {
  title: string;
  /** `flat` fills the width; `round` is as wide as it is high. */
  shape: 'flat' | 'round';
  place: 'center' | 'bottom';
}

export type VisualStyleName = keyof typeof visualStyles;

export const visualStyleNames = Object.keys(visualStyles) as [VisualStyleName, ...VisualStyleName[]];
