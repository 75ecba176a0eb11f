import { demuxers } from '../../demuxers.ts';
import { completeSource, type MediaSource } from '../../media-source.ts';
import type { MediaContext } from '../context.ts';
import type { ExpectedMedia, Region } from '../plan.ts';
import type { MediaProbe } from '../probe.ts';
import type { Rendered } from '../rendered.ts';
import { EngineFailure } from '../worker/engine.ts';
import type { Identified } from '../worker/protocol.ts';
import { type Anchor, anchorsAt, anchorsOf, partsOf } from './anchors.ts';
import { fingerprintOf } from './fingerprint.ts';
import { judged, type Sight } from './judge.ts';
import { stillRuns } from './still-runs.ts';

export type ProbedSource = MediaSource & { probe: MediaProbe };

/** Cells of a row of a fingerprint. */
const ACROSS = 32;
const WHOLE: Region = { x: 0, y: 0, width: 1, height: 1 };

/**
 * Proves that a file shows the frames of its sources that the time map says: at both ends, on either side of joints and in
 * between. @returns what is wrong; null where nothing is, or where it cannot be asked.
 */
export async function identityProblem(
  { engine, log }: MediaContext,
  expected: ExpectedMedia,
  { path, time_map }: { path: string; time_map: Rendered['time_map'] },
  sources: readonly ProbedSource[],
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { identity, video, format, tolerance } = expected;
  const demuxer = demuxers.find((name) => name === format);
  if (!identity || !video || !demuxer) return null;
  if (!engine) {
    log.info('no frames are identified: there is no engine');
    return null;
  }
  const began = performance.now();
  const frames = {
    sources: sources.map(({ probe }) => probe.video?.frameDuration ?? null),
    made: video.frames ? Math.min(tolerance, expected.duration / video.frames) : tolerance,
  };
  const placed = { map: time_map, frames, fades: identity.fades ?? { in: 0, out: 0 } };
  const made = await completeSource({ path, format: demuxer });
  const sights: Sight[] = [];
  try {
    const still = made.bytes <= MOST_BYTES ? await stillIn(engine, made, signal) : [];
    const all = [...anchorsOf(placed), ...anchorsAt(placed, still)];
    for (const [index, anchors] of Map.groupBy(all, ({ source }) => source)) {
      const source = sources[index];
      if (!source?.probe.video) continue;
      const place = identity.places?.[index] ?? { of: WHOLE, at: WHOLE };
      const request = {
        kind: 'identify' as const,
        made: { source: made.parts(), stream: 0, origin: 0, region: place.at },
        from: {
          ...{ source: source.parts(), stream: source.probe.video.index },
          ...{ origin: source.probe.origin, region: place.of },
        },
        anchors: anchors.map(({ made, from }) => ({ made, from })),
      };
      const found = await engine.identify(request, { sources: [made, source], signal });
      for (const [at, one] of found.entries()) {
        const anchor = anchors[at];
        if (anchor) sights.push(sightOf(anchor, one));
      }
    }
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    log.warn('the engine could not identify frames', { error });
    return null;
  }
  const grid = sources.map(
    ({ probe }, index) => identity.grid?.includes(index) === true || isUneven(probe, frames.made),
  );
  const found = judged(sights, {
    ...{ parts: partsOf(placed), frames, grid, across: ACROSS },
    overlaid: identity.overlaid ?? [],
  });
  log.info('frames identified', { ...found, ms: Math.round(performance.now() - began) });
  return found.problem;
}

/** Larger files are not read from end to end to find frames that stand still. */
const MOST_BYTES = 64e6;

async function stillIn(
  engine: NonNullable<MediaContext['engine']>,
  made: MediaSource,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const about = { kind: 'packets' as const, source: made.parts(), stream: 0, slack: 0 };
  const asked = { ...about, intervals: [[null, null] as [null, null]] };
  const { pts, bytes, key, unit } = await engine.packets(asked, { sources: [made], signal });
  return stillRuns(
    pts.map((tick, index) => ({ time: tick * unit, bytes: bytes[index] ?? 0, key: key[index] === true })),
  );
}

/** Whether frames of a source stand at other distances than those of a result. */
function isUneven({ video }: MediaProbe, made: number): boolean {
  return video !== null && video.pace === 'constant' && Math.abs(video.frameDuration / made - 1) > 0.02;
}

function sightOf(anchor: Anchor, { copied, made, from }: Identified[number]): Sight {
  const seen = (frames: Identified[number]['made']) =>
    frames.map(({ time, cells }) => ({ time, picture: fingerprintOf(cells) }));
  return {
    anchor,
    from: seen(from),
    made: copied ? [] : seen(made),
    copied: copied && made.map(({ time }, index) => ({ time, from: copied[index] ?? [] })),
  };
}
