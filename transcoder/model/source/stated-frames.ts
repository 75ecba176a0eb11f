import { decimal } from '../numbers/decimal.ts';
import type { Chain, Filter, Render } from '../steps.ts';
import { presentationFilters } from './presentation.ts';
import { isStoredUpright, type VideoStream } from './video-stream.ts';

type Sized = Pick<VideoStream, 'width' | 'height' | 'sar' | 'interlaced'>;

type Stated = Sized &
  Pick<VideoStream, 'index' | 'rotation' | 'mirrored'> &
  Pick<VideoStream, 'decodeDelay' | 'timedByDecoding' | 'startTime' | 'withinGroup'>;

/**
 * Makes the frames of all video inputs what their streams state, before anything else is done with them: of one size, and with
 * presentation times. @param videos By source.
 */
export function withStatedFrames(step: Render, videos: readonly (Stated | null)[]): Render {
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

function filtersOf(label: string, { inputs }: Render, videos: readonly (Stated | null)[]): Filter[] {
  const [input = '', stream = ''] = label.split(':');
  const read = inputs[Number(input)];
  if (stream === '' || !read || !('source' in read)) return [];
  const video = videos[read.source];
  if (video?.index !== Number(stream)) return [];
  const sized = isSizedFirst(video, read) ? sizeFilters(video) : [];
  return [...sized, ...presentationFilters(video, read.seek !== null)];
}

/** Whether frames reach the first filter as they are coded. ffmpeg itself turns others, and then cannot follow a change of their size. */
export const isSizedFirst = (
  video: Pick<VideoStream, 'rotation' | 'mirrored'>,
  { coded = false }: { coded?: boolean },
): boolean => coded || isStoredUpright(video);

/**
 * Scales frames of another size than the stated one, as in recordings of calls. Of all filters, `scale` alone takes frames of several
 * sizes, and it passes on the ones that have the right size.
 */
export function sizeFilters({ width, height, sar, interlaced }: Sized): Filter[] {
  return [
    { name: 'scale', options: { w: width, h: height, ...(interlaced ? { interl: 1 } : {}) } },
    { name: 'setsar', options: { sar: decimal(sar) } },
  ];
}
