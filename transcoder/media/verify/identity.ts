import { dirname } from 'node:path';
import { demuxers } from '../../../schema/media/demuxers.ts';
import { fieldOrder } from '../../model/deinterlacing.ts';
import { least } from '../../model/numbers/min-max.ts';
import type { ExpectedMedia, Place, Region } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { MediaSource, ProbedSource } from '../../model/source/media-source.ts';
import { isTimedByPackets, type VideoStream } from '../../model/source/video-stream.ts';
import { completeSource } from '../execute/complete-source.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { Rendered } from '../execute/rendered.ts';
import { LibavFailure, twice } from '../libav/pool.ts';
import type { Identified } from '../libav/protocol.ts';
import { probeMedia } from '../probe/probe-media.ts';
import { type Anchor, anchorsAt, anchorsOf, partsOf } from './anchors.ts';
import { soundProblem } from './audio-sync.ts';
import { fingerprintOf } from './fingerprint.ts';
import { judged, type Sight } from './judge.ts';
import { type Sized, stillRuns } from './still-runs.ts';

/** Shorter frames cannot be identified: containers round their times by as much. Seconds. */
const SHORTEST = 1 / 250;

/** Cells per row of a fingerprint. */
const ACROSS = 32;
const WHOLE: Region = { x: 0, y: 0, width: 1, height: 1 };

interface Identifying {
  libav: NonNullable<MediaContext['libav']>;
  log: MediaContext['log'];
  made: MediaSource;
  map: Rendered['time_map'];
  sources: readonly ProbedSource[];
  signal: AbortSignal | undefined;
}

/**
 * Proves that a file shows the source frames that the time map says, at both ends, around joints and in between, and that its
 * audio matches, too. @returns what is wrong, or null if nothing is or it cannot be checked.
 */
export async function identityProblem(
  ctx: MediaContext,
  expected: ExpectedMedia,
  { path, time_map: map }: { path: string; time_map: Rendered['time_map'] },
  sources: readonly ProbedSource[],
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { identity, video, format } = expected;
  const { libav, log } = ctx;
  const demuxer = demuxers.find((name) => name === format);
  if (!identity || !demuxer) return null;
  if (!libav) {
    log.info('the result is not compared with its sources: libav is unavailable');
    return null;
  }
  const made = await completeSource({ path, format: demuxer });
  const identifying = { libav, log, made, map, sources, signal };
  const compared = async () => {
    const shown = video && (await framesProblem(identifying, expected, identity, video));
    if (shown?.problem) return shown.problem;
    if (!identity.heard || !expected.audio) return null;
    const origin = shown ? shown.origin : (await probeMedia(ctx, made, signal)).origin;
    const listening = {
      libav,
      made,
      directory: dirname(path),
      origin,
      sources,
      signal,
    };
    const tracks = [
      { codec: expected.audio.codec, from: null },
      ...(expected.sounds ?? []).map(({ codec, streams }) => ({ codec, from: streams })),
    ];
    for (const [index, track] of tracks.entries()) {
      const problem = await soundProblem({ ...listening, ...track, stream: (video ? 1 : 0) + index }, map);
      if (problem !== null) return problem;
    }
    return null;
  };
  try {
    return await twice(log, compared);
  } catch (error) {
    if (!(error instanceof LibavFailure)) throw error;
    log.warn('libav could not compare the result with its sources', { error });
    return null;
  }
}

