import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../schema/api/errors.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { dataName, inputName, wholeSchemas } from '../../worker/http/docs/component-schemas.ts';
import { fieldRows, typeText } from '../../worker/http/docs/field-rows.ts';
import { prose } from '../../worker/http/docs/shell.ts';
import { curlPost } from '../../worker/lib/request-snippets.ts';
import { committedDocument } from '../golden/documents.ts';

const schemas = wholeSchemas();
const rowsOf = (name: string) => fieldRows(schemas[name] ?? {});

describe('the field table', () => {
  it.each([
    [{ type: 'number', minimum: 0, maximum: 10 }, 'number 0–10'],
    [{ type: 'integer', minimum: 1 }, 'integer ≥ 1'],
    [{ type: ['number', 'null'] }, 'number | null'],
    [{ enum: ['mp4', 'mov'] }, '"mp4" | "mov"'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [
      { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 9 },
      'array of ("a" | "b"), 1–9 items',
    ],
    [{ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }, '[number, number]'],
    [{ type: 'object', properties: { start: {}, end: {} } }, '{start, end}'],
    [
      { type: 'object', additionalProperties: { type: 'string', maxLength: 9 } },
      'object of string up to 9 characters',
    ],
    [{ $ref: '#/components/schemas/Task' }, 'Task'],
    [{ type: 'string', format: 'uri' }, 'URL'],
  ])('prints the type of %j', (schema, text) => {
    expect(typeText(schema as never)).toBe(text);
  });

  it('shows required fields, defaults, ranges and nested fields of a real operation', () => {
    const rows = Object.fromEntries(rowsOf('CutInput').map((row) => [row.name, row]));
    expect(rows.fade_in).toEqual({
      name: 'fade_in',
      type: 'number 0–10',
      required: false,
      fallback: '0',
      description: 'Fade-in from black and silence, in seconds.',
    });
    expect(rows['segments[].start']).toMatchObject({
      type: 'number 0–360000 | "HH:MM:SS.mmm"',
      required: true,
    });
    expect(rows['quality.crf']).toMatchObject({ type: 'integer 0–63', required: false });
  });

  it.each(operationNames)('has a row for every field of %s and of its result', (name) => {
    const names = rowsOf(inputName(name)).map((row) => row.name);
    for (const field of Object.keys(operations[name].input.shape)) expect(names).toContain(field);
    const results = rowsOf(dataName(name)).map((row) => row.name);
    for (const field of Object.keys(operations[name].data.shape)) expect(results).toContain(field);
    for (const row of rowsOf(inputName(name)))
      if (!row.name.startsWith('quality.')) expect(row.description).not.toBe('');
  });
});

describe('the recipes', () => {
  it('quote a body so that a shell gives it back unchanged', () => {
    expect(curlPost('https://a.example', '/cut', { title: "it's" })).toContain(`"title": "it'\\''s"`);
  });

  it('mark code and escape everything', () => {
    expect(prose('use `<a>` & b').join('')).toBe('use <code>&lt;a&gt;</code> &amp; b');
  });
});

describe('llms.txt', () => {
  const text = committedDocument('llms.txt');

  it('begins as llmstxt.org asks: a title, then a summary', () => {
    expect(text).toMatch(/^# Spool\n\n> .+\n\n/);
  });

  it('has every operation with its fields and every error', () => {
    for (const name of operationNames) {
      expect(text).toContain(`POST ${operations[name].path}\n`);
      for (const field of Object.keys(operations[name].input.shape))
        expect(text).toContain(`- \`${field}\` (`);
    }
    for (const code of errorCodes) expect(text).toContain(`- \`${code}\` (`);
  });
});
