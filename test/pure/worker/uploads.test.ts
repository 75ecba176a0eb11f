import { describe, expect, it } from 'vitest';
import { planNames, plans } from '../../../schema/api/plans.ts';
import { PART_BYTES, partSizes, putHeaders, SINGLE_PUT_BYTES } from '../../../schema/api/upload.ts';
import { mediaTypeOf } from '../../../schema/media/demuxers.ts';
import { type OperationName, operationNames, operations } from '../../../schema/operations/index.ts';
import type { SourceRef } from '../../../schema/operations/operation.ts';
import { storedSource } from '../../../schema/task/stored-source.ts';
import { job } from '../../../schema/task/wire.ts';
import { corsRules } from '../../../scripts/lib/cors-rules.ts';

/** R2 refuses smaller parts, except the last one. */
const LEAST_PART = 5 * 1024 * 1024;

describe('the parts of a file', () => {
  it.each([
    SINGLE_PUT_BYTES + 1,
    SINGLE_PUT_BYTES + 2,
    150_000_000,
    150_000_001,
    999_999_999,
    ...planNames.map((plan) => plans[plan].source_bytes),
  ])('of %i bytes are equal but the last, and make up the file', (bytes) => {
    const sizes = partSizes(bytes);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(bytes);
    expect(new Set(sizes.slice(0, -1)).size).toBe(1);
    const [first = 0] = sizes;
    expect(first).toBeGreaterThanOrEqual(LEAST_PART);
    expect(first).toBeLessThanOrEqual(PART_BYTES);
    expect(sizes.at(-1)).toBeGreaterThan(0);
    expect(sizes.at(-1)).toBeLessThanOrEqual(first);
    // R2 takes ten thousand, and the answer has a URL of each.
    expect(sizes.length).toBeLessThanOrEqual(100);
  });

  it('are none up to 100 MB', () => {
    expect([partSizes(1), partSizes(SINGLE_PUT_BYTES)]).toEqual([[], []]);
  });
});

describe('upload:<id> as a source', () => {
  const upload = `upload:upl_${'0'.repeat(26)}`;
  const sourcesOf = (name: OperationName, input: unknown) =>
    (operations[name].sources as unknown as (input: unknown) => SourceRef[])(input);

  it.each(operationNames)('is taken by every field of %s that takes a URL of media', (name) => {
    for (const { input } of operations[name].examples) {
      const text = JSON.stringify(input).replace(/https:\/\/media\.example\.com\/[^"]+/g, upload);
      const parsed = operations[name].input.safeParse(JSON.parse(text));
      expect(parsed.error?.message).toBeUndefined();
      const urls = sourcesOf(name, parsed.data).filter(({ kind }) => kind !== 'time_map');
      expect(urls.length).toBeGreaterThan(0);
      expect(urls.map(({ url }) => storedSource(url))).toEqual(
        urls.map(() => ({ of: 'upload', id: `upl_${'0'.repeat(26)}` })),
      );
    }
  });

  it.each([
    'upload:',
    'upload:x',
    `upload:task_${'0'.repeat(26)}`,
    `task:upl_${'0'.repeat(26)}`,
    `${upload}/x`,
  ])('is not %j', (source) => {
    expect(storedSource(source)).toBeNull();
    expect(operations.probe.input.safeParse({ url: source }).success).toBe(false);
  });

  it('reaches the transcoder by a key of its own upload only', () => {
    const { stored_sources: keys } = job.shape;
    const right = `u/upl_${'0'.repeat(26)}/file`;
    expect(keys.safeParse({ [upload]: right }).success).toBe(true);
    for (const wrong of [
      'u/x/file',
      `${right}/../x`,
      `u/upl_${'0'.repeat(26)}/other`,
      `x/${right}`,
      'samples/x',
    ]) {
      expect([wrong, keys.safeParse({ [upload]: wrong }).success]).toEqual([wrong, false]);
    }
  });
});

it('the bucket lets pages of this service send what a signed URL asks for, and no others', () => {
  const [rule, ...others] = corsRules('https://spool.example.com', []).rules;
  expect(others).toEqual([]);
  expect(rule?.allowed.origins).toEqual(['https://spool.example.com']);
  expect(rule?.allowed.methods).toEqual(['PUT']);
  expect(rule?.allowed.headers).toEqual(expect.arrayContaining(Object.values(putHeaders)));
  expect(rule?.exposeHeaders).toEqual(['ETag']);
});

it('the bucket lets pages of the origins that the operator names send files too', () => {
  const originsFor = (...others: string[]) =>
    corsRules('https://spool.example.com', others).rules[0]?.allowed.origins;
  expect(originsFor('https://shop.example', 'http://localhost:5173/', 'https://spool.example.com')).toEqual([
    ...['https://spool.example.com', 'https://shop.example', 'http://localhost:5173'],
  ]);
  for (const wrong of ['shop.example', 'https://shop.example/media', '*', 'ftp://shop.example'])
    expect(() => originsFor(wrong)).toThrow(`${wrong} is not an origin.`);
});

it('every format that is read has a media type', () => {
  for (const type of Object.values(mediaTypeOf))
    expect(type).toMatch(/^(video|audio|image|application)\/[\w.-]+$/);
});
