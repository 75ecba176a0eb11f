import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { Plan } from '../../model/plan.ts';
import type { Render, Step, TextCodec } from '../../model/steps.ts';
import { type CaptionCue, cueText } from '../plan/captions/segmentation.ts';
import { alike, expecting } from '../plan/changed-plan.ts';
import { textOfTrack } from '../plan/tracks/text-of-track.ts';
import { languageCode, textCodecs } from '../plan/tracks/track-label.ts';

const FILE = 'embedded.srt';

/** Adds the captions to a plan as a subtitle track. */
export function withTrack(
  plan: Plan,
  cues: readonly CaptionCue[],
  { format, language }: { format: VideoContainer; language: string | null },
): Plan {
  if (cues.length === 0) return plan;
  const timed = cues.map((cue) => ({ start: cue.start, end: cue.end, text: cueText(cue) }));
  const codec = textCodecs[format];
  const track = { codec, language: languageCode(language) };
  return alike(plan, (each) => {
    const main = each.files[0].file;
    const steps = each.steps.map((step): Step => {
      if (step.kind === 'splice')
        return step.file === main ? { ...step, text: { ...track, cues: timed } } : step;
      return step.kind === 'render' && step.outputs.some(({ file }) => file === main)
        ? rendered(step, main, track)
        : step;
    });
    const texts = [{ codec }, ...(each.expect.media[0]?.texts ?? [])];
    const written: Step = { kind: 'text', file: FILE, text: textOfTrack(timed, codec) };
    return { ...expecting(each, { texts }), steps: [written, ...steps] };
  });
}

/** The captions come before text tracks of the source, and players choose them. */
function rendered(
  step: Render,
  main: string,
  { codec, language }: { codec: TextCodec; language: string },
): Render {
  const label = { language, title: null, default: true };
  const track = { from: `${step.inputs.length}:0`, codec, label };
  return {
    ...step,
    inputs: [...step.inputs, { subtitles: FILE }],
    outputs: step.outputs.map((output) => {
      if (output.file !== main || !('audio' in output)) return output;
      const others = (output.texts ?? []).map((text) => ({
        ...text,
        label: { ...text.label, default: false },
      }));
      return { ...output, texts: [track, ...others] };
    }),
  };
}
