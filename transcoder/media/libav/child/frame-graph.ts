import { AV_BUFFERSRC_FLAG_KEEP_REF } from 'node-av/constants';
import { type FilterContext, FilterGraph, Frame } from 'node-av/lib';
import { checked } from './av.ts';

interface Built {
  graph: FilterGraph;
  from: FilterContext;
  to: FilterContext;
}

/** Options of the `buffer` filter for frames like this one. @param unit Timebase, as a fraction of a second. */
export function pictureForm(frame: Frame, unit: string): string {
  const { num, den } = frame.sampleAspectRatio;
  return [
    ...[`video_size=${frame.width}x${frame.height}`, `pix_fmt=${frame.format}`, `time_base=${unit}`],
    ...[`pixel_aspect=${num > 0 ? `${num}/${den}` : '1/1'}`],
    ...[`colorspace=${frame.colorSpace}`, `range=${frame.colorRange}`],
  ].join(':');
}

/** A filter chain with one output frame per input frame; rebuilt when the frames change their format. */
export class FrameGraph {
  #chain: string;
  #unit: string;
  #form = '';
  #built: Built | null = null;
  #frame = new Frame();

  /** @param chain In ffmpeg's syntax, see model/filter-text.ts. @param unit Timebase, for chains that depend on times. */
  constructor(chain: string, unit = '1/1000') {
    this.#chain = chain;
    this.#unit = unit;
    this.#frame.alloc();
  }

  /** Filters a frame. The next call releases the result. */
  async filtered(frame: Frame): Promise<Frame> {
    const { from, to } = await this.#builtFor(frame);
    this.#frame.unref();
    checked(from.buffersrcAddFrameSync(frame, AV_BUFFERSRC_FLAG_KEEP_REF), 'filter');
    checked(to.buffersinkGetFrameSync(this.#frame), 'filter');
    return this.#frame;
  }

  close(): void {
    this.#built?.graph.free();
    this.#built = null;
    this.#frame.free();
  }

  async #builtFor(frame: Frame): Promise<Built> {
    const form = pictureForm(frame, this.#unit);
    if (this.#built && form === this.#form) return this.#built;
    this.#built?.graph.free();
    this.#built = null;
    const graph = new FilterGraph();
    graph.alloc();
    checked(graph.parse2(`buffer@from=${form},${this.#chain},buffersink@to`), 'parse filters');
    checked(await graph.config(), 'configure filters');
    const [from, to] = [graph.getFilter('buffer@from'), graph.getFilter('buffersink@to')];
    if (!from || !to) throw new Error('the filter graph lacks a buffer or a sink');
    this.#form = form;
    this.#built = { graph, from, to };
    return this.#built;
  }
}
