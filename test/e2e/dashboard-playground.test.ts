import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { examples, examplesAt } from '../../schema/api/examples.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { commonFields } from '../../schema/operations/operation.ts';
import { sampleFiles, withSamples } from '../../worker/services/docs/stand-ins.ts';
import { chromiumPath } from '../browser/player.ts';
import { everyCase, sampled } from '../sampled.ts';
import { fitting, mutated } from '../security/bodies.ts';
import type { Schema } from '../security/routes.ts';
import { overflows, violations } from './chromium.ts';
import { Playground, requestIn } from './playground.ts';

let playground: Playground;

beforeAll(async () => {
  if (chromiumPath) playground = await Playground.start();
});
afterAll(() => playground?.close());

/** What the fields say, without the text of the request that they were filled with. */
const rewritten = async (page: Page): Promise<unknown> => {
  await page.getByLabel('Request', { exact: true }).evaluate((element) => {
    (element as unknown as { value: string }).value = '';
  });
  await page.locator('.play > .fields').dispatchEvent('input');
  return requestIn(page);
};

/** Of 20 random requests each. */
const RUNS = everyCase ? 5 : 2;

describe.skipIf(!chromiumPath)('the form of an operation (needs Chromium)', () => {
  it.each(sampled(operationNames, 6, 0))(
    '%s, filled with an example, says exactly its request',
    async (name) => {
      const page = await playground.open(playground.formOf(name));
      const names = await page
        .getByLabel('Example')
        .locator('option')
        .evaluateAll((options) => options.map((option) => (option as unknown as { value: string }).value));
      const shown = examples.filter(({ operation }) => operation === name);
      const samples = Object.entries(sampleFiles).map(([kind, file]) => [
        kind,
        `${examplesAt(playground.origin)}/${file}`,
      ]);
      const requests = [
        ...shown.map(({ request }) => JSON.stringify(request(examplesAt(playground.origin)))),
        ...operations[name].examples.map(({ input }) =>
          withSamples(JSON.stringify(input), Object.fromEntries(samples)),
        ),
      ];
      // Those that can be run as they are come first.
      const hasPlaceholder = (text: string) => text.includes('//media.example.com/');
      const expected: unknown[] = [
        ...requests.filter((text) => !hasPlaceholder(text)),
        ...requests.filter(hasPlaceholder),
      ].map((text) => JSON.parse(text));
      expect(names).toHaveLength(expected.length);
      const texts = await textsOf(
        page,
        names.map((example) => playground.formOf(name, `?example=${example}`)),
      );
      expect(texts.map(parsed)).toEqual(expected);
      expect((await shownAndRead(page, texts, false)).map(parsed)).toEqual(expected);
      // The last one as a person sees it.
      await page.goto(`${playground.origin}${playground.formOf(name, `?example=${names.at(-1)}`)}`);
      expect(await requestIn(page)).toEqual(expected.at(-1));
      expect(await rewritten(page)).toEqual(expected.at(-1));
      await playground.leave(page);
    },
  );

  it('has no violation of axe, light and dark, and fits 360 px', async () => {
    const page = await playground.open(playground.path, { viewport: { width: 360, height: 740 } });
    const look = async (name: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([name, colorScheme, await violations(page)]).toEqual([name, colorScheme, []]);
      }
      expect([name, await overflows(page)]).toEqual([name, false]);
    };
    await look('choice');
    for (const name of operationNames) {
      await page.goto(playground.origin + playground.formOf(name));
      // Everything unfolded and set.
      await page.evaluate(`for (const fold of document.querySelectorAll('details')) fold.open = true`);
      for (const box of await page.locator('.field .set input').all()) await box.check();
      await look(name);
    }
    await playground.leave(page);
  });

  it('begins level with its request, and leaves room to type the address of a source on a phone', async () => {
    const page = await playground.open(playground.formOf('cut'));
    const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? -1;
    const request = await topOf('.request > label');
    expect(Math.abs((await topOf('.play > .fields label')) - request), 'px').toBeLessThan(20);
    await page.setViewportSize({ width: 360, height: 740 });
    const source = await page.getByLabel('video_url', { exact: true }).boundingBox();
    expect(source?.width, 'px').toBeGreaterThan(180);
    await playground.leave(page);
  });

  it.each(sampled(operationNames, 6, 1))('%s keeps whatever request it shows', async (name) => {
    const page = await playground.open(playground.formOf(name));
    const schema = z.toJSONSchema(operations[name].input, { io: 'input' }) as Schema;
    const any = fc.oneof(fitting(schema), mutated(fitting(schema)).filter(isRequest));
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 20, maxLength: 20 }), async (requests) => {
        const texts = requests.map((request) => JSON.stringify(request));
        expect((await shownAndRead(page, texts, false)).map(parsed)).toEqual(texts.map(parsed));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    await playground.leave(page);
  });

  it.each(sampled(operationNames, 6, 2))(
    '%s means the same when its fields are typed again',
    async (name) => {
      const page = await playground.open(playground.formOf(name));
      const { fields, input } = operations[name];
      const schema = z.toJSONSchema(input, { io: 'input' }) as Schema;
      // Without the rules between fields, which few random requests keep.
      let accepted = 0;
      const shape = z.strictObject({ ...fields, ...commonFields });
      await fc.assert(
        fc.asyncProperty(fc.array(fitting(schema), { minLength: 20, maxLength: 20 }), async (requests) => {
          const texts = requests.map((request) => JSON.stringify(request));
          const meant = (text: string) => shape.safeParse(parsed(text)).data ?? 'refused';
          expect((await shownAndRead(page, texts, true)).map(meant)).toEqual(texts.map(meant));
          accepted += texts.filter((text) => meant(text) !== 'refused').length;
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(accepted).toBeGreaterThan(0);
      await playground.leave(page);
    },
  );

  it('leaves no error in the console, and asks for nothing that its policy refuses', () => {
    expect(playground.browser.complaints).toEqual([]);
  });
});

const isRequest = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): unknown => JSON.parse(text);

/** The requests that pages would show, without opening each. */
function textsOf(page: Page, paths: readonly string[]): Promise<string[]> {
  return page.evaluate<string[]>(`Promise.all(${JSON.stringify(paths)}.map(async (path) => {
    const html = await (await fetch(path)).text();
    return new DOMParser().parseFromString(html, 'text/html').querySelector('[name=request]').value;
  }))`);
}

/** Shows requests one after the other, and reads each from the fields alone. `typed`: after an edit of every field. */
function shownAndRead(page: Page, texts: readonly string[], typed: boolean): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const request = document.querySelector('[name=request]');
    const fields = document.querySelector('.play > .fields');
    const edit = (element) => element.dispatchEvent(new Event('input', { bubbles: true }));
    return ${JSON.stringify(texts)}.map((text) => {
      request.value = text;
      edit(request);
      request.value = '';
      if (${typed}) for (const input of fields.querySelectorAll('input:not([type=checkbox], [type=color]), textarea')) edit(input);
      edit(fields);
      return request.value;
    });
  })()`);
}
