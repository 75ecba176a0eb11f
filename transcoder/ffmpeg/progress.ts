/** In seconds. Until it has written anything of each stream, ffmpeg reports INT64_MIN, and since version 7 at times what lies before that: INT64_MAX. */
const [EARLIEST, LATEST] = [-1e9, 1e9];

/** Parses the output of `-progress`: blocks of `key=value` lines. */
export function progressReader(onProgress: (outTimeSeconds: number) => void) {
  let rest = '';
  let highest = EARLIEST;
  let risen = performance.now();

  const line = (text: string) => {
    const [key, value = ''] = text.split('=', 2);
    if (key !== 'out_time_us') return;
    const seconds = Number(value) / 1e6;
    if (!(seconds > highest && seconds < LATEST)) return;
    highest = seconds;
    risen = performance.now();
    onProgress(seconds);
  };

  return {
    push(chunk: Buffer) {
      const lines = (rest + chunk.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(line);
    },
    secondsSinceRise: () => (performance.now() - risen) / 1000,
  };
}

/** Forwards output; any output counts as progress. */
export function outputReader(onOutput: (chunk: Buffer) => unknown) {
  let risen = performance.now();
  return {
    push(chunk: Buffer) {
      risen = performance.now();
      return onOutput(chunk);
    },
    secondsSinceRise: () => (performance.now() - risen) / 1000,
  };
}
