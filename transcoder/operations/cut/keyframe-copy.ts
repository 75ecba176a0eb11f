import type { OperationInput } from '../../../schema/operations/index.ts';
import { type AudioCodec, audioCodecsOf } from '../../../schema/operations/transcode.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Plan, PlanRequest } from '../../model/plan.ts';
import { earliestFrom } from '../../model/source/earliest-from.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { Packets } from '../../model/source/packets.ts';
import { readableSound } from '../../model/source/sound-times.ts';
import { timeUnit, type VideoStream } from '../../model/source/video-stream.ts';
import type { Surveyed } from '../../model/splice.ts';
import type { Chain, Render, Step } from '../../model/steps.ts';
import { audioTarget, probedCodec } from '../plan/audio-target.ts';
import { audibleIn, noFrame, noSound } from '../plan/compile/ranges.ts';
import { hasLongFrames, ROUNDED, type Span } from '../plan/frames.ts';
import { uprightSize } from '../plan/geometry.ts';
import { type MediaRun, planMedia, type Shown } from '../plan/output.ts';
import { micros, movingOf, only } from '../plan/require-streams.ts';
import { besideOf, copiedPicture } from '../plan/stream-copy.ts';
import { alphaDropped } from '../plan/video-target.ts';

interface Run {
  /** Timestamp of the keyframe. */
  key: number;
  /** Timestamp at which the copied part ends. */
  end: number;
  /** Those shown from the keyframe on. */
  packets: number;
  /** Whether frames that are decoded after the keyframe are shown before it: they are not copied. */
  leads: boolean;
}

/** A keyframe that a copy can begin with. */
interface Key {
  /** Index of its packet. */
  at: number;
  leads: boolean;
}

/**
 * Copies packets from the keyframe at or before the start of each span; no video is re-encoded. Null if the first frame
 * of a span needs a keyframe that an edit list hides. `kept` are the spans actually copied.
 * @param survey Where keyframes of open groups are known to begin decoding; without it, copies begin at others only.
 * @returns `leads`: whether a copy begins with such a keyframe, which ffmpeg cannot copy without the frames shown before it.
 */
export function planCopy(
  { input, probes }: PlanRequest<OperationInput<'cut'>>,
  spans: readonly Span[],
  packets: Packets,
  warnings: Warning[],
  survey: Surveyed | null,
): { plan: Plan; kept: Span[]; leads: boolean } | null {
  const probe = only(probes);
  const { video, duration } = movingOf(probe);
  const keys = keysOf(packets, video, survey);
  const runs = spans.flatMap((span) => {
    const run = runOf(probe, video, span, { packets, keys }, span.end >= duration);
    if (run && run.key >= probe.origin + span.end) throw noFrame(span);
    return run ?? [];
  });
  if (runs.length < spans.length) return null;
  // Joined files have no configuration of Dolby Vision.
  if (runs.length > 1 && video.dolbyVisionOnly !== undefined) return null;
  const kept = runs.map((run) => ({ start: run.key - probe.origin, end: run.end - probe.origin }));
  const sound = input.audio === 'keep' ? audibleIn(probe, kept) : null;
  if (input.audio === 'keep' && !sound) warnings.push(noSound(probe));
  const copies = sound && holds(input.format, sound.codec) && !sound.redescribed;
  const encoded = sound && !copies ? audioTarget(sound, input.format) : null;
  const alpha = besideOf(video, input.format);
  if (alpha === false) warnings.push(alphaDropped(`what ${input.format} holds of it`));
  const copyVideo = (count: number | null) => ({
    from: `0:${count === null ? 0 : video.index}`,
    encode: { copy: copiedPicture(video, { format: input.format, packets: count }) },
  });
  const lengths = runs.map((run) => micros(run.end - run.key));
  const total = micros(lengths.reduce((sum, length) => sum + length, 0));
  const frames = runs.reduce((sum, run) => sum + run.packets, 0);
  const reader = (run: Run) => ({ source: 0, seek: run.key, copy: true }) as const;
  const own =
    sound &&
    (encoded
      ? { from: 'a', encode: encoded.encoding }
      : { from: `0:${sound.index}`, encode: 'copy' as const });
  const chains: Chain[] =
    sound && encoded
      ? [{ from: [`0:${sound.index}`], filters: [...readableSound(sound), ...encoded.after], to: ['a'] }]
      : [];
  const part = (index: number) => `part${index}.${input.format}`;
  const parts = runs.map(
    (run, index): Render => ({
      ...{ kind: 'render', inputs: [reader(run)], chains },
      outputs: [
        {
          ...{ file: part(index), container: input.format, end: run.end - run.key },
          ...{ video: copyVideo(run.packets), audio: own },
        },
      ],
      ...{ seconds: run.end - run.key, lead: 0 },
    }),
  );
  const list: Step = {
    kind: 'list',
    file: 'parts.txt',
    entries: lengths.map((seconds, index) => ({ file: part(index), seconds })),
  };
  const [first] = runs;
  const one = runs.length === 1 && first ? first : null;
  const codec = encoded ? probedCodec[encoded.encoding.encoder] : (sound?.codec ?? '');
  const run: MediaRun = {
    ...{ container: input.format, chains: one ? chains : [] },
    inputs: [one ? reader(one) : { list: 'parts.txt' }],
    picture: {
      ...copyVideo(one ? one.packets : null),
      ...{ codec: video.codec, width: video.width, height: video.height, frames },
    },
    sound:
      sound &&
      (one && encoded
        ? { from: 'a', encode: encoded.encoding }
        : { from: one ? `0:${sound.index}` : '0:1', encode: 'copy', codec }),
    ...{ duration: total, tolerance: video.frameDuration, slack: 0.1 * runs.length },
    ...{ identity: { heard: true }, ...(one ? { end: one.end - one.key } : {}) },
  };
  let out = 0;
  const shows = kept.map((span, index): Shown => {
    const from = out;
    out = micros(out + (lengths[index] ?? 0));
    return { ...span, out: from, outEnd: out };
  });
  const plan = planMedia(one ? [] : [...parts, list], run, {
    ...{ size: uprightSize(video), fps: frames / total, shows, copied: total, warnings },
  });
  return { plan, kept, leads: runs.some(({ leads }) => leads) };
}

