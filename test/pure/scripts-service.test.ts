import { describe, expect, it } from 'vitest';
import { slotsFor } from '../../scripts/lib/service.mjs';
import { variables } from '../../transcoder/env.ts';

describe('the transcoder of npm start', () => {
  it.each([
    [0, 2],
    [1, 2],
    [12, 12],
    [64, 64],
    [96, 64],
  ])('has on a machine with %i processors %i slots, which it takes', (processors, slots) => {
    expect(slotsFor(processors)).toBe(slots);
    expect(variables.slots.schema.parse(String(slots))).toBe(slots);
  });
});
