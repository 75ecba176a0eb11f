import type { VideoContainer } from '../../schema/fields.ts';
import type { Step } from '../ffmpeg/step.ts';
import type { Splice, SpliceInput } from '../media/plan.ts';
import type { AudioStream, MediaProbe } from '../media/probe.ts';
import { totalOf } from './cut-joined.ts';
import { soundSteps } from './cut-sound.ts';
import { demuxerFor } from './files.ts';
import { audioTarget, probedCodec } from './sound.ts';
import type { Span } from './timeline.ts';

/** The sound of a splice. */
export interface SplicedSound {
  input: SpliceInput;
  /** What of the input is heard, in its samples. */
  trim: Omit<NonNullable<Splice['audio']>, 'input'>;
  /** As ffprobe names it. */
  codec: string;
  /** Makes the input, where it is a file. */
  before: Step[];
}

/** Sound that is copied, and how many packets its decoder takes to settle. */
const settling: Partial<Record<string, number>> = { aac: 1, ac3: 1, mp3: 3 };

/**
 * Packets of the source where they fit and an edit list can say where among them the sound begins; else a file that
 * has been encoded for it, which knows by how many samples its encoder leads.
 */
export function splicedSound(
  probe: MediaProbe,
  stream: AudioStream,
  spans: readonly Span[],
  container: VideoContainer,
): SplicedSound {
  const [span] = spans;
  const settle = settling[stream.codec];
  if (spans.length === 1 && span && settle !== undefined && copies(probe, stream, container)) {
    const sample = (time: number) => Math.round((probe.origin + time) * stream.sampleRate);
    return {
      input: { source: 0, stream: stream.index },
      trim: { start: sample(span.start), end: sample(span.end), settle },
      codec: stream.codec,
      before: [],
    };
  }
  const format = container === 'webm' ? 'ogg' : 'm4a';
  const target = audioTarget(stream, format, { codec: 'auto', kbps: null });
  const file = `sound.${format}`;
  return {
    input: { file, format: demuxerFor(format), stream: 0 },
    trim: { start: 0, end: Math.round(totalOf(spans) * target.sampleRate), settle: 1 },
    codec: probedCodec[target.encoding.encoder],
    before: soundSteps(probe, stream, spans, { file, container: format, target, fades: { in: 0, out: 0 } }),
  };
}

function copies({ format, streams }: MediaProbe, { index, codec }: AudioStream, container: VideoContainer) {
  const profile = streams.find((stream) => stream.index === index)?.profile;
  const edited = format === 'mov' && (container === 'mp4' || container === 'mov');
  return edited && (codec !== 'aac' || profile === 'LC');
}
