import type { Done, MixRequest } from '../../protocol.ts';
import { type Feed, flow, type Outlet } from '../complex-graph.ts';
import { RawFeed, SoundFeed } from './decode.ts';
import { EncodedSound, RawSound } from './encode.ts';

/** Decodes audio, runs it through filters and writes the outputs. */
export async function mix(
  { feeds, chains, outputs, seconds }: MixRequest,
  onProgress: (fraction: number) => void,
): Promise<Done> {
  const sources: (Feed & { close(): unknown })[] = [];
  const sinks: (RawSound | EncodedSound)[] = [];
  let frames = 0;
  try {
    for (const feed of feeds) {
      sources.push('raw' in feed ? await RawFeed.open(feed) : await SoundFeed.open(feed));
    }
    const outlets: Outlet[] = [];
    for (const { from, file, encoding } of outputs) {
      const sink = encoding ? new EncodedSound(file, encoding) : await RawSound.open(file);
      sinks.push(sink);
      outlets.push({
        ...{ from, name: 'abuffersink', before: sink.before },
        take: async (frame) => {
          await sink.take(frame);
          frames += 1;
          if (seconds > 0) onProgress(Math.min(1, sink.seconds / seconds));
        },
      });
    }
    await flow(sources, chains, outlets);
    for (const sink of sinks) await sink.finish();
  } finally {
    for (const each of [...sources, ...sinks]) await each.close();
  }
  return { frames };
}
