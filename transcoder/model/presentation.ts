import type { Chain, Filter, Render } from './steps.ts';

/** A picture whose container says when each packet is decoded, not when its frame is shown. */
export interface DecodingOrder {
  index: number;
  /** Packets that a decoder reads before it gives the first frame. Each frame comes with the time of the packet read last. */
  decodeDelay: number;
}

/**
 * Gives each frame the time of the packet that was read so many packets earlier. Frames come out of a decoder in the order in
 * which they are shown, one for each packet, so that is when it is shown. Holes between packets stay where they are.
 */
export function presentationFilters({ decodeDelay }: Pick<DecodingOrder, 'decodeDelay'>): Filter[] {
  const expr = 'if(isnan(PREV_INPTS),PTS-1/(FRAME_RATE*TB),PREV_INPTS)';
  return Array.from({ length: decodeDelay }, () => ({ name: 'setpts', options: { expr } }));
}

/** The same step with presentation times for all pictures that come without. @param videos By source. */
export function withPresentationTimes(step: Render, videos: readonly (DecodingOrder | null)[]): Render {
  const shown: Chain[] = [];
  const chains = step.chains.map((chain) => ({
    ...chain,
    from: chain.from.map((label) => {
      const filters = filtersOf(label, step, videos);
      if (filters.length === 0) return label;
      const made = `shown${shown.length}`;
      shown.push({ from: [label], filters, to: [made] });
      return made;
    }),
  }));
  return shown.length === 0 ? step : { ...step, chains: [...shown, ...chains] };
}

function filtersOf(label: string, { inputs }: Render, videos: readonly (DecodingOrder | null)[]): Filter[] {
  const [input = '', stream = ''] = label.split(':');
  const read = inputs[Number(input)];
  if (stream === '' || !read || !('source' in read)) return [];
  const video = videos[read.source];
  if (video?.index !== Number(stream) || video.decodeDelay === 0) return [];
  // A tick of such a container is a frame; an edge between two frames needs finer ones.
  return [...presentationFilters(video), { name: 'settb', options: { expr: 'intb/1024' } }];
}
