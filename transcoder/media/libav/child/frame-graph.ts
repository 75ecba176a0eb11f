import { AV_BUFFERSRC_FLAG_KEEP_REF } from 'node-av/constants';
import { type FilterContext, FilterGraph, Frame } from 'node-av/lib';
import { checked } from './av.ts';

interface Built {
  graph: FilterGraph;
  from: FilterContext;
  to: FilterContext;
}

/** The options of the `buffer` that frames like this one go into. @param unit Of their times, as a fraction of a second. */
export function pictureForm(frame: Frame, unit: string): string {
  const { num, den } = frame.sampleAspectRatio;
  return [
    ...[`video_size=${frame.width}x${frame.height}`, `pix_fmt=${frame.format}`, `time_base=${unit}`],
    ...[`pixel_aspect=${num > 0 ? `${num}/${den}` : '1/1'}`],
    ...[`colorspace=${frame.colorSpace}`, `range=${frame.colorRange}`],
  ].join(':');
}

/** A chain of filters that gives one frame for each frame; built anew where the frames change their form. */
export class FrameGraph {
  #chain: string;
  #unit: string;
  #form = '';
  #built: Built | null = null;
  #frame = new Frame();

  /** @param chain As model/filter-text.ts spells it. @param unit Of the times of frames, where they matter to it. */
  constructor(chain: string, unit = '1/1000') {
    this.#chain = chain;
    this.#unit = unit;
    this.#frame.alloc();
  }

  /** What comes of a frame; the next call empties it. */
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
    if (!from || !to) throw new Error('a filter graph without ends');
    this.#form = form;
    this.#built = { graph, from, to };
    return this.#built;
  }
}
