import type { OperationInput } from '../../schema/operations/index.ts';
import type { Analysis, Plan, SmartCut, WhyRendered } from '../media/plan.ts';
import { type AudioStream, type MediaProbe, timeUnit, type VideoStream } from '../media/probe.ts';
import { packetsOf } from '../media/surveyed.ts';
import type { Surveyed } from '../media/worker/protocol.ts';
import { audibleIn, type CutRequest } from './cut-range.ts';
import { movingOf, only } from './source.ts';
import { keptFrames, type Span } from './timeline.ts';

/** Sound that is copied, and how many packets its decoder takes to settle. */
const settling: Partial<Record<string, number>> = { aac: 1, ac3: 1, mp3: 3 };
/** Longest run of frames, in seconds, that is encoded at each speed. */
const speeds = [
  { preset: 'ultrafast', upTo: 10 },
  { preset: 'superfast', upTo: 30 },
  { preset: 'veryfast', upTo: Number.POSITIVE_INFINITY },
] as const;
/** Of the fastest preset, as good as the encoder's usual quality at a slower one. */
const CRF = 20;

/** Why a precise cut of video is rendered, as far as request and source tell; null where packets may be copied. */
function whyRendered(
  input: OperationInput<'cut'>,
  probe: MediaProbe,
  spans: readonly Span[],
): WhyRendered | null {
  const { video } = movingOf(probe);
  if (probe.format !== 'mov') return 'container';
  if (video.codec !== 'h264' || (input.codec !== 'auto' && input.codec !== 'h264')) return 'codec';
  if (input.format !== 'mp4' && input.format !== 'mov') return 'format';
  if (input.quality !== 'match_source') return 'quality';
  if (input.fade_in > 0 || input.fade_out > 0) return 'fades';
  if (spans.length !== 1) return 'several_ranges';
  const sound = input.audio === 'keep' ? audibleIn(probe, spans) : null;
  return sound && !copiedSound(probe, sound) ? 'sound' : null;
}

function copiedSound(probe: MediaProbe, { index, codec }: AudioStream): boolean {
  const profile = probe.streams.find((stream) => stream.index === index)?.profile;
  return settling[codec] !== undefined && (codec !== 'aac' || profile === 'LC');
}

/** What has to be known of the packets around the range. */
export function surveys(input: OperationInput<'cut'>, probe: MediaProbe, spans: readonly Span[]): Analysis[] {
  const [span] = spans;
  if (!span || whyRendered(input, probe, spans) !== null) return [];
  const { video } = movingOf(probe);
  const unit = timeUnit(video);
  const margin = 16 * video.frameDuration;
  const from = Math.floor((probe.origin + span.start - margin) / unit);
  const to = Math.ceil((probe.origin + span.end + margin) / unit);
  return [{ kind: 'survey', source: 0, from, to }];
}

/** One range: packets are copied where the source allows it, and only the frames around them rendered. */
export function planSmart(request: CutRequest, spans: readonly Span[], full: Plan): Plan {
  const { input, probes, facts } = request;
  const probe = only(probes);
  const [span] = spans;
  const why = whyRendered(input, probe, spans);
  if (why !== null || !span) return { ...full, ...(why ? { rendered_because: why } : {}) };
  const converted = ['size_reduced', 'hdr_tonemapped'];
  if (full.warnings.some(({ code }) => converted.includes(code))) {
    return { ...full, rendered_because: 'converted' };
  }
  if (!facts.survey) return { ...full, rendered_because: 'engine_unavailable' };
  if (facts.survey.unfit) return { ...full, rendered_because: facts.survey.unfit };
  const { video } = movingOf(probe);
  const cut = spliced(probe, video, span, facts.survey);
  if (typeof cut === 'string') return { ...full, rendered_because: cut };
  const frames = full.expect.media[0]?.video?.frames;
  if (frames !== countOf(cut)) return { ...full, rendered_because: 'frames_differ' };
  return smartPlan(request, full, span, cut);
}

type Packets = Surveyed['packets'];
type Spliced = Omit<SmartCut['cut']['video'], 'stream' | 'preset' | 'crf'>;

