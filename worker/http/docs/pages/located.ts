import { withSamples } from '../../../services/docs/stand-ins.ts';
import { EXAMPLE_ORIGIN } from '../example-tasks.ts';
import type { Site } from './doc-page.ts';

/** A text with the addresses of this service, and of its samples where tasks can read them. */
export const located = (text: string, { url, samples }: Site): string =>
  withSamples(text, samples).replaceAll(EXAMPLE_ORIGIN, url);
