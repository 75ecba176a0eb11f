import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorEntry, errors } from '../../schema/api/errors.ts';
import { features, planNames, plans } from '../../schema/api/plans.ts';
import { secondsFromText } from '../../schema/operations/fields/fields.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { commonTaskErrors } from '../../schema/operations/operation.ts';
import { idPattern, newId } from '../../schema/task/ids.ts';

describe.each(operationNames)('operation %s', (name) => {
  const operation = operations[name];

  it('parses what it parsed to the same value, so that both ends of the wire agree', () => {
    for (const { input } of operation.examples) {
      const once = operation.input.parse(input);
      expect(operation.input.parse(JSON.parse(JSON.stringify(once)))).toEqual(once);
    }
  });

  it('takes 16 values of metadata of 512 characters under names of 40, and no more', () => {
    const [example] = operation.examples;
    const takes = (metadata: object) => operation.input.safeParse({ ...example?.input, metadata }).success;
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x'.repeat(512)]));
    expect([takes(many(16)), takes(many(17))]).toEqual([true, false]);
    expect([takes({ ['k'.repeat(40)]: '' }), takes({ ['k'.repeat(41)]: '' })]).toEqual([true, false]);
    expect([takes({ k: 'x'.repeat(513) }), takes({ k: 1 })]).toEqual([false, false]);
  });

  it('describes every field of its input and gives a schema for its data', () => {
    const schema = z.toJSONSchema(operation.input, { io: 'input' });
    for (const [field, entry] of Object.entries(schema.properties ?? {})) {
      expect((entry as { description?: string }).description, field).toBeTruthy();
    }
    expect(schema.additionalProperties).toBe(false);
    expect(z.toJSONSchema(operation.data).type).toBe('object');
  });

  it('names each source by a pointer into its own input', () => {
    for (const { input } of operation.examples) {
      const parsed = operation.input.parse(input) as Record<string, unknown>;
      for (const { pointer, url } of operation.sources(parsed as never)) {
        const named = pointer
          .slice(1)
          .split('/')
          .reduce<unknown>((value, key) => Object(value)[key], parsed);
        expect(named).toBe(url);
      }
    }
  });

  it('can end in `track_not_found` if a caller chooses a track', () => {
    const chooses = 'audio_track' in operation.input.shape || name === 'remux';
    expect((operation.errors as readonly string[]).includes('track_not_found')).toBe(chooses);
  });

  it('lists task errors once, beside the common ones', () => {
    const all = [...operation.errors, ...commonTaskErrors];
    expect(new Set(all).size).toBe(all.length);
  });

  it('has a heading and a sentence for people who search, of a length that search engines show', () => {
    const { title, lead } = operation.search;
    expect(title).toMatch(/^[A-Z][^.]{10,44}$/);
    expect(lead).toMatch(/^[A-Z].*\.$/);
    expect(lead.length).toBeGreaterThan(60);
    expect(lead.length).toBeLessThan(160);
    const others = operationNames.filter((other) => other !== name).map((other) => operations[other].search);
    expect(others.map((search) => search.title)).not.toContain(title);
    expect(others.map((search) => search.lead)).not.toContain(lead);
  });

  it('belongs to a feature that some plan has', () => {
    expect(features).toHaveProperty(operation.feature);
    expect(
      planNames.some((plan) => (plans[plan].features as readonly string[]).includes(operation.feature)),
    ).toBe(true);
  });
});

describe('paths', () => {
  it('are different for every operation', () => {
    const paths = operationNames.map((name) => operations[name].path);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe('the error table', () => {
  it.each(Object.keys(errors) as (keyof typeof errors)[])(
    '%s has a title, a hint and a status that fits its fault',
    (code) => {
      const entry = errorEntry(code);
      expect(entry.title).toMatch(/^[A-Z].*[^.]$/);
      expect(entry.hint).toMatch(/\.$/);
      if (entry.status === null) return;
      if (entry.fault === 'service') expect(entry.status).toBeGreaterThanOrEqual(500);
      else expect(entry.status).toBeLessThan(500);
    },
  );
});

describe('times', () => {
  it.each([
    ['00:00:10.500', 10.5],
    ['01:02:03', 3723],
    ['2:03', 123],
    ['90', 90],
    ['100:00:00', 360_000],
    ['00:00:60', null],
    ['1:60:00', null],
    ['1:2:3:4', null],
    ['', null],
    ['-1', null],
    ['1e3', null],
    ['10.', null],
  ])('%s is %s seconds', (text, expected) => {
    expect(secondsFromText(text)).toBe(expected);
  });
});

describe('ids', () => {
  it('match their pattern, differ, and sort by time', () => {
    const ids = Array.from({ length: 1000 }, (_, index) => newId('task', 1_700_000_000_000 + index));
    expect(ids.every((id) => idPattern('task').test(id))).toBe(true);
    expect(new Set(ids).size).toBe(1000);
    expect([...ids].sort()).toEqual(ids);
  });
});
