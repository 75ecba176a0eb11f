import { join } from 'node:path';
import { graphText } from '../../model/filter-text.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import type { Mix, Output } from '../../model/steps.ts';
import { LibavFailure } from '../libav/pool.ts';
import type { MixRequest } from '../libav/protocol.ts';
import { filesRead, secondsOf } from './render.ts';
import type { StepRunner } from './step-runner.ts';

/** Translates the step into a libav request. */
function mixRequest(
  { inputs, chains, outputs, seconds }: Mix,
  sources: readonly MediaSource[],
  directory: string,
): MixRequest {
  const labels = chains.flatMap(({ from }) => from).filter((label) => /^\d+:\d+$/.test(label));
  return {
    kind: 'mix',
    feeds: labels.map((label) => {
      const [index = 0, stream = 0] = label.split(':').map(Number);
      const input = inputs[index];
      if (input && 'raw' in input) return { ...input, label, raw: join(directory, input.raw) };
      const source = input && 'source' in input ? sources[input.source] : undefined;
      if (!source || !input || !('source' in input))
        throw new Error(`a mix reads ${label}, which does not exist`);
      const { seek, loop = false, zero = null } = input;
      return { label, source: source.parts(), stream, seek, loop, zero };
    }),
    chains: graphText(chains),
    outputs: outputs.map((output) => outputOf(output, directory)),
    seconds: seconds ?? 0,
  };
}

function outputOf(output: Output, directory: string): MixRequest['outputs'][number] {
  const file = join(directory, output.file);
  if (output.container === 'raw') return { from: output.from, file, encoding: null };
  const { container } = output;
  if (!('audio' in output) || !output.audio || output.video || output.audio.encode === 'copy') {
    throw new Error('a mix can only write audio');
  }
  const { from, encode } = output.audio;
  const { encoder, kbps } = encode;
  if (container !== 'm4a' && container !== 'ogg') throw new Error(`a mix cannot write ${container}`);
  if (encoder !== 'aac' && encoder !== 'libopus') throw new Error(`a mix cannot encode ${encoder}`);
  return { from, file, encoding: { container, encoder, kbps } };
}

export const mix: StepRunner<Mix> = {
  weight: secondsOf,
  reads: filesRead,
  writes: ({ outputs }) => outputs.map(({ file }) => file),
  run: async ({ libav }, step, { directory, sources, signal, onProgress }) => {
    if (!libav) throw new LibavFailure('libav cannot be loaded');
    await libav.ask(mixRequest(step, sources, directory), { sources, signal, onProgress });
    return undefined;
  },
};
