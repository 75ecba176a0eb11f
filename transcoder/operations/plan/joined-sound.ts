import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { AudioStream, MediaProbe } from '../../model/media-probe.ts';
import { greatest } from '../../model/min-max.ts';
import type { Chain, Render, Step } from '../../model/steps.ts';
import { soundFile, soundTarget } from './audio-file.ts';
import { type AudioTarget, probedCodec } from './audio-target.ts';
import { audioFades, audioSpan, type Fades } from './filters.ts';
import { type Span, seekBefore } from './frame-selection.ts';
import { soundPart, totalOf } from './joined-spans.ts';

/** Most ranges read in one run of ffmpeg: each is an input with its own threads. */
const TOGETHER = 16;

const RAW = 'ranges.raw';

interface Sounding {
  probe: MediaProbe;
  stream: AudioStream;
  spans: readonly Span[];
  fades: Fades;
  format: VideoContainer;
}

/** Joins the sound of the ranges into one sample-exact file, for use as an input of a splice. */
export function joinedSound({ probe, stream, spans, fades, format }: Sounding) {
  const target = soundTarget(stream, format);
  const seconds = totalOf(spans);
  const [span] = spans;
  const one = spans.length === 1 && span;
  const from = [`0:${one ? stream.index : 0}`];
  const filters = [...(one ? audioSpan(probe, one) : []), ...audioFades(fades, seconds), ...target.after];
  const raw = { raw: RAW, sampleRate: target.sampleRate, channels: target.channels };
  const made = soundFile(target, {
    inputs: [one ? { source: 0, seek: seekBefore(probe, probe.origin + one.start) } : raw],
    chains: [{ from, filters, to: ['a'] }],
    ...{ seconds, format },
  });
  return {
    steps: [...(one ? [] : rawSteps(probe, stream, spans, target)), made.step],
    codec: probedCodec[target.encoding.encoder],
    input: made.input,
    audio: made.span,
  };
}

/** Steps that write the samples of the ranges, end to end. */
function rawSteps(
  probe: MediaProbe,
  stream: AudioStream,
  spans: readonly Span[],
  target: AudioTarget,
): Step[] {
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
        inputs: own.map(({ start }, at) => {
          const from = probe.origin + start;
          return { source: 0, seek: seekBefore(probe, from), zero: from - totalOf(own.slice(0, at)) };
        }),
        chains: [...chains, { from: own.map((_, at) => `s${at}`), filters: [concat], to: ['a'] }],
        outputs: [{ file: part(group), container: 'raw', from: 'a' }],
        seconds: totalOf(own),
        weight: totalOf(own) / 10,
        lead: greatest(own.map(({ start }) => start)),
      };
    }),
    { kind: 'append', file: RAW, parts: groups.map(part) },
  ];
}
