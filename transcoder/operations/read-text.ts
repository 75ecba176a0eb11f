import type { TextRead, TextRequest } from '../model/read-text.ts';
import { readCaptions } from './plan/captions/parse-input.ts';
import { readScript } from './redub/script.ts';

/** Parses a text from the caller. Throws TaskFailure if that fails. */
export function textRead(request: TextRequest): TextRead {
  const { text, field } = request;
  if (request.as === 'captions') return { as: 'captions', captions: readCaptions(text, field) };
  return { as: 'script', script: readScript(text, request.pronunciations) };
}
