import type { Input, Mix, Render, Step } from '../../../model/steps.ts';

/** The steps that make one sound, with other names for the files in between: several sounds can be made in one job. */
export const renamedSteps = (steps: readonly Step[], name: (file: string) => string): Step[] =>
  steps.map((step) => renamed(step, name));

function renamed(step: Step, name: (file: string) => string): Step {
  switch (step.kind) {
    case 'append':
      return { ...step, file: name(step.file), parts: step.parts.map(name) };
    case 'add':
      return { ...step, file: name(step.file), from: name(step.from) };
    case 'stretch':
      return { ...step, from: name(step.from), file: name(step.file) };
    case 'backwards':
      return { ...step, file: name(step.file) };
    case 'render':
    case 'mix':
      return renamedRun(step, name);
    default:
      throw new Error(`a step of kind ${step.kind} makes no sound of a track`);
  }
}

function renamedRun<R extends Render | Mix>(run: R, name: (file: string) => string): R {
  const inputs = run.inputs.map(
    (input): Input => ('raw' in input ? { ...input, raw: name(input.raw) } : input),
  );
  return { ...run, inputs, outputs: run.outputs.map((output) => ({ ...output, file: name(output.file) })) };
}

type Made = Extract<Render['outputs'][number], { audio: unknown }>;

/** Encoders whose delay Matroska would show as a late picture; other tracks would then be early. */
const delaying: readonly unknown[] = ['aac', 'libmp3lame'];

/** A container that shows every track at its own time, for a file that is copied into another one. */
function between({ container, audio, video }: Made): Made['container'] {
  const delays = audio !== null && audio.encode !== 'copy' && delaying.includes(audio.encode.encoder);
  const alpha = video !== null && 'copy' in video.encode && video.encode.copy.alpha === true;
  return container === 'mkv' && delays && !alpha ? 'mp4' : container;
}

/** A plan's steps that write one of its files under another name, to copy its tracks; `container` is that of the file. */
export function writtenBetween(
  steps: readonly Step[],
  file: string,
  name: string,
): { steps: Step[]; container: Made['container'] } {
  let made: Made['container'] | undefined;
  const renamed = steps.map((step) => {
    if (step.kind === 'splice' && step.file === file) {
      made = step.container;
      return { ...step, file: name, between: true };
    }
    if (step.kind !== 'render') return step;
    const outputs = step.outputs.map((output) => {
      if (output.file !== file || !('audio' in output)) return output;
      made = between(output);
      return { ...output, file: name, container: made };
    });
    return { ...step, outputs };
  });
  if (made === undefined) throw new Error(`no step writes ${file}`);
  return { steps: renamed, container: made };
}
