/** Raw sound as 32-bit floats. */
export interface Raw {
  file: string;
  sampleRate: number;
}

/** Resamples raw sound to exactly `samples` samples. */
export function resampleArguments(from: Raw, to: Raw, channels: number, samples: number): string[] {
  const raw = ({ sampleRate }: Raw) => ['-f', 'f32le', '-ar', `${sampleRate}`, '-ac', `${channels}`];
  const chain = `aresample=${to.sampleRate},apad=whole_len=${samples},atrim=end_sample=${samples}`;
  return [
    ...['-hide_banner', '-nostdin', '-nostats', '-progress', 'pipe:1', '-y', '-v', 'error'],
    ...[...raw(from), '-i', `file:${from.file}`],
    ...['-af', chain, '-c:a', 'pcm_f32le', ...raw(to), `file:${to.file}`],
  ];
}
