import { AV_BUFFERSRC_FLAG_KEEP_REF, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { type FilterContext, FilterGraph, Frame } from 'node-av/lib';
import { checked } from './av.ts';

/** Frames that flow into a graph. */
export interface Feed {
  /** As the chains call it, such as `0:1`. */
  readonly label: string;
  /** The filter that they come out of, and those right behind it; known once the first frame is. */
  readonly source: { name: 'buffer' | 'abuffer'; options: string; behind: readonly string[] };
  /** The next frame; null at the end. */
  readonly frame: Frame | null;
  /** The second of the result that it is for. */
  readonly clock: number;
  /** Goes on to the next frame and forgets the last. */
  advance(): Promise<void>;
}

/** Where frames leave a graph. */
export interface Outlet {
  /** Label of the chains. */
  from: string;
  name: 'buffersink' | 'abuffersink';
  /** Filters right before it. */
  before: readonly string[];
  /** The frame is emptied afterwards. */
  take(frame: Frame): Promise<void>;
}

/**
 * Lets frames flow through chains of filters until every outlet has ended; of several feeds the one goes on that is the
 * furthest behind in the result, so that little waits within the graph. Throws where one changes its form.
 * @param chains As model/filter-text.ts spells them.
 */
export async function flow(
  feeds: readonly Feed[],
  chains: string,
  outlets: readonly Outlet[],
): Promise<void> {
  for (const feed of feeds) await feed.advance();
  const graph = new FilterGraph();
  const frame = new Frame();
  graph.alloc();
  frame.alloc();
  try {
    checked(graph.parse2(textOf(feeds, chains, outlets)), 'parse filters');
    checked(await graph.config(), 'configure filters');
    const named = (name: string): FilterContext => {
      const found = graph.getFilter(name);
      if (!found) throw new Error('a filter graph without ends');
      return found;
    };
    const flowing = feeds.map((feed, at) => ({ feed, into: named(`${feed.source.name}@from${at}`) }));
    const open = new Map(flowing.map(({ feed, into }) => [feed, into]));
    const ends = new Map(outlets.map((outlet, at) => [outlet, named(`${outlet.name}@to${at}`)]));
    for (;;) {
      for (const [outlet, end] of ends) if (await drained(end, frame, outlet)) ends.delete(outlet);
      if (ends.size === 0) return;
      const [next] = [...open].sort(([a], [b]) => a.clock - b.clock);
      if (!next && feeds.length > 0) throw new Error('filters wait for more than there is');
      if (next && !(await pushed(...next))) open.delete(next[0]);
    }
  } finally {
    graph.free();
    frame.free();
  }
}

function textOf(feeds: readonly Feed[], chains: string, outlets: readonly Outlet[]): string {
  const sources = feeds.map(({ label, source }, at) => {
    const { name, options, behind } = source;
    return `${[`${name}@from${at}=${options}`, ...behind].join(',')}[${label}]`;
  });
  const sinks = outlets.map(
    ({ from, name, before }, at) => `[${from}]${[...before, `${name}@to${at}`].join(',')}`,
  );
  return [...sources, chains, ...sinks].join(';');
}

/** @returns Whether more can follow. */
async function pushed(feed: Feed, into: FilterContext): Promise<boolean> {
  const result = into.buffersrcAddFrameSync(feed.frame, AV_BUFFERSRC_FLAG_KEEP_REF);
  if (result === AVERROR_EOF) return false;
  checked(result, 'filter');
  if (!feed.frame) return false;
  await feed.advance();
  return true;
}

/** @returns Whether it has ended. */
async function drained(end: FilterContext, frame: Frame, { take }: Outlet): Promise<boolean> {
  for (;;) {
    const result = end.buffersinkGetFrameSync(frame);
    if (result === AVERROR_EAGAIN) return false;
    if (result === AVERROR_EOF) return true;
    checked(result, 'filter');
    await take(frame);
    frame.unref();
  }
}
