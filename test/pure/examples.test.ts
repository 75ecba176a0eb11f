import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleMediaType } from '../../schema/api/example-sources.ts';
import { exampleFiles, examplePictures, examples, featuredOf } from '../../schema/api/examples.ts';
import { captionPresetNames } from '../../schema/media/caption-presets.ts';
import { photoPresetNames } from '../../schema/media/photo-presets.ts';
import { visualStyleNames } from '../../schema/media/visual-styles.ts';
import { voicePresets } from '../../schema/media/voice-presets.ts';
import { operations } from '../../schema/operations/index.ts';
import { makeMissing, recipeOf } from '../../scripts/assets/missing.ts';
import { TaskFailure } from '../../transcoder/model/task-failure.ts';
import { examplesPage } from '../../worker/http/docs/examples-page.ts';

const valuesOf = (operation: string) =>
  examples.filter((example) => example.operation === operation).map(({ value }) => value);

describe('the examples', () => {
  it.each([
    ['captions_auto', captionPresetNames],
    ['visualize', visualStyleNames],
    ['photo_animate', photoPresetNames.filter((name) => name !== 'parallax')],
    ['redub_vc', Object.keys(voicePresets)],
  ])('of %s are one for each of its looks or voices', (operation, values) => {
    expect(valuesOf(operation)).toEqual(values);
  });

  it.each(examples)('have a request that its operation takes: $file', ({ operation, request }) => {
    expect(operations[operation].input.safeParse(request('https://a.example')).error).toBeUndefined();
  });

  it('and their sources have names of their own', () => {
    expect(new Set(exampleFiles).size).toBe(exampleFiles.length);
  });

  it('show the value that they are listed by', () => {
    for (const { field, value, request } of examples) {
      expect([request('https://a.example')[field]].flat()).toEqual([value]);
    }
  });
});

describe('the example that stands for an operation', () => {
  it('is exactly one for each operation that has examples', () => {
    for (const name of new Set(examples.map(({ operation }) => operation))) {
      const featured = examples.filter((example) => example.operation === name && example.featured);
      expect([name, featured.length]).toEqual([name, 1]);
      expect(featuredOf(name)).toBe(featured[0]);
    }
  });

  it('has a poster within its length if it is a video, and no other has one', () => {
    for (const { file, featured, posterAt } of examples) {
      const isVideo = exampleMediaType(file) === 'video/mp4';
      expect([file, posterAt !== null]).toEqual([file, featured && isVideo]);
    }
    expect(examplePictures.length).toBe(new Set(examplePictures).size);
  });
});

describe('the page of the examples', () => {
  it('shows those that are here, and says which are not and what they need', async () => {
    const here = examples.filter(({ needs }) => !needs.includes('flite'));
    const page = await examplesPage(here, 'https://spool.example.com');
    const shown = [...page.matchAll(/<(?:video|audio) src="\/examples\/([^"]+)"/g)].map((match) => match[1]);
    expect(shown.sort()).toEqual([...here.map(({ file }) => file), 'music.m4a'].sort());
    const [, captions = ''] = /<section id="captions-auto">(.*?)<\/section>/s.exec(page) ?? [];
    expect(captions).toContain('Not available: <code>clean</code>, <code>karaoke</code>');
    expect(captions).toContain('They need Flite.');
    expect(captions).not.toContain('talk.mp4');
    expect(page.match(/Not available/g)).toHaveLength(7);
  });

  it('shows nothing where none are', async () => {
    const page = await examplesPage([], 'https://spool.example.com');
    expect(page).toContain('The clips of this page are not there yet');
    expect(page).not.toMatch(/<(video|audio|img) /);
    expect(page.match(/Not available/g)).toHaveLength(9);
  });
});

describe('what is missing of the assets', () => {
  const home = join(import.meta.dirname, '../../.spool');
  let folder: string;
  let asked: string[];

  beforeAll(async () => {
    await mkdir(home, { recursive: true });
    folder = await mkdtemp(join(home, 'missing-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const wanted = (recipes: Record<string, string>) =>
    Object.entries(recipes).map(([file, recipe]) => ({
      ...{ file, recipe },
      make: async (directory: string) => {
        asked.push(file);
        if (recipe === 'impossible') throw new TaskFailure('engine_unavailable', 'no such engine');
        await writeFile(join(directory, 'made'), recipe);
        return join(directory, 'made');
      },
    }));
  const make = (recipes: Record<string, string>) => {
    asked = [];
    return makeMissing(folder, wanted(recipes));
  };
  const contents = async () => {
    const files = (await readdir(folder)).filter((file) => file !== 'made.json').sort();
    return Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')]));
  };

  it('is made once, and again where its recipe is another; what nobody wants goes', async () => {
    expect(await make({ a: '1', b: '1', c: '1' })).toEqual({ made: 3, left: [] });
    expect(await make({ a: '1', b: '1', c: '1' })).toEqual({ made: 0, left: [] });
    expect(asked).toEqual([]);
    expect(await make({ a: '1', b: '2' })).toEqual({ made: 1, left: [] });
    expect(asked).toEqual(['b']);
    expect(await contents()).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    await rm(join(folder, 'a'));
    expect(await make({ a: '1', b: '2' })).toEqual({ made: 1, left: [] });
    expect(asked).toEqual(['a']);
  });

  it('is left out where it cannot be made, also where it was made otherwise before, and tried again', async () => {
    await make({ a: '1', b: '2' });
    for (let time = 0; time < 2; time++) {
      const left = [{ file: 'b', reason: 'no such engine' }];
      expect(await make({ a: '1', b: 'impossible' })).toEqual({ made: 0, left });
      expect(asked).toEqual(['b']);
      expect(await contents()).toEqual([['a', '1']]);
      expect(JSON.parse(await readFile(join(folder, 'made.json'), 'utf8'))).toEqual({ a: '1' });
    }
  });

  it('is not written down as made where a fault of ours ends the making', async () => {
    const fault = [{ file: 'd', recipe: '1', make: () => Promise.reject(new Error('a fault')) }];
    await expect(makeMissing(folder, fault)).rejects.toThrow('a fault');
    expect(JSON.parse(await readFile(join(folder, 'made.json'), 'utf8'))).toEqual({ a: '1' });
  });

  it('has a recipe that changes with every file, and none of files that do not exist', async () => {
    const of = (...patterns: string[]) => recipeOf(patterns, 'x');
    expect(await of('schema/task/{ids,task}.ts')).toBe(await of('schema/task/{ids,task}.ts'));
    expect(await of('schema/task/ids.ts')).not.toBe(await of('schema/task/{ids,task}.ts'));
    await expect(of('schema/task/ids.ts', 'schema/nothing-*.ts')).rejects.toThrow('schema/nothing-*.ts');
  });
});
