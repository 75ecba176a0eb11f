import type { Step } from '../../model/steps.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { add } from './add-audio.ts';
import { append } from './append-audio.ts';
import { turningRound } from './backwards.ts';
import { convert } from './convert-voice.ts';
import { depth } from './estimate-depth.ts';
import { list } from './join-list.ts';
import { map } from './luma-map.ts';
import { mix } from './mix.ts';
import { level } from './normalize-loudness.ts';
import { palette } from './palette.ts';
import { place } from './place-audio.ts';
import { headroom } from './prevent-clipping.ts';
import { remux } from './remux.ts';
import { render } from './render.ts';
import { rounded } from './rounded-mask.ts';
import { separate } from './separate.ts';
import { splice } from './splice.ts';
import type { StepConditions, StepRunner } from './step-runner.ts';
import { stretching } from './time-stretch.ts';
import { trim } from './trim.ts';
import { font } from './write-font.ts';
import { document, text } from './write-text.ts';

type Kind = Step['kind'];
type Runners = { [K in Kind]: StepRunner<Extract<Step, { kind: K }>> };

const runners: Runners = {
  ...{ render, remux, mix, splice, trim, list, append, add, level, headroom, separate, convert, place },
  ...{ stretch: stretching, backwards: turningRound },
  ...{ depth, map, palette, rounded, text, document, font },
};

/** Fixed overhead of every step. */
const LEAST_WEIGHT = 0.1;

// The runner of a kind accepts that kind's steps, which an indexed access type cannot express.
const runnerOf = (step: Step) => runners[step.kind] as StepRunner<Step>;

/** A step's share of the task's time, measured in seconds of encoded video. */
export const weightOf = (step: Step): number => (runnerOf(step).weight?.(step) ?? 0) + LEAST_WEIGHT;

/** The files of the job's directory that a step reads. */
export const readsOf = (step: Step): readonly string[] => runnerOf(step).reads(step);

/** The files of the job's directory that a step writes. */
export const writesOf = (step: Step): readonly string[] => runnerOf(step).writes(step);

/** @returns findings for the operation's report. */
export const runStep = (
  ctx: MediaContext,
  step: Step,
  conditions: StepConditions,
): Promise<object | undefined> => runnerOf(step).run(ctx, step, conditions);
