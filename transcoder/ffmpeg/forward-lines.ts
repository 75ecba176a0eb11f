import type { Chain, Output, Render } from '../model/steps.ts';

/**
 * Copies the pictures that SVT-AV1 encodes. `vflip`, which ffmpeg also inserts for sources that are mirrored, does not move the lines of a picture
 * but has them read backwards, and with that SVT-AV1 never ends.
 */
export function withForwardLines(step: Render): Render {
  const copies: Chain[] = [];
  const outputs = step.outputs.map((output, index): Output => {
    if (!('video' in output) || !output.video || !encodesForwards(output.video.encode)) return output;
    const { from } = output.video;
    const made = `forwards${index}`;
    copies.push({ from: [from], filters: [{ name: 'copy' }], to: [made] });
    return { ...output, video: { ...output.video, from: made } };
  });
  return copies.length === 0 ? step : { ...step, chains: [...step.chains, ...copies], outputs };
}

const encodesForwards = (encode: NonNullable<Extract<Output, { video: unknown }>['video']>['encode']) =>
  'encoder' in encode && encode.encoder === 'libsvtav1';
