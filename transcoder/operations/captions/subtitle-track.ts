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
  const steps = plan.steps.map((step): Plan['steps'][number] => {
    if (step.kind === 'splice') return { ...step, text: { ...track, cues: timed } };
    return step.kind === 'render' && step.outputs.some(isVideo) ? rendered(step, track) : step;
  });
  const media = plan.expect.media.map((each) => ({ ...each, texts: [{ codec }] }));
  return {
    ...plan,
    ...(plan.otherwise ? { otherwise: withTrack(plan.otherwise, cues, { format, language }) } : {}),
    steps: [{ kind: 'text', file: FILE, text: srtText(timed) }, ...steps],
    expect: { ...plan.expect, media },
  };
}

type Output = Render['outputs'][number];

const isVideo = (output: Output) => 'video' in output && output.video !== null;

function rendered(step: Render, { codec, language }: { codec: TextCodec; language: string }): Render {
  const label = { language, title: null, default: true };
  const texts = [{ from: `${step.inputs.length}:0`, codec, label }];
  return {
    ...step,
    inputs: [...step.inputs, { subtitles: FILE }],
    outputs: step.outputs.map((output) =>
      'video' in output && output.video ? { ...output, texts } : output,
    ),
  };
}