/**
 * The shortest run of packets, starting at a keyframe, that contains every frame of the span and ends where all
 * remaining frames come later: it plays without a gap. Null if frames are shown before the first keyframe.
 */
function runOf(
  probe: MediaProbe,
  video: VideoStream,
  span: Span,
  { packets: { pts }, keys }: { packets: Packets; keys: readonly Key[] },
  toEnd: boolean,
): Run | null {
  // Spans begin and end with frames, or within long ones, of which half may be seconds.
  const near = hasLongFrames(video) ? Math.min(video.frameDuration / 2, ROUNDED) : video.frameDuration / 2;
  const earliest = earliestFrom(pts);
  const start = probe.origin + span.start + near;
  const before = keys.findLast(({ at }) => (pts[at] ?? 0) < start);
  const found = before ?? keys[0];
  if (found === undefined) return null;
  const { at, leads } = found;
  const key = pts[at] ?? 0;
  if (before === undefined && key > (earliest[0] ?? 0)) return null;
  const shown = (until: number) =>
    leads ? pts.subarray(at, until).filter((time) => time >= key).length : until - at;
  const end = toEnd ? Number.POSITIVE_INFINITY : probe.origin + span.end - near;
  let highest = Number.NEGATIVE_INFINITY;
  for (let index = at; index < pts.length; index++) {
    highest = Math.max(highest, pts[index] ?? 0);
    const next = earliest[index + 1] ?? Number.POSITIVE_INFINITY;
    if (highest < next && next >= end && Number.isFinite(next))
      return { key, end: next, packets: shown(index + 1), leads };
  }
  // The average of long frames may be more than the last one lasts.
  const stated = hasLongFrames(video) ? video.startTime + video.duration : Number.POSITIVE_INFINITY;
  const last = Math.min(highest + video.frameDuration, Math.max(highest, stated));
  const tail = Math.max(last, probe.origin + span.end);
  return { key, end: tail, packets: shown(pts.length), leads };
}

/** @param survey Null if no copy may begin in an open group. */
function keysOf({ pts, keys }: Packets, video: VideoStream, survey: Surveyed | null): Key[] {
  const unit = timeUnit(video);
  const open = new Set(
    survey?.parts.flatMap((part) => Array.from(part.pts).filter((_, at) => part.entryAt(at) === 'open')),
  );
  const earliest = earliestFrom(pts);
  const found: Key[] = [];
  for (const [at, key] of keys.entries()) {
    const time = pts[at] ?? 0;
    const leads = time > (earliest[at] ?? 0);
    if (key === 1 && (!leads || open.has(Math.round(time / unit)))) found.push({ at, leads });
  }
  return found;
}

function holds(format: keyof typeof audioCodecsOf, codec: string): boolean {
  const name = codec.startsWith('pcm_s') ? 'pcm' : codec;
  return (audioCodecsOf[format] as readonly AudioCodec[]).some((allowed) => allowed === name);
}
