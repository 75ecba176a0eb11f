import { z } from 'zod';

/** A text that a user picks in a client, which tells the model which tools to call and with what. */
export interface Prompt<F extends z.ZodRawShape = z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  /** The arguments; all are texts. */
  fields: z.ZodObject<F>;
  text(args: z.output<z.ZodObject<F>>): string;
  /** Values to offer while an argument is typed. */
  complete: { readonly [K in Extract<keyof F, string>]?: readonly string[] };
}

export const prompt = <F extends z.ZodRawShape>(one: Prompt<F>) => one as unknown as Prompt;

export const text = (description: string) => z.string().min(1).max(10_000).meta({ description });

/** The steps of a prompt, numbered. */
export const steps = (...lines: readonly (string | null)[]) =>
  lines
    .filter((line) => line !== null)
    .map((line, index) => `${index + 1}. ${line}`)
    .join('\n');

/** How every prompt ends. */
export const FINISH =
  'Wait for each task with get_task and wait_seconds 45. If a task fails, read its error, correct the arguments and call the tool again. At the end, give me output.file_url and say in one sentence what was done.';
