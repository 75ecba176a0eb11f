import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captionPresetNames } from '../../../schema/media/caption-presets.ts';
import { transitionNames } from '../../../schema/media/transitions.ts';
import { voices } from '../../../schema/media/voices.ts';
import { operations } from '../../../schema/operations/index.ts';
import { exampleOf, type Service, startService } from '../../harness.ts';
import { connect } from './connect.ts';

let service: Service;
let client: Client;
let key: string;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
  key = (await service.createAccount('elite')).key;
  client = await connect(service, key);
});
afterAll(async () => {
  await client?.close();
  await service.close();
});

async function read(uri: string): Promise<Record<string, unknown>> {
  const [{ text = '' } = {}] = (await client.readResource({ uri })).contents as { text?: string }[];
  return JSON.parse(text) as Record<string, unknown>;
}

describe('resources', () => {
  it('are voices, transitions and presets, and each can be read', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'spool://voices',
      'spool://transitions',
      'spool://presets',
    ]);
    expect((await read('spool://voices')).voices).toHaveLength(voices.length);
    expect((await read('spool://transitions')).transitions).toHaveLength(transitionNames.length);
    const presets = await read('spool://presets');
    expect(presets.caption_video).toHaveLength(captionPresetNames.length);
  });

  it('are tasks of the account, and no others', async () => {
    const { id } = await service.submit('/cut', exampleOf(operations.cut), key);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'spool://task/{id}' }]);
    expect(await read(`spool://task/${id}`)).toMatchObject({ id, next_step: expect.any(String) });
    const foreign = await service.submit('/cut', exampleOf(operations.cut), service.accounts.boost.key);
    for (const uri of [`spool://task/${foreign.id}`, 'spool://nothing', 'https://media.example.com/a'])
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        message: expect.stringMatching(/may belong|no resource/),
      });
  });
});

describe('prompts', () => {
  it('name their arguments, and make a text for the model that names tools which exist', async () => {
    const { prompts } = await client.listPrompts();
    const { tools } = await client.listTools();
    const known = tools.map(({ name }) => name);
    expect(prompts.map(({ name }) => name)).toEqual([
      'vertical_short',
      'clean_podcast',
      'assemble_clips',
      'dub_with_script',
    ]);
    for (const { name, arguments: list = [] } of prompts) {
      const args = Object.fromEntries(list.map((argument) => [argument.name, 'https://a.example/x.mp4']));
      const { messages } = await client.getPrompt({ name, arguments: args });
      const { text = '' } = (messages[0]?.content ?? {}) as { text?: string };
      const named = [...text.matchAll(/Call (\w+) with|call (\w+) with/g)].map(
        ([, one, other]) => one ?? other,
      );
      expect(named.length, name).toBeGreaterThan(0);
      for (const tool of named) expect(known).toContain(tool);
    }
  });

  it('take apart addresses between commas, but not those that have some', async () => {
    const wide = 'https://a.example/w_300,h_200/a.mp4';
    const urls = `${wide}, https://b.example/b.mp4,task:one\nupload:two,`;
    const { messages } = await client.getPrompt({ name: 'assemble_clips', arguments: { urls } });
    const { text = '' } = (messages[0]?.content ?? {}) as { text?: string };
    expect(text).toContain(JSON.stringify([wide, 'https://b.example/b.mp4', 'task:one', 'upload:two']));
  });

  it('refuse what is missing or unknown in our words', async () => {
    const get = (name: string, args: Record<string, string>) => client.getPrompt({ name, arguments: args });
    await expect(get('vertical_shrt', {})).rejects.toMatchObject({
      message: 'There is no prompt of this name. Did you mean `vertical_short`?',
    });
    await expect(get('vertical_short', { video: 'x' })).rejects.toMatchObject({
      code: -32602,
      data: { code: 'validation_failed', errors: expect.arrayContaining([]) },
    });
  });
});

describe('completion', () => {
  const offer = async (ref: Parameters<Client['complete']>[0]['ref'], name: string, value: string) =>
    (await client.complete({ ref, argument: { name, value } })).completion.values;
  const prompt = (name: string) => ({ type: 'ref/prompt' as const, name });

  it('offers presets, languages, transitions and voices by what is typed', async () => {
    expect(await offer(prompt('vertical_short'), 'preset', 'wor')).toEqual(['word_pop']);
    expect(await offer(prompt('vertical_short'), 'language', 'e')).toContain('en');
    expect((await offer(prompt('assemble_clips'), 'transition', 'wipe'))[0]).toBe('wipeleft');
    expect(await offer(prompt('dub_with_script'), 'voice', 'sl')).toContain('slt');
    expect(await offer(prompt('vertical_short'), 'video_url', 'h')).toEqual([]);
  });

  it.each(['constructor', 'toString', '__proto__', 'nothing'])('offers nothing for %s', async (name) => {
    expect(await offer(prompt('vertical_short'), name, '')).toEqual([]);
  });

  it('offers the ids of tasks', async () => {
    const { id } = await service.submit('/cut', exampleOf(operations.cut), key);
    const template = { type: 'ref/resource' as const, uri: 'spool://task/{id}' };
    expect(await offer(template, 'id', id.slice(0, 20))).toContain(id);
  });
});

it('is described for registries, with the header that needs the key', async () => {
  const entry = (await (await service.request('/server.json')).json()) as Record<string, string>;
  expect(entry).toMatchObject({
    name: expect.stringMatching(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    remotes: [
      {
        type: 'streamable-http',
        url: `${service.url.origin}/mcp`,
        headers: [{ name: 'X-API-Key', isRequired: true, isSecret: true }],
      },
    ],
  });
  expect(entry.description?.length).toBeLessThanOrEqual(100);
});
