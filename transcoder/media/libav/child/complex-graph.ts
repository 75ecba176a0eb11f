import { AV_BUFFERSRC_FLAG_KEEP_REF, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { type FilterContext, FilterGraph, Frame } from 'node-av/lib';
import { checked } from './av.ts';

/** A source of frames for a filter graph. */
export interface Feed {
  /** Its label in the chains, such as `0:1`. */
  readonly label: string;
  /** The buffer filter and the filters right after it; known once there is a first frame. */
  readonly source: { name: 'buffer' | 'abuffer'; options: string; behind: readonly string[] };
  /** The next frame; null at the end. */
  readonly frame: Frame | null;
  /** Position of that frame in the result, in seconds. */
  readonly clock: number;
  /** Moves on to the next frame and releases the current one. */
  advance(): Promise<void>;
}

/** A sink of a filter graph. */
export interface Outlet {
  /** Its label in the chains. */
  from: string;
  name: 'buffersink' | 'abuffersink';
  /** Filters right before it. */
  before: readonly string[];
  /** The frame is unreferenced afterwards. */
  take(frame: Frame): Promise<void>;
}

/**
 * Runs frames through filter chains until every outlet has ended. Always advances the feed that is furthest behind, which keeps
 * few frames waiting inside the graph. Throws if a feed changes its format.
 * @param chains In ffmpeg's syntax, see model/filter-text.ts.
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
      if (!found) throw new Error('the filter graph lacks a buffer or a sink');
      return found;
    };
    const flowing = feeds.map((feed, at) => ({ feed, into: named(`${feed.source.name}@from${at}`) }));
    const open = new Map(flowing.map(({ feed, into }) => [feed, into]));
    const ends = new Map(outlets.map((outlet, at) => [outlet, named(`${outlet.name}@to${at}`)]));
    for (;;) {
      for (const [outlet, end] of ends) if (await drained(end, frame, outlet)) ends.delete(outlet);
      if (ends.size === 0) return;
      const [next] = [...open].sort(([a], [b]) => a.clock - b.clock);
      if (!next && feeds.length > 0) throw new Error('the filters need more frames than there are');
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

/** @returns whether more frames can follow. */
async function pushed(feed: Feed, into: FilterContext): Promise<boolean> {
  const result = into.buffersrcAddFrameSync(feed.frame, AV_BUFFERSRC_FLAG_KEEP_REF);
  if (result === AVERROR_EOF) return false;
  checked(result, 'filter');
  if (!feed.frame) return false;
  await feed.advance();
  return true;
}

/** @returns whether the sink has ended. */
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
