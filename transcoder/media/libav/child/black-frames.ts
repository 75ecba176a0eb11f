import type { Frame } from 'node-av/lib';
import { blackChain, isBlack } from '../../../ffmpeg/black-frames.ts';
import { FrameGraph } from './frame-graph.ts';

/** Detects black frames. */
export class Darkness {
  #graph = new FrameGraph(blackChain);

  async of(frame: Frame): Promise<boolean> {
    const measured = await this.#graph.filtered(frame);
    return isBlack(Number(measured.getMetadata().get('lavfi.blackframe.pblack')));
  }

  close(): void {
    this.#graph.close();
  }
}
