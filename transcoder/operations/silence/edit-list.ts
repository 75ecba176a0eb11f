import { textMediaTypes } from '../../../schema/media/media-types.ts';
import type { SilenceExport } from '../../../schema/operations/silence-process.ts';
import type { MediaProbe } from '../../model/media-probe.ts';
import type { PlannedFile } from '../../model/plan.ts';
import type { Step } from '../../model/steps.ts';
import type { Clip } from '../plan/compile/clips.ts';
import type { FrameGrid } from '../plan/frame-grid.ts';
import { lengthOf } from '../plan/require-streams.ts';
import type { Segment, SilenceInput } from './detect.ts';
import { csvText } from './export/csv.ts';
import type { Edit, EditEvent } from './export/edit.ts';
import { edlText } from './export/edl.ts';
import { fcpxmlText } from './export/fcpxml.ts';
import { otioText } from './export/otio.ts';
import { rateOf } from './export/timecode.ts';

const SOUND_RATE = 30;

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
  grid: FrameGrid | null;
}

export function exportFiles(
  names: readonly SilenceExport[],
  request: ExportRequest,
): { step: Step; file: PlannedFile }[] {
  const edit = editOf(request);
  return names.map((name) => {
    const file = `edit.${name}`;
    return {
      step: { kind: 'text', file, text: writers[name](edit) },
      file: { role: name, file, extension: name, media_type: textMediaTypes[name] },
    };
  });
}

export function editOf({ input, probe, segments, clips, grid }: ExportRequest): Edit {
  const { video, audio } = probe;
  const rate = rateOf(grid ? 1 / grid.step : SOUND_RATE);
  const frameAt = (time: number) => {
    if (grid?.kind === 'even') return Math.max(0, Math.round((time - grid.zero) / grid.step));
    return Math.round((time * rate.frames) / rate.seconds);
  };
  let at = 0;
  const events = clips.flatMap((clip): EditEvent[] => {
    const [from, to] = [frameAt(clip.start), frameAt(clip.end)];
    if (to <= from) return [];
    const until = at + Math.max(1, Math.round((to - from) / clip.rate));
    const event = { from, to, at, until, muted: clip.muted };
    at = until;
    return [event];
  });
  return {
    name: nameOf(input.video_url ?? input.audio_url ?? ''),
    rate,
    frames: frameAt(lengthOf(probe)),
    picture: grid && video ? { width: video.displayWidth, height: video.displayHeight } : null,
    sound: { channels: audio?.channels ?? 2, sampleRate: audio?.sampleRate ?? 48_000 },
    events,
    segments: segments.map((segment) => ({
      ...segment,
      from: frameAt(segment.start),
      to: frameAt(segment.end),
    })),
  };
}

/**
 * Last path segment of the URL, without characters that the text formats do not allow. The query may contain secrets.
 */
function nameOf(url: string): string {
  const part = /^[a-z]+:(?:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1]?.split('/').at(-1) ?? '';
  const name = part.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return name.replace(/[^\x20-\x7e]|[/\\]/g, '_').slice(0, 120) || 'source';
}