/** Which packets are copied and which frames rendered, in ticks of the stream. */
export function spliced(
  probe: MediaProbe,
  video: VideoStream,
  span: Span,
  survey: Surveyed,
): Spliced | WhyRendered {
  const unit = timeUnit(video);
  const { packets } = survey;
  const visible = packets.filter((packet) => !packet.hidden);
  const kept = keptFrames(probe, video, span, packetsOf(survey, video) ?? []);
  const from = kept.from / unit;
  const to = kept.to === null ? Number.POSITIVE_INFINITY : kept.to / unit;
  const inRange = ({ pts }: Packets[number]) => pts >= from && pts < to;
  const least = earliestFrom(packets);
  const key = packets.findIndex(
    (packet, index) => packet.idr && inRange(packet) && least[index] === packet.pts,
  );
  const first = packets[key];
  if (!first) return 'no_idr_in_range';
  const end = cleanEnd(packets, least, key, to);
  const copied = packets.slice(key, end);
  const last = copied.at(-1);
  if (!last) return 'no_idr_in_range';
  if (copied.some(({ hidden }) => hidden)) return 'edit_list';
  const before = visible.filter((packet) => inRange(packet) && packet.pts < first.pts);
  const lastCopied = Math.max(...extremes(copied));
  const behind = visible.filter((packet) => inRange(packet) && packet.pts > lastCopied);
  const head = before.length > 0 ? runOf(packets, before, key) : null;
  const tail = behind.length > 0 ? runOf(packets, behind, packets.length) : null;
  if ((before.length > 0 && !head) || (behind.length > 0 && !tail)) return 'no_idr_in_range';
  const firstPts = head?.frames[0] ?? first.pts;
  const start = Math.round((probe.origin + span.start) / unit);
  const frame = Math.max(1, Math.round(video.frameDuration / unit));
  return {
    head,
    copy: {
      ...{ first: first.dts, last: last.dts, frames: copied.map(({ pts }) => pts) },
      lastIdr: copied.findLastIndex(({ idr }) => idr),
    },
    tail,
    zero: Math.abs(firstPts - start) < frame ? firstPts : start,
    frame,
  };
}

/** The end of the longest run from `key` on whose frames all come before `to` and before every frame that follows. */
function cleanEnd(packets: Packets, least: readonly number[], key: number, to: number): number {
  let [highest, end] = [Number.NEGATIVE_INFINITY, key];
  for (let index = key; index < packets.length; index++) {
    const pts = packets[index]?.pts ?? to;
    if (pts >= to) break;
    highest = Math.max(highest, pts);
    if (highest < (least[index + 1] ?? Number.POSITIVE_INFINITY)) end = index + 1;
  }
  return end;
}

/** For each packet, the earliest presentation among it and those that follow in decoding order. */
function earliestFrom(packets: Packets): number[] {
  let least = Number.POSITIVE_INFINITY;
  return packets
    .toReversed()
    .map(({ pts }) => {
      least = Math.min(least, pts);
      return least;
    })
    .toReversed();
}

/** The presentation times among which the latest of a clean run is. */
const extremes = (copied: Packets) => copied.slice(-32).map(({ pts }) => pts);

/** These frames, and the packets before `limit` that are decoded for them; null where no IDR picture leads to them. */
function runOf(packets: Packets, frames: Packets, limit: number) {
  const times = frames.map(({ pts }) => pts).sort((a, b) => a - b);
  const wanted = new Set(times);
  const end = packets.findLastIndex((packet, index) => index < limit && wanted.has(packet.pts));
  const begin = packets.findLastIndex(
    (packet, index) => index <= end && packet.idr && packet.pts <= (times[0] ?? 0),
  );
  const [from, to] = [packets[begin], packets[end]];
  return from && to ? { decodeFrom: from.dts, decodeTo: to.dts, frames: times } : null;
}

function countOf({ head, copy, tail }: Spliced): number {
  return (head?.frames.length ?? 0) + copy.frames.length + (tail?.frames.length ?? 0);
}

function smartPlan(request: CutRequest, full: Plan, span: Span, cut: Spliced): Plan {
  const { input, probes } = request;
  const probe = only(probes);
  const { video } = movingOf(probe);
  const unit = timeUnit(video);
  const sound = input.audio === 'keep' ? audibleIn(probe, [span]) : null;
  const [file, expected] = [full.files[0].file, full.expect.media[0]];
  if (!expected) throw new Error('a cut that expects nothing');
  const rendered = [cut.head, cut.tail].map((run) => (run?.frames.length ?? 0) * cut.frame * unit);
  const { preset } = speeds.find(({ upTo }) => Math.max(...rendered) <= upTo) ?? speeds[0];
  const total = span.end - span.start;
  const headEnd = cut.head ? ((cut.copy.frames[0] ?? 0) - cut.zero) * unit : 0;
  const tailStart = cut.tail ? ((cut.tail.frames[0] ?? 0) - cut.zero) * unit : total;
  const copied = Math.min(total, tailStart - headEnd);
  const step: SmartCut = {
    kind: 'smart_cut',
    source: 0,
    file,
    cut: {
      container: input.format === 'mov' ? 'mov' : 'mp4',
      video: { ...cut, stream: video.index, preset, crf: CRF },
      audio: sound && {
        stream: sound.index,
        start: Math.round((probe.origin + span.start) * sound.sampleRate),
        end: Math.round((probe.origin + span.end) * sound.sampleRate),
        settle: settling[sound.codec] ?? 1,
      },
    },
    seconds: total,
  };
  return {
    ...full,
    steps: [step],
    otherwise: full,
    expect: {
      pictures: [],
      media: [
        {
          ...expected,
          video: { codec: 'h264', width: video.width, height: video.height, frames: countOf(cut) },
          audio: sound ? { codec: sound.codec } : null,
          proven: true,
        },
      ],
    },
    fps: countOf(cut) / total,
    data: { copied_seconds: copied, rendered_seconds: total - copied },
  };
}
