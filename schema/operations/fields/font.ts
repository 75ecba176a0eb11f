import type { SourceRef } from '../operation.ts';
import { source } from './fields.ts';

export const fontUrl = () =>
  source().meta({
    description:
      'Public https:// URL of a font of your own, or `upload:<upload_id>`: TTF, OTF, TTC (its first font), WOFF or WOFF2, at most 32 MB. It is used for this task only; use it instead of `font_family`. Letters that it lacks are drawn with the other fonts.',
    format: 'uri',
  });

/** @param pointer JSON pointer to the style. */
export const fontSource = (style: { font_url?: string | undefined }, pointer: string): SourceRef[] =>
  style.font_url === undefined ? [] : [{ pointer: `${pointer}/font_url`, url: style.font_url, kind: 'font' }];
