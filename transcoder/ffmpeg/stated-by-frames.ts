import { type Color, masters, type VideoEncoding } from '../model/encoding.ts';
import type { Chain, Filter, Output, Render } from '../model/steps.ts';

/**
 * Lets the pictures to be encoded say what the result is to state. Since version 7, ffmpeg takes color tags from the last filter, whatever an
 * encoder is asked to state, and writes what frames bring with them from their source: that photos have to be turned, or the metadata of
 * Dolby Vision. The pixels are converted before, as the tags tell how.
 */
export function withStatements(step: Render): Render {
  const made: Chain[] = [];
  const outputs = step.outputs.map((output, index): Output => {
    if (!('video' in output) || !output.video || !('encoder' in output.video.encode)) return output;
    const { from, encode } = output.video;
    const to = `stated${index}`;
    const format = { name: 'format', options: { pix_fmts: encode.pixelFormat } };
    made.push({ from: [from], filters: [format, tags(encode.color), ...withoutTraces(encode)], to: [to] });
    return { ...output, video: { ...output.video, from: to } };
  });
  return made.length === 0 ? step : { ...step, chains: [...step.chains, ...made], outputs };
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

/** Numbers of `AVFrameSideDataType`, of which ffmpeg 5 has no names: of the RPU of Dolby Vision, and of its metadata. */
const DOLBY_VISION = [23, 24];
/** Where a picture is to be turned, and what is wrong once it is cropped or scaled. */
const OF_THE_SOURCE = ['DISPLAYMATRIX', 'STEREO3D', 'SPHERICAL', ...DOLBY_VISION];
const OF_HDR = ['MASTERING_DISPLAY_METADATA', 'CONTENT_LIGHT_LEVEL', 'DYNAMIC_HDR_PLUS'];

const withoutTraces = ({ mastering, encoder }: VideoEncoding): Filter[] =>
  [...OF_THE_SOURCE, ...(mastering && masters.has(encoder) ? [] : OF_HDR)].map((type) => ({
    name: 'sidedata',
    options: { mode: 'delete', type },
  }));
