import { type Programs, run } from '../ffmpeg/run.ts';

/** Where eSpeak NG keeps its phonemes, by its own word; sherpa-onnx reads them too. Throws where it does not run. */
export async function espeakData(programs: Programs): Promise<string> {
  const { stdout } = await run(programs, 'espeak-ng', ['--version'], { timeoutSeconds: 20 });
  const found = /Data at: (\/\S+)/.exec(stdout)?.[1];
  if (!found) throw new Error('eSpeak NG does not say where its data are');
  return found;
}
