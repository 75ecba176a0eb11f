import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type ContainerLimit,
  containerLimits,
  type LimitName,
  type LimitScope,
  limitNames,
  orUpgrade,
  planLimits,
  planNames,
  plans,
} from '../../schema/api/plans.ts';
import { taskLimits } from '../../schema/task/wire.ts';
import { sourceGate } from '../../transcoder/media/verify/source-limits.ts';
import { limitRows } from '../../worker/http/docs/plan-limits.ts';
import { limitOutcomes } from '../../worker/http/pricing/at-a-limit.ts';
import { committedDocument } from '../golden/documents.ts';

/** Limits that two plans share. */
const equalIn: Partial<Record<LimitName, string>> = {
  source_pixels: 'nothing larger than MAX_PIXELS is ever decoded, whatever the plan',
};

describe('plans', () => {
  it.each(limitNames)('grow from basic over boost to elite in %s', (name) => {
    const { basic, boost, elite } = planLimits[name].values;
    expect([basic, boost, elite].every((value) => Number.isInteger(value) && value > 0)).toBe(true);
    expect(basic).toBeLessThan(boost);
    if (equalIn[name]) expect(boost).toBe(elite);
    else expect(boost).toBeLessThan(elite);
  });

  it('are to be upgraded, but for the largest', () => {
    expect(planNames.map(orUpgrade)).toEqual([' or upgrade your plan', ' or upgrade your plan', '']);
  });

  it('have every limit with its value', () => {
    for (const plan of planNames) {
      for (const name of limitNames) expect(plans[plan][name]).toBe(planLimits[name].values[plan]);
    }
  });
});

describe('a limit of a plan', () => {
  const { properties } = (
    JSON.parse(committedDocument('openapi.json')) as {
      components: { schemas: { PlanLimits: { properties: Record<string, object> } } };
    }
  ).components.schemas.PlanLimits;

  it.each(limitNames)('%s is shown in the documents and in /capabilities', (name) => {
    const { doc } = planLimits[name];
    const row = limitRows.find(({ title }) => title === doc);
    const values = planNames.map((plan) => row?.print(plans[plan]));
    expect(committedDocument('llms.txt')).toContain(`| ${doc} | ${values.join(' | ')} |`);
    expect(properties[name]).toEqual({ type: 'integer' });
  });

  it('has a name of its own', () => {
    expect(new Set(limitRows.map(({ title }) => title)).size).toBe(limitRows.length);
  });

  it('reaches the transcoder as it is, if a container enforces it, and otherwise not', () => {
    for (const plan of planNames) {
      const sent = taskLimits.parse(plans[plan]);
      expect(sent).toEqual(Object.fromEntries(containerLimits.map((name) => [name, plans[plan][name]])));
    }
  });

  it('is that of the largest plan for a transcoder whose Worker does not send it yet', () => {
    const first = { source_bytes: 1, source_seconds: 1, task_seconds: 1, output_side_px: 16 };
    const { elite } = plans;
    for (const name of containerLimits) {
      expect(taskLimits.parse(first)[name]).toBe((first as Partial<typeof elite>)[name] ?? elite[name]);
    }
  });
});

describe('the limits that are enforced', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const textOf = (...patterns: string[]) =>
    globSync(patterns, { cwd: root })
      .map((path) => readFileSync(`${root}${path}`, 'utf8').replace(/^\s*(\*|\/\/|\/\*\*).*$/gm, ''))
      .join('\n');
  const named = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].flatMap((match) => (match[1] ?? '').match(/\w+/g) ?? []);

  const transcoder = textOf('transcoder/**/*.ts');
  const edge = textOf(
    'worker/{account,fleet,lib,mcp,queue,repos}/**/*.ts',
    'worker/services/{account,tasks,files,uploads,webhooks,maintenance}/**/*.ts',
    'schema/api/request-limits.ts',
    'schema/operations/*.ts',
  );
  const inContainer = new Set([
    ...Object.keys(sourceGate),
    ...named(transcoder, /\blimits\.(\w+)/g),
    ...named(transcoder, /\{([^{}]*)\} = (?:\w+\.)?limits\b/g),
  ]);
  const atEdge = new Set([
    ...named(edge, /\b(?:planOf\([\w.]+\)|plans\[\w+\]|plan|policy)\.(\w+)/g),
    ...named(edge, /\{([^{}]*)\} = planOf\(/g),
    ...named(edge, /\blimit: '(\w+)'/g),
  ]);
  const enforced = (name: string, scope: LimitScope) =>
    (scope === 'container' ? inContainer : atEdge).has(name);

  it('are all of them: each is read on the side of its scope', () => {
    const unread = limitNames.filter((name) => !enforced(name, planLimits[name].scope));
    expect(unread, 'nothing enforces these').toEqual([]);
  });

  it('do not include a limit that is only declared, or that the wrong side reads', () => {
    const declared: LimitScope[] = ['request', 'queue', 'retention', 'container'];
    for (const scope of declared) expect(enforced('source_subtitles', scope)).toBe(false);
    const task: ContainerLimit = 'task_seconds';
    expect(enforced(task, 'request')).toBe(false);
    expect(enforced('waiting', 'container')).toBe(false);
  });
});

describe('what happens at a limit', () => {
  /** Rows as text, by the names of the limits. */
  const rows = Object.fromEntries(
    [...String(limitOutcomes()).matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(
      ([, names = '', text = '']) => [names, text.replace(/<[^>]+>/g, '')],
    ),
  );

  it('differs between long polls, which are answered, and event streams, which are refused', () => {
    const text = rows[planLimits.connections.doc];
    expect(text).toContain('A long poll is answered at once');
    expect(text).toContain('An event stream is refused with rate_limited');
  });

  it('names the operations that reduce a picture in place of failing', () => {
    const text = rows[planLimits.output_side_px.doc];
    expect(text).toContain('fails with output_too_large');
    expect(text).toMatch(/\/frame, \/frame\/last and \/crop .* size_reduced/);
  });
});
