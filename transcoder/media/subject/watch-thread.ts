import { parentPort, workerData } from 'node:worker_threads';
import { readFaceWeights } from './face-weights.ts';
import { type Watched, watcher } from './watcher.ts';

/** Data of the thread that watch.ts starts. */
export interface WatchOrder {
  width: number;
  height: number;
  every: number;
  crop: { width: number; height: number };
}

/** Whole frames one after another, or null after the last one. */
export type WatchMessage = Uint8Array | null;

/** `next` asks for more frames. */
export type WatchAnswer = 'next' | Watched;

const { width, height, every, crop } = workerData as WatchOrder;
const watching = watcher(readFaceWeights(), every, crop);
const size = width * height * 3;

parentPort?.on('message', (message: WatchMessage) => {
  const answer = (one: WatchAnswer) => parentPort?.postMessage(one);
  if (message === null) {
    answer(watching.end());
    parentPort?.close();
    return;
  }
  for (let at = 0; at + size <= message.length; at += size) {
    watching.push({ width, height, pixels: message.subarray(at, at + size) });
  }
  answer('next');
});
