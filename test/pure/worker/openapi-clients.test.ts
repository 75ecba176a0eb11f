import { describe, expect, it } from 'vitest';
import { outputMediaTypes } from '../../../schema/media/media-types.ts';
import { dereferenced } from '../../golden/dereferenced.ts';
import { committedDocument } from '../../golden/documents.ts';

interface Operation {
  operationId: string;
  security?: object[];
  responses: Record<string, { content?: object }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

const document = JSON.parse(committedDocument('openapi.json')) as Document;
const { paths } = dereferenced(document);
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

/** What linters and generators of clients ask for; `npm run test:generators` runs them. */
describe('for generators, the OpenAPI document', () => {
  it('names the fields with a default that a request may leave out, which generators require otherwise', () => {
    const inline: string[] = [];
    let named = 0;
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const { properties = {}, required = [] } = schema as {
        properties?: Record<string, object>;
        required?: string[];
      };
      for (const [field, property] of Object.entries(properties)) {
        if (required.includes(field)) continue;
        if ('default' in property) inline.push(`${name}.${field}`);
        else if ('$ref' in property) named += 1;
      }
    }
    expect(inline).toEqual([]);
    expect(named).toBeGreaterThan(90);
  });

  it('says for every operation and webhook whether it needs a key, and gives each an id', () => {
    const webhooks = Object.values(document.webhooks).flatMap((methods) => Object.values(methods));
    expect(webhooks.map(({ operationId }) => operationId)).toEqual(['task_completed', 'task_failed']);
    const ids = operations.map(({ operationId }) => operationId);
    for (const operation of [...webhooks, ...operations]) {
      expect(operation.security, operation.operationId).toBeInstanceOf(Array);
    }
    expect(ids).not.toContain('task_completed');
  });

  it('gives every list the type of its items, and every tuple its length', () => {
    const lists = [...JSON.stringify(document.components.schemas).matchAll(/"type":"array"/g)].length;
    let found = 0;
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('type' in value && value.type === 'array') {
        found += 1;
        expect(value).toHaveProperty('items');
        expect(value).not.toHaveProperty('prefixItems');
      }
      for (const part of Object.values(value)) visit(part);
    };
    visit(document.components.schemas);
    expect(found).toBe(lists);
    expect(found).toBeGreaterThan(50);
  });

  it('lists the media types that downloads have', () => {
    const { responses } = paths['/task/{id}/download']?.get ?? {};
    for (const status of ['200', '206']) {
      expect(Object.keys(responses?.[status]?.content ?? {})).toEqual(outputMediaTypes);
    }
  });
});
