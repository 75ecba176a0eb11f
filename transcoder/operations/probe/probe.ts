import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { Analysis, Facts, Loudness, Planner } from '../../model/plan.ts';
import type { MediaProbe, StreamFacts } from '../../model/source/media-probe.ts';
import type { Orientation } from '../../model/source/orientation.ts';
import type { Packets } from '../../model/source/packets.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { allPackets } from '../plan/frame-selection.ts';
import { isVariable } from '../plan/frames.ts';
import { planDocument } from '../plan/output.ts';
import { micros, only, thousandths } from '../plan/require-streams.ts';
import { displayed } from '../plan/still-image.ts';
import { chaptersIn } from '../plan/tracks/chapters.ts';

export const probe: Planner<OperationInput<'probe'>> = {
  analyses: (input, probes) => {
    const source = only(probes);
    const analyses: Analysis[] = [];
    if (source.video && !source.still)
      analyses.push({ ...allPackets(), ...(input.count_frames ? {} : { most: MOST_UNASKED }) });
    if (source.still) analyses.push({ kind: 'display', source: 0 });
    if (input.loudness) {
      if (!source.audio)
        throw new TaskFailure('source_no_audio', 'The source has no audio to measure. Remove `loudness`.', {
          sourceIndex: 0,
        });
      analyses.push({ kind: 'loudness', source: 0, stream: source.audio.index });
    }
    return analyses;
  },

  // It lists the tracks as the source numbers them.
  remuxedFor: 'listing',

  plan: ({ input, probes, facts }) => {
    const source = only(probes);
    const data = {
      container: source.container,
      duration: source.duration === null ? null : micros(source.duration),
      start_time: source.still ? null : micros(source.origin),
      file_size: source.fileSize,
      bitrate_kbps: rounded(source.kbps),
      streams: source.streams.map((stream) => streamDocument(stream, source, facts)),
      chapters: chaptersIn(source).map(({ start, end, title }) => ({
        ...{ start: micros(start), end: micros(end), title },
      })),
      keyframe_interval: facts.packets ? keyframeInterval(facts.packets, source) : null,
      loudness: input.loudness ? loudnessDocument(facts.loudness ?? null) : null,
    };
    const counted = !source.video || source.still || facts.packets !== undefined;
    return planDocument('probe', data, { warnings: counted ? [] : [notCounted(source.fileSize)] });
  },
};

/** Bytes that are read to count frames if that is not asked for. */
const MOST_UNASKED = 64 * 1024 * 1024;

const notCounted = (bytes: number): Warning => ({
  code: 'frames_not_counted',
  detail: `To count the frames, up to ${Math.round(bytes / 1e6)} MB of the source would have to be read. \`keyframe_interval\` is null; \`variable_frame_rate\` and \`frames\` are null or what the source states. Set \`count_frames\` to count them.`,
});

/** By EXIF orientation, the clockwise rotation that displays a picture. */
const rotations: Record<Orientation, number> = { 1: 0, 2: 0, 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 };

function streamDocument({ video: stated, ...stream }: StreamFacts, source: MediaProbe, facts: Facts) {
  const { packets, orientation = 1 } = facts;
  const { audio } = stream;
  const video =
    stated && source.still
      ? { ...displayed(source, stated, facts).video, rotation: rotations[orientation] }
      : stated;
  const listed = video && packets && video.index === source.video?.index ? packets : undefined;
  const pace = video?.pace === 'unknown' ? null : video?.pace === 'variable';
  return {
    index: stream.index,
    type: stream.type,
    codec: stream.codec,
    profile: stream.profile,
    duration: stream.duration === null ? null : micros(stream.duration),
    start_time: stream.startTime === null ? null : micros(stream.startTime),
    bitrate_kbps: rounded(stream.kbps),
    language: stream.language,
    default: stream.default,
    width: video?.width ?? null,
    height: video?.height ?? null,
    display_width: video?.displayWidth ?? null,
    display_height: video?.displayHeight ?? null,
    rotation: video?.rotation ?? null,
    sample_aspect_ratio: video?.sarText ?? null,
    frame_rate: video?.frameRate ?? null,
    variable_frame_rate: video ? (listed ? isVariable(listed) : pace) : null,
    frames: video ? (listed?.length ?? video.frames) : null,
    pixel_format: video?.pixelFormat ?? null,
    bit_depth: video?.bitDepth ?? null,
    color_space: video?.color.space ?? null,
    color_transfer: video?.color.transfer ?? null,
    color_primaries: video?.color.primaries ?? null,
    sample_rate: audio?.sampleRate ?? null,
    channels: audio?.channels ?? null,
    channel_layout: audio?.layout ?? null,
  };
}

/** The last GOP ends with the last frame. */
function keyframeInterval({ pts, durations, keys: marks }: Packets, source: MediaProbe) {
  const keys = Array.from(pts.filter((_, index) => marks[index] === 1));
  const [first] = keys;
  if (first === undefined) return null;
  const { frameDuration: lasts = 0, reordered, startTime = 0, duration = 0 } = source.video ?? {};
  // In mp4, packets of such frames state how long they are decoded.
  const end = reordered
    ? startTime + duration
    : greatest(pts.map((time, index) => time + (durations[index] || lasts)));
  const edges = [...keys, Math.max(end, keys.at(-1) ?? first)];
  const gaps = edges.slice(1).map((time, index) => time - (edges[index] ?? time));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  return { mean: micros(mean), max: micros(greatest(gaps)), count: keys.length };
}

function loudnessDocument(loudness: Loudness | null) {
  return {
    integrated_lufs: loudness?.integrated ?? null,
    range_lu: loudness?.range ?? null,
    true_peak_db: loudness?.truePeak ?? null,
  };
}

function rounded(kbps: number | null): number | null {
  return kbps === null ? null : thousandths(kbps);
}
