import { type Programs, run } from '../ffmpeg/run.ts';

/**
 * Directory of the phoneme data of eSpeak NG, as the program reports it; sherpa-onnx reads it too. Throws if eSpeak NG
 * does not run.
 */
export async function espeakData(programs: Programs): Promise<string> {
  const { stdout } = await run(programs, 'espeak-ng', ['--version'], { timeoutSeconds: 20 });
  const found = /Data at: (\/\S+)/.exec(stdout)?.[1];
  if (!found) throw new Error('espeak-ng --version does not report its data directory');
  return found;
}
