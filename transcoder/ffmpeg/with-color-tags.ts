import type { Color } from '../model/encoding.ts';
import type { Chain, Filter, Output, Render } from '../model/steps.ts';

/**
 * Gives the pictures to be encoded the color tags of the result. Since version 7, ffmpeg states the tags of the last filter, and ignores what
 * an encoder is asked to state. The pixels are converted before, as the tags tell how.
 */
export function withColorTags(step: Render): Render {
  const tagged: Chain[] = [];
  const outputs = step.outputs.map((output, index): Output => {
    if (!('video' in output) || !output.video || !('encoder' in output.video.encode)) return output;
    const { from, encode } = output.video;
    const made = `tagged${index}`;
    const format = { name: 'format', options: { pix_fmts: encode.pixelFormat } };
    tagged.push({ from: [from], filters: [format, tags(encode.color)], to: [made] });
    return { ...output, video: { ...output.video, from: made } };
  });
  return tagged.length === 0 ? step : { ...step, chains: [...step.chains, ...tagged], outputs };
}

const tags = ({ space, transfer, primaries, range }: Color): Filter => ({
  name: 'setparams',
  options: {
    colorspace: space ?? 'unknown',
    color_trc: transfer ?? 'unknown',
    color_primaries: primaries ?? 'unknown',
    range: range ?? 'unknown',
  },
});
