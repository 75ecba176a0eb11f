import { open, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { VoiceActivity, VoiceActivityRequest } from './protocol.ts';
import { latestLoaded, type Work } from './serve.ts';
import { bothWays, type SampleSource } from './sound-windows.ts';

/** Samples of a window, and of the one before it that the network sees again. */
const WINDOW = 512;
const CONTEXT = 64;
const INPUT = CONTEXT + WINDOW;
/** Numbers that the network remembers for each direction. */
const MEMORY = 128;
const DIRECTIONS = 2;
const SAMPLE_RATE = 16_000;
/** Windows between turns of the event loop, which send beats and progress. */
const TURN = 250;

const networkOf = latestLoaded<InferenceSession>(1);

/**
 * Runs Silero VAD over the sound forwards and backwards at once, and takes the square of the mean of the roots. The network
 * remembers what it heard: after speech a chair seems to speak, before it nothing does. But soft words, too, are often heard in
 * one direction alone, which therefore still counts for a quarter. Holds a few hundred kilobytes of sound, however long it is.
 */
export async function voiceActivityOf(
  { model, sound, to }: VoiceActivityRequest,
  { loaded, progress }: Work,
): Promise<VoiceActivity> {
  const session = await networkOf(model, () =>
    InferenceSession.create(model, {
      executionProviders: ['cpu'],
      executionMode: 'sequential',
      // Its matrices are small: more threads only wait for one another.
      ...{ intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 },
    }),
  );
  const network = networkWith(session);
  // A network of another form fails here, before it counts as loaded.
  await network.next(new Float32Array(WINDOW), new Float32Array(WINDOW));
  network.forget();
  loaded();
  const file = await open(sound);
  try {
    const source: SampleSource = {
      samples: Math.floor((await file.stat()).size / 2),
      read: async (into, at) => {
        const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
        for (let done = 0; done < bytes.length; ) {
          const { bytesRead } = await file.read(bytes, done, bytes.length - done, 2 * at + done);
          if (bytesRead === 0) throw new Error('the sound is shorter than its file');
          done += bytesRead;
        }
      },
    };
    const windows = Math.ceil(source.samples / WINDOW);
    const [ahead, back] = [new Float32Array(windows), new Float32Array(windows)];
    let index = 0;
    for await (const [forwards, backwards] of bothWays(source, WINDOW)) {
      const [first, second] = await network.next(forwards, backwards);
      [ahead[index], back[windows - 1 - index]] = [first, second];
      index++;
      if (index % TURN > 0) continue;
      progress(index / windows);
      await setImmediate();
    }
    const probabilities = ahead.map((value, at) => ((Math.sqrt(value) + Math.sqrt(back[at] ?? 0)) / 2) ** 2);
    await writeFile(to, new Uint8Array(probabilities.buffer));
    return { windows };
  } finally {
    await file.close();
  }
}

function networkWith(session: InferenceSession) {
  const rate = new Tensor('int64', BigInt64Array.of(BigInt(SAMPLE_RATE)), []);
  const input = new Float32Array(DIRECTIONS * INPUT);
  const blank = () =>
    new Tensor('float32', new Float32Array(2 * DIRECTIONS * MEMORY), [2, DIRECTIONS, MEMORY]);
  let state: InferenceSession.OnnxValueMapType[string] = blank();
  return {
    forget() {
      input.fill(0);
      state = blank();
    },
    /** The probability of a voice in the next window of each direction. */
    async next(...windows: [Float32Array, Float32Array]): Promise<[number, number]> {
      for (const [direction, window] of windows.entries()) {
        const from = direction * INPUT;
        input.copyWithin(from, from + WINDOW, from + INPUT);
        input.set(window, from + CONTEXT);
      }
      const { output, stateN } = await session.run({
        input: new Tensor('float32', input, [DIRECTIONS, INPUT]),
        ...{ state, sr: rate },
      });
      const [first, second] = (output?.data ?? []) as Float32Array;
      if (!stateN || first === undefined || second === undefined) {
        throw new Error('the network is not a Silero VAD');
      }
      state = stateN;
      return [first, second];
    },
  };
}
