import type { Chain, Filter, Render } from '../steps.ts';
import { isTimedByPackets } from './video-stream.ts';

/** A video stream whose container states decoding times but no presentation times. */
interface DecodingOrder {
  index: number;
  /** Packets that a decoder reads before it outputs the first frame. Each frame gets the time of the packet read last. */
  decodeDelay: number;
  /** Whether a muxer wrote decoding times in place of presentation times. */
  timedByDecoding?: boolean;
}

/**
 * Gives each frame the time of the packet read `decodeDelay` packets earlier. A decoder outputs one frame per packet in
 * presentation order, so that is its presentation time. Gaps between packets are kept.
 *
 * Where decoding times stand in for presentation times, ffmpeg has none for the last frames; they follow at its frame rate.
 */
export function presentationFilters({
  decodeDelay,
  timedByDecoding,
}: Omit<DecodingOrder, 'index'>): Filter[] {
  if (timedByDecoding) {
    const next = 'PREV_OUTPTS+1/(FRAME_RATE*TB)';
    return [{ name: 'setpts', options: { expr: `if(lte(PTS,PREV_OUTPTS),${next},PTS)` } }];
  }
  const expr = 'if(isnan(PREV_INPTS),PTS-1/(FRAME_RATE*TB),PREV_INPTS)';
  return Array.from({ length: decodeDelay }, () => ({ name: 'setpts', options: { expr } }));
}

/** Adds presentation times to all video inputs that lack them. @param videos By source. */
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
  if (video?.index !== Number(stream) || isTimedByPackets(video)) return [];
  // A tick of such a container is a whole frame; cutting between two frames needs finer ones.
  return [...presentationFilters(video), { name: 'settb', options: { expr: 'intb/1024' } }];
}
