/** Every style of the visualizer with the place it takes unless another is asked for, in the order in which they are listed. */
export const visualStyles = {
  bars: { title: 'Rounded bars from low to high notes, with falling peaks', shape: 'flat', place: 'bottom' },
  wave: { title: 'The waveform passing by, now in the middle', shape: 'flat', place: 'center' },
  spectrum: { title: 'The spectrum as a glowing curve', shape: 'flat', place: 'bottom' },
  ring: { title: 'Bars around a circle, in which a cover fits', shape: 'round', place: 'center' },
  line: { title: 'One line that swings as an oscilloscope shows it', shape: 'flat', place: 'center' },
  mirror: { title: 'Bars mirrored up and down, low notes in the middle', shape: 'flat', place: 'center' },
  cqt: { title: 'Musical notes as bars, above their trace over time', shape: 'flat', place: 'bottom' },
  vectorscope: { title: 'Left against right, with an afterglow', shape: 'round', place: 'center' },
  dots: { title: 'A matrix of dots that light up from below', shape: 'flat', place: 'bottom' },
} as const satisfies Record<string, VisualStyle>;

interface VisualStyle {
  title: string;
  /** What its size is measured by: `flat` fills the width, `round` is as wide as it is high. */
  shape: 'flat' | 'round';
  place: 'center' | 'bottom';
}

export type VisualStyleName = keyof typeof visualStyles;

export const visualStyleNames = Object.keys(visualStyles) as [VisualStyleName, ...VisualStyleName[]];
