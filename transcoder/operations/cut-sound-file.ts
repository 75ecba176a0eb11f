import type { Chain, Render, Step } from '../ffmpeg/step.ts';
import type { AudioStream, MediaProbe } from '../media/probe.ts';
import { audioFades, audioSpan, type Fades } from './chains.ts';
import { soundPart, totalOf } from './cut-joined.ts';
import { demuxerFor } from './files.ts';
import { type AudioTarget, audioTarget, probedCodec } from './sound.ts';
import type { soundContainer } from './sound-file.ts';
import { type Span, seekBefore } from './timeline.ts';

/** Ranges that one run of ffmpeg takes the sound of: each is an input of its own, with threads of its own. */
const TOGETHER = 16;

const RAW = 'ranges.raw';

interface Sounding {
  probe: MediaProbe;
  stream: AudioStream;
  spans: readonly Span[];
  fades: Fades;
  container: ReturnType<typeof soundContainer>;
  /** Number of the input that the file becomes. */
  index: number;
}

/** The sound of the ranges end to end in one file, exact to the sample, as an input of a splice. */
export function joinedSound({ probe, stream, spans, fades, container, index }: Sounding) {
  const target = audioTarget(stream, container, { codec: 'auto', kbps: null });
  const total = totalOf(spans);
  const [span] = spans;
  const output = { file: `sound.${container}`, container };
  const steps: Step[] =
    spans.length === 1 && span
      ? [
          encode(
            [{ source: 0, seek: seekBefore(probe, probe.origin + span.start) }],
            {
              from: [`0:${stream.index}`],
              filters: [...audioSpan(probe, span), ...audioFades(fades, total), ...target.after],
              to: ['a'],
            },
            target,
            total,
            output,
          ),
        ]
      : joined(probe, stream, spans, target, audioFades(fades, total), output);
  return {
    steps,
    codec: probedCodec[target.encoding.encoder],
    input: { file: output.file, format: demuxerFor(container), stream: 0 },
    audio: { input: index, start: 0, end: Math.round(total * target.sampleRate), settle: 1 },
  };
}

function joined(
  probe: MediaProbe,
  stream: AudioStream,
  spans: readonly Span[],
  target: AudioTarget,
  fades: Chain['filters'],
  output: SoundFile,
): Step[] {
  const total = totalOf(spans);
  const groups = Array.from({ length: Math.ceil(spans.length / TOGETHER) }, (_, index) => index);
  const part = (group: number) => `ranges${group}.raw`;
  return [
    ...groups.map((group): Render => {
      const own = spans.slice(group * TOGETHER, (group + 1) * TOGETHER);
      const chains = own.map((_, at): Chain => {
        const chain = soundPart(probe, stream, target, spans, group * TOGETHER + at);
        return { ...chain, from: [`${at}:${stream.index}`], to: [`s${at}`] };
      });
      const concat = { name: 'concat', options: { n: own.length, v: 0, a: 1 } };
      return {
        kind: 'render',
        inputs: own.map(({ start }) => ({ source: 0, seek: seekBefore(probe, probe.origin + start) })),
        chains: [...chains, { from: own.map((_, at) => `s${at}`), filters: [concat], to: ['a'] }],
        outputs: [{ file: part(group), container: 'raw', from: 'a' }],
        seconds: totalOf(own) / 10,
        lead: Math.max(...own.map(({ start }) => start)),
      };
    }),
    { kind: 'append', file: RAW, parts: groups.map(part) },
    encode(
      [{ raw: RAW, sampleRate: target.sampleRate, channels: target.channels }],
      { from: ['0:0'], filters: [...fades, ...target.after], to: ['a'] },
      target,
      total,
      output,
    ),
  ];
}

interface SoundFile {
  file: string;
  container: Sounding['container'];
}

function encode(
  inputs: Render['inputs'],
  chain: Chain,
  target: AudioTarget,
  total: number,
  output: SoundFile,
): Render {
  return {
    kind: 'render',
    inputs,
    chains: [chain],
    outputs: [{ ...output, video: null, audio: { from: 'a', encode: target.encoding } }],
    seconds: total / 10,
    lead: 0,
  };
}
