import type { OperationInput, OperationName } from '../../schema/operations/index.ts';
import type { Planner } from '../model/plan.ts';
import { captionsAuto } from './captions/captions-auto.ts';
import { transcribe } from './captions/transcribe.ts';
import { crop } from './crop/crop.ts';
import { cut } from './cut/cut.ts';
import { frame } from './frame/frame.ts';
import { frameLast } from './frame/frame-last.ts';
import { mergeUrls } from './merge/merge-urls.ts';
import { photoAnimate } from './photo/photo-animate.ts';
import { withSpans } from './plan/spans.ts';
import { probe } from './probe/probe.ts';
import { redub } from './redub/redub.ts';
import { redubTts } from './redub/redub-tts.ts';
import { redubVc } from './redub/redub-vc.ts';
import { remux } from './remux/remux.ts';
import { separate } from './separate/separate.ts';
import { editByText } from './silence/edit-by-text.ts';
import { silenceProcess } from './silence/silence-process.ts';
import { speed } from './speed/speed.ts';
import { timeline } from './timeline/timeline.ts';
import { transcode } from './transcode/transcode.ts';
import { visualize } from './visualize/visualize.ts';

/** One planner per operation of the schema; a missing one does not compile. */
export const planners = {
  cut,
  crop,
  transcode,
  remux,
  silence_process: silenceProcess,
  edit_by_text: editByText,
  speed,
  merge_urls: mergeUrls,
  timeline,
  redub,
  redub_tts: redubTts,
  redub_vc: redubVc,
  captions_auto: captionsAuto,
  transcribe,
  separate,
  visualize,
  photo_animate: photoAnimate,
  frame_last: frameLast,
  frame,
  probe,
} satisfies { [N in OperationName]: Planner<OperationInput<N>> };

/**
 * The planner of an operation known only by name. The input must have been parsed with the schema of that operation.
 */
export function plannerOf(name: OperationName): Planner<Record<string, unknown>> {
  const planner = planners[name] as unknown as Planner<Record<string, unknown>>;
  return { ...planner, plan: (request) => withSpans(planner.plan(request)) };
}
