/** Bits per sample of codecs with a fixed size; 0 for the others. @param codec libav's name. */
export function bitsOf(codec: string): number {
  if (/^pcm_(alaw|mulaw|vidc)$/.test(codec)) return 8;
  if (/^adpcm_(ima_(wav|qt)|ms|yamaha|swf)$/.test(codec)) return 4;
  return Number(/^pcm_[a-z](\d+)/.exec(codec)?.[1] ?? 0);
}
