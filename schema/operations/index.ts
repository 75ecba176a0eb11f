import type { z } from 'zod';
import { captionsAuto } from './captions-auto.ts';
import { crop } from './crop.ts';
import { cut } from './cut.ts';
import { editByText } from './edit-by-text.ts';
import { frame } from './frame.ts';
import { frameLast } from './frame-last.ts';
import { mergeUrls } from './merge-urls.ts';
import { photoAnimate } from './photo-animate.ts';
import { probe } from './probe.ts';
import { redub } from './redub.ts';
import { redubTts } from './redub-tts.ts';
import { redubVc } from './redub-vc.ts';
import { remux } from './remux.ts';
import { separate } from './separate.ts';
import { silenceProcess } from './silence-process.ts';
import { speed } from './speed.ts';
import { timeline } from './timeline.ts';
import { transcode } from './transcode.ts';
import { transcribe } from './transcribe.ts';
import { visualize } from './visualize.ts';

/** All operations. Routes, OpenAPI, MCP tools and documentation loop over this. */
export const operations = {
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
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
export type OperationInput<N extends OperationName> = z.output<Operations[N]['input']>;
export type OperationData<N extends OperationName> = z.output<Operations[N]['data']>;

export const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];

for (const [name, entry] of Object.entries(operations)) {
  if (entry.name !== name)
    throw new Error(`schema/operations/index.ts: register ${entry.name} under its own name`);
}
