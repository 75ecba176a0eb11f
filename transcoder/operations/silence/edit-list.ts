import type { SilenceExport } from '../../../schema/operations/silence-process.ts';
import type { MediaProbe, StartTimecode } from '../../model/source/media-probe.ts';
import type { Clip } from '../plan/compile/clips.ts';
import type { Frames } from '../plan/frames.ts';
import { displaySize } from '../plan/geometry.ts';
import { type Written, writtenText } from '../plan/output.ts';
import { lengthOf } from '../plan/require-streams.ts';
import type { Segment, SilenceInput } from './detect.ts';
import { csvText } from './export/csv.ts';
import type { Edit, EditEvent } from './export/edit.ts';
import { edlText } from './export/edl.ts';
import { fcpxmlText } from './export/fcpxml.ts';
import { otioText } from './export/otio.ts';
import { frameOf, type Rate, rateOf } from './export/timecode.ts';

const SOUND_RATE = 30;

/** Formats that can count parts of a frame. */
const exact: readonly SilenceExport[] = ['otio'];

const writers: Record<SilenceExport, (edit: Edit) => string> = {
  edl: edlText,
  fcpxml: fcpxmlText,
  otio: otioText,
  csv: csvText,
};

interface ExportRequest {
  input: Pick<SilenceInput, 'video_url' | 'audio_url'>;
  probe: MediaProbe;
  segments: readonly Segment[];
  clips: readonly Clip[];
  /** Null for audio only. */
  grid: Frames | null;
}

export function exportFiles(names: readonly SilenceExport[], request: ExportRequest): Written[] {
  return names.map((name) =>
    writtenText(name, 'edit', name, writers[name](editOf(request, exact.includes(name)))),
  );
}

/** @param exact Whether frames of a variable rate and of sound, which are frames of no source, keep their fractions. */
export function editOf({ input, probe, segments, clips, grid }: ExportRequest, exact: boolean): Edit {
  const { video, audio } = probe;
  const even = grid && !grid.uneven;
  const { rate, first } = grid
    ? counted(1 / grid.step, probe.timecode)
    : { rate: rateOf(SOUND_RATE), first: 0 };
  const whole = (frames: number) => (exact && !even ? frames : Math.round(frames));
  const frameAt = (time: number) => {
    if (even) return Math.max(0, Math.round((time - grid.at(0)) / grid.step));
    return whole((time * rate.frames) / rate.seconds);
  };
  let at = 0;
  const events = clips.flatMap((clip): EditEvent[] => {
    const [from, to] = [frameAt(clip.start), frameAt(clip.end)];
    if (to <= from) return [];
    const length = whole((to - from) / clip.rate);
    const until = at + (exact && !even ? length : Math.max(1, length));
    const event = { from, to, at, until, muted: clip.muted };
    at = until;
    return [event];
  });
  return {
    name: nameOf(input.video_url ?? input.audio_url ?? ''),
    rate,
    perSecond: even && !rate.usual ? 1 / grid.step : rate.frames / rate.seconds,
    frames: frameAt(lengthOf(probe)),
    first,
    picture: grid && video ? displaySize(video) : null,
    sound: { channels: audio?.channels ?? 2, sampleRate: audio?.sampleRate ?? 48_000 },
    events,
    segments: segments.map((segment) => ({
      ...segment,
      from: frameAt(segment.start),
      to: frameAt(segment.end),
    })),
  };
}

/** Editors find the frames of a source by its timecode, which says itself whether it is drop-frame. */
function counted(perSecond: number, timecode: StartTimecode | undefined): { rate: Rate; first: number } {
  const usual = rateOf(perSecond);
  if (!timecode) return { rate: usual, first: 0 };
  const rate = { ...usual, drop: usual.drop && /[;.]/.test(timecode.text) };
  const first = frameOf(timecode.text, rate, timecode.perSecond);
  return first === null ? { rate: usual, first: 0 } : { rate, first };
}

/**
 * Last path segment of the URL, without characters that the text formats do not allow. The query may contain secrets.
 */
function nameOf(url: string): string {
  const part = /^[a-z]+:(?:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1]?.split('/').at(-1) ?? '';
  const name = part.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return name.replace(/[^\x20-\x7e]|[/\\]/g, '_').slice(0, 120) || 'source';
}
