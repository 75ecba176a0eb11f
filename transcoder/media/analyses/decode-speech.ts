import { join } from 'node:path';
import { POCKETSPHINX_RATE } from '../../engines/speech/pocketsphinx.ts';
import { renderArguments } from '../../ffmpeg/arguments.ts';
import { run } from '../../ffmpeg/run.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import { soundSince } from '../../model/source/sound-times.ts';
import { type Filter, withoutGapsOptions } from '../../model/steps.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { decodeMono } from './decode-mono.ts';

/** Samples per second at which engines hear speech. */
export const SPEECH_RATE = POCKETSPHINX_RATE;

const STALL_SECONDS = 60;

interface Conditions {
  source: MediaSource;
  probe: MediaProbe;
  /** The job's directory. */
  directory: string;
  signal?: AbortSignal | undefined;
}

/** Decodes a sound from the start of the source to a file of mono 32-bit floats at the engines' sample rate. */
export async function decodeSpeech(
  ctx: MediaContext,
  stream: number,
  conditions: Conditions,
  file: string,
): Promise<void> {
  const { source, probe, directory, signal } = conditions;
  const audio = probe.streams.find(({ index }) => index === stream)?.audio ?? probe.audio;
  const mono = { audio, source, to: join(directory, file), samples: Float32Array, signal };
  await decodeMono(ctx, mono, (chosen) => decode(ctx, stream, conditions, chosen, file));
}

async function decode(
  ctx: MediaContext,
  stream: number,
  { source, probe, directory, signal }: Conditions,
  chosen: readonly Filter[],
  file: string,
): Promise<void> {
  const read = await source.whole();
  const filters = [
    ...soundSince(probe.audio, probe.origin),
    { name: 'aresample', options: withoutGapsOptions },
    ...chosen,
    {
      name: 'aformat',
      options: { sample_fmts: 'flt', sample_rates: SPEECH_RATE, channel_layouts: 'mono' },
    },
  ];
  const args = renderArguments(
    {
      kind: 'render',
      inputs: [{ source: 0, seek: null }],
      chains: [{ from: [`0:${stream}`], filters, to: ['a'] }],
      outputs: [{ file, container: 'raw', from: 'a' }],
      ...{ seconds: probe.duration, lead: 0 },
    },
    [{ ...read, presented: true }],
    ctx.capabilities,
  );
  await run(ctx.programs, 'ffmpeg', args, {
    ...{ cwd: directory, reads: [read.path], signal },
    onProgress: () => {},
    stallSeconds: STALL_SECONDS,
  });
}
