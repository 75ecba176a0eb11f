import { CanvasSink, type Input } from 'mediabunny';

const MOST_PIXELS_A_SIDE = 1000;
const JPEG_QUALITY = 0.85;

/** A frame of the video as JPEG. @returns null if there is no video that this browser can decode. */
export async function frameAt(input: Input, timestamp: number): Promise<Blob | null> {
  const track = await input.getPrimaryVideoTrack();
  if (!track || !(await track.canDecode())) return null;
  const width = await track.getDisplayWidth();
  const height = await track.getDisplayHeight();
  const scale = Math.min(1, MOST_PIXELS_A_SIDE / Math.max(width, height));
  const sink = new CanvasSink(track, {
    width: Math.max(Math.round(width * scale), 1),
    height: Math.max(Math.round(height * scale), 1),
    fit: 'fill',
  });
  const first = Math.max(timestamp, await track.getFirstTimestamp());
  const { canvas } = (await sink.getCanvas(first)) ?? {};
  if (!(canvas instanceof OffscreenCanvas)) return null;
  return canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY });
}
