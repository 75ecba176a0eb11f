import { srtText } from '../../../schema/media/subtitles.ts';
import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { Plan } from '../../model/plan.ts';
import type { Render, TextCodec } from '../../model/steps.ts';
import { languageCode, textCodecs } from '../plan/tracks/track-label.ts';
import { type CaptionCue, cueText } from './segmentation.ts';

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
  const main = plan.files[0].file;
  const steps = plan.steps.map((step): Plan['steps'][number] => {
    if (step.kind === 'splice')
      return step.file === main ? { ...step, text: { ...track, cues: timed } } : step;
    return step.kind === 'render' && step.outputs.some(({ file }) => file === main)
      ? rendered(step, main, track)
      : step;
  });
  const media = plan.expect.media.map((each, index) =>
    index > 0 ? each : { ...each, texts: [{ codec }, ...(each.texts ?? [])] },
  );
  return {
    ...plan,
    ...(plan.otherwise ? { otherwise: withTrack(plan.otherwise, cues, { format, language }) } : {}),
    steps: [{ kind: 'text', file: FILE, text: srtText(timed) }, ...steps],
    expect: { ...plan.expect, media },
  };
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