/** @returns what is wrong with the pictures, and the timestamp in the result of the time map's 0. Throws LibavFailure. */
async function framesProblem(
  { libav, log, made, map, sources, signal }: Identifying,
  expected: ExpectedMedia,
  identity: NonNullable<ExpectedMedia['identity']>,
  video: NonNullable<ExpectedMedia['video']>,
): Promise<{ problem: string | null; origin: number }> {
  const began = performance.now();
  const { tolerance, duration } = expected;
  const frames = {
    sources: sources.map(({ probe }) => probe.video?.frameDuration ?? null),
    made: video.frames ? Math.min(tolerance, duration / video.frames) : tolerance,
  };
  const placed = { map, frames, fades: identity.fades ?? { in: 0, out: 0 } };
  const sights: Sight[] = [];
  const packets = await packetsOf(libav, made, signal);
  const origin = made.format === 'matroska' ? leadOf(packets, map, sources) : 0;
  const still = stillRuns(packets.map((packet) => ({ ...packet, time: packet.time - origin })));
  const all = [...anchorsOf(placed), ...anchorsAt(placed, still)];
  for (const [index, anchors] of Map.groupBy(all, ({ source }) => source)) {
    const source = sources[index];
    if (!source?.probe.video || !isTimed(source.probe.video)) continue;
    for (const { place, own } of shownAt(anchors, identity, index, frames.made)) {
      // What is deinterlaced shows the first field. Of a film whose frames share fields, the second one is of the next picture.
      const field = fieldOrder(source.probe.video);
      const request = {
        kind: 'identify' as const,
        made: { source: made.parts(), stream: 0, origin, region: place.at, turn: null, field },
        from: {
          ...{ source: source.parts(), stream: source.probe.video.index },
          ...{ origin: source.probe.origin, region: place.of, turn: identity.turn ?? null, field },
        },
        anchors: own.map(({ made, from, shown }) => ({ made, from, shown })),
      };
      const found = await libav.ask(request, { sources: [made, source], signal });
      for (const [at, one] of found.entries()) {
        const anchor = own[at];
        if (anchor) sights.push(sightOf(anchor, one));
      }
    }
  }
  const grid = sources.map(
    ({ probe }, index) => identity.grid?.includes(index) === true || isUneven(probe, frames.made),
  );
  const found = judged(sights, {
    ...{ parts: partsOf(placed), frames, grid, across: ACROSS },
    overlaid: identity.overlaid ?? [],
  });
  log.info('frames identified', { ...found, ms: Math.round(performance.now() - began) });
  return { problem: found.problem, origin };
}

const TINY = 1e-6;

/** Anchors by the visible region of the source; those within a movement of it are left out. */
function shownAt(
  anchors: readonly Anchor[],
  { places, still }: NonNullable<ExpectedMedia['identity']>,
  source: number,
  frame: number,
): { place: Place; own: Anchor[] }[] {
  if (!still) return [{ place: places?.[source] ?? { of: WHOLE, at: WHOLE }, own: [...anchors] }];
  return still.flatMap(({ from, to, place }) => {
    const own = anchors.filter(({ made }) => made[0] >= from - frame && made[1] <= to + TINY);
    return own.length > 0 ? [{ place, own }] : [];
  });
}

/** In files larger than MOST_BYTES, repeated frames are searched for only up to tick FEW_TICKS. */
const MOST_BYTES = 64e6;
const FEW_TICKS = 1000;

async function packetsOf(
  libav: NonNullable<MediaContext['libav']>,
  made: MediaSource,
  signal: AbortSignal | undefined,
): Promise<Sized[]> {
  const about = { kind: 'packets' as const, source: made.parts(), stream: 0, slack: 0 };
  const until = made.bytes <= MOST_BYTES ? null : FEW_TICKS;
  const asked = { ...about, intervals: [[null, until] as [null, number | null]] };
  const { pts, bytes, key, unit } = await libav.ask(asked, { sources: [made], signal });
  return pts.map((tick, at) => ({ time: tick * unit, bytes: bytes[at] ?? 0, key: key[at] === true }));
}

/** Seconds of 1024 samples at 8000 Hz: no audio encoder used here has a longer priming. */
const MOST_LEAD = 0.128;
/** In seconds. Matroska has whole milliseconds. */
const ROUNDED = 0.002;

/**
 * Seconds by which Matroska times are later than the time map: Matroska has no negative timestamps, therefore the muxer shifts
 * everything by the audio encoder's priming.
 */
function leadOf(
  packets: readonly Sized[],
  map: Rendered['time_map'],
  sources: readonly ProbedSource[],
): number {
  const begins = least(packets.map(({ time }) => time));
  const [first] = map;
  if (!first || !Number.isFinite(begins)) return 0;
  const shown = map.map((span) => firstShown(span, sources[span.source]?.probe)).find((at) => at !== null);
  // Where clips are merged, the picture begins at once, even if that of its source begins late.
  const leads = [shown ?? first.out[0], first.out[0]].map((at) => begins - at);
  return Math.max(0, leads.find((lead) => lead > -ROUNDED && lead <= MOST_LEAD) ?? 0);
}

/** When the first picture of a span is due in the output; null if the picture of its source begins after the span. */
function firstShown({ in: [from, to], out }: Rendered['time_map'][number], probe: MediaProbe | undefined) {
  if (!probe?.video) return null;
  const late = Math.max(0, probe.video.startTime - probe.origin - from);
  const seconds = Math.abs(to - from);
  return late < seconds ? out[0] + (late / seconds) * (out[1] - out[0]) : null;
}

/** Whether the source's packets state presentation times, precisely enough. */
const isTimed = (video: VideoStream) => video.frameDuration >= SHORTEST && isTimedByPackets(video);

/** Whether the frame rates of source and result differ. */
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
