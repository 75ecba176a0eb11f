import { html } from 'hono/html';
import type { PartState } from '../../../schema/api/status.ts';
import type { Html } from '../docs/shell.ts';

export const stateTexts: Record<PartState, string> = {
  up: 'Works',
  down: 'Does not work',
  unknown: 'Not known',
};

/** A moment as `2026-11-23 14:05 UTC`. */
export function timeTag(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
