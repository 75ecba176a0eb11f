import type { ExpectedMedia, Plan } from '../../model/plan.ts';
import type { Output, Splice, Step, Trim } from '../../model/steps.ts';
import { expectationsOf, type Written } from './output.ts';
import { micros } from './require-streams.ts';

/** Makes the same change to a plan and to its fallback. */
export function alike(plan: Plan, change: (plan: Plan) => Plan): Plan {
  const { otherwise } = plan;
  return { ...change(plan), ...(otherwise ? { otherwise: alike(otherwise, change) } : {}) };
}

/** With more or other expectations of the first media file. */
export function expecting(plan: Plan, more: Partial<ExpectedMedia>): Plan {
  const [main, ...others] = plan.expect.media;
  if (!main) throw new Error('the plan makes no media');
  const media = [{ ...main, ...more }, ...others];
  const duration = more.duration === undefined ? plan.duration : micros(more.duration);
  return { ...plan, expect: { ...plan.expect, media }, duration };
}

/** The same output, made by other steps that copy packets; `full` renders everything and is the fallback. */
export const withFallback = (full: Plan, steps: Step[], more: Partial<ExpectedMedia>): Plan => ({
  ...expecting(full, more),
  steps,
  otherwise: full,
});

/** The same plan with another fallback, whose own fallback is tried last. */
export const withFirstFallback = (plan: Plan, otherwise: Plan): Plan => ({ ...plan, otherwise });

export const withData = (plan: Plan, data: Record<string, unknown>): Plan =>
  alike(plan, (each) => ({ ...each, data: { ...data, ...each.data } }));

/** With further files after the own ones, and the steps that write them. */
export function withFiles(plan: Plan, files: readonly Written[]): Plan {
  const more = expectationsOf(files);
  return alike(plan, (each) => ({
    ...each,
    steps: [...each.steps, ...files.map(({ step }) => step)],
    files: [...each.files, ...files.map(({ file }) => file)],
    expect: {
      media: [...each.expect.media, ...more.media],
      pictures: [...each.expect.pictures, ...more.pictures],
    },
  }));
}

type Said<K extends 'labels' | 'metadata'> = { [N in K]: NonNullable<Splice[N]> };

/** Says more in the main file about itself or its tracks. */
export function described(plan: Plan, more: Said<'labels'> | Said<'metadata'>): Plan {
  return alike(plan, (each) => {
    const [{ file }] = each.files;
    const written = (output: Output): Output =>
      output.file === file && 'audio' in output ? { ...output, ...more } : output;
    const steps = each.steps.map((step): Step => {
      if (step.kind === 'splice') return step.file === file ? { ...step, ...more } : step;
      if (step.kind === 'trim' && step.file === file) return { ...step, ...soundLabel(more) };
      return step.kind === 'render' ? { ...step, outputs: step.outputs.map(written) } : step;
    });
    return { ...each, steps };
  });
}

const soundLabel = (more: Said<'labels'> | Said<'metadata'>): Pick<Trim, 'label'> =>
  'labels' in more && more.labels.audio ? { label: more.labels.audio } : {};
