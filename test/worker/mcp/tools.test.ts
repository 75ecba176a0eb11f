import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { type Task, task as taskSchema } from '../../../schema/task/task.ts';
import { exampleOf, type Service, startService } from '../../harness.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';
import { connect, NEWEST, newest, textOf } from './connect.ts';

let service: Service;
let transcoder: StandIn;
let client: Client;
let key: string;

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
  key = (await service.createAccount('elite')).key;
  client = await connect(service, key);
});
afterAll(async () => {
  await client?.close();
  await service.close();
  await transcoder.close();
});

/** The task in a result, without what only MCP adds. */
function taskOf({ structuredContent }: { structuredContent?: unknown }): Task {
  const { next_step, untrusted_text: _, ...task } = structuredContent as Record<string, unknown>;
  expect(next_step).toEqual(expect.any(String));
  return taskSchema.parse(task);
}

describe('a tool', () => {
  it.each(operationNames)('starts %s by either name as REST does, and its task is read', async (name) => {
    for (const tool of [operations[name].tool.name, name]) {
      const started = await client.callTool({ name: tool, arguments: exampleOf(operations[name]) });
      expect(started.isError).toBeFalsy();
      const created = taskOf(started);
      expect(created.operation).toBe(name);
      const read = await client.callTool({ name: 'get_task', arguments: { task_id: created.id } });
      expect(taskOf(read).id).toBe(created.id);
      const overRest = await service.request(`/task/${created.id}`, { key });
      expect(taskSchema.parse(await overRest.json()).id).toBe(created.id);
      await client.callTool({ name: 'delete_task', arguments: { task_id: created.id } });
    }
  });

  it.each([
    ['cut_vido', 'cut_video'],
    ['trim_video', 'cut_video'],
    ['add-subtitles', 'caption_video'],
    ['Text to speech', 'dub_video'],
  ])('that does not exist, as %s, is an error of the protocol with the nearest name', async (name, meant) => {
    await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: `There is no tool of this name. Did you mean \`${meant}\`?`,
      data: { code: 'validation_failed', errors: [{ pointer: '/name', code: 'unknown_tool' }] },
    });
    const described = await client.callTool({ name: 'describe_operation', arguments: { operation: name } });
    expect(textOf(described).detail).toContain(`Did you mean \`${meant}\`?`);
  });

  it('answers what a caller did wrong with the code and the field, as REST does', async () => {
    const misspelt = { video_ulr: 'https://media.example.com/a.mp4', duration: 1 };
    const result = await client.callTool({ name: 'cut_video', arguments: misspelt });
    expect(result.isError).toBe(true);
    const overRest = problemSchema.parse(
      await (await service.request('/cut', { json: misspelt, key })).json(),
    );
    const { code, detail, errors } = overRest;
    expect(textOf(result)).toMatchObject({ code, detail, errors });
    expect(detail).toContain('Did you mean `video_url`?');
    const forbidden = await client.callTool({
      name: 'cut_video',
      arguments: { video_url: 'https://127.0.0.1/a.mp4', duration: 1 },
    });
    expect([forbidden.isError, textOf(forbidden).code]).toEqual([true, 'source_forbidden']);
  });
});

describe('a call with a long document', () => {
  const call = (name: string, args: object) =>
    service.request('/mcp', {
      key,
      headers: { accept: 'application/json, text/event-stream' },
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    });
  const long = { metadata: { of: 'x'.repeat(400_000) } };

  it('is as long as REST takes it', async () => {
    const { otio, ...input } = exampleOf(operations.timeline);
    const document = { ...(otio as object), ...long };
    const started = await call(operations.timeline.tool.name, { ...input, otio: document });
    expect([started.status, await started.text()]).toEqual([200, expect.stringContaining('task_')]);
  });

  it('is refused where REST refuses it', async () => {
    for (const name of ['cut_video', 'list_tasks']) expect((await call(name, long)).status, name).toBe(413);
  });
});

describe('get_task', () => {
  it.each([
    ['the handshake of 2025', {}],
    [`revision ${NEWEST}`, newest],
  ])('waits for the end through every change, and links the files, with %s', async (_, options) => {
    const own = await connect(service, key, options);
    const { id } = await service.submit('/cut', exampleOf(operations.cut), key);
    const progress: number[] = [];
    const waiting = own.callTool(
      { name: 'get_task', arguments: { task_id: id, wait_seconds: 45 } },
      { onprogress: (each) => progress.push(each.progress) },
    );
    const job = await transcoder.jobOf(id);
    for (const progress_percent of [20, 60]) {
      await transcoder.report(job, {
        type: 'progress',
        stage: 'rendering',
        progress_percent,
        eta_seconds: 3,
      });
      await expect.poll(() => progress.at(-1)).toBe(progress_percent);
    }
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    const result = await waiting;
    const task = taskOf(result);
    expect(task.status).toBe('completed');
    const links = (result.content as { type: string }[]).filter(({ type }) => type === 'resource_link');
    expect(links).toEqual(
      task.output?.files.map((file) =>
        expect.objectContaining({ uri: file.url, mimeType: file.media_type, size: file.file_size }),
      ),
    );
    await own.close();
  });

  it('says of a result whose files have expired that they were deleted, and links none', async () => {
    const { id } = await service.submit('/cut', exampleOf(operations.cut), key);
    const job = await transcoder.jobOf(id);
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    const { DB } = await service.bindings();
    const past = Date.now() - 1;
    await DB.prepare('update tasks set expires_at = ? where id = ?').bind(past, id).run();
    const result = await client.callTool({ name: 'get_task', arguments: { task_id: id } });
    const expired = new Date(past).toISOString();
    expect(taskOf(result)).toMatchObject({ status: 'completed', expires_at: expired });
    expect(textOf(result).next_step).toBe(
      `The files expired at ${expired} and were deleted. Do not give the user output.file_url. Call cut_video again to create them.`,
    );
    expect(result.content).toHaveLength(1);
  });

  it('says what to do with a task that failed, and that a foreign one is not found', async () => {
    const { id } = await service.submit('/cut', exampleOf(operations.cut), key);
    const job = await transcoder.jobOf(id);
    await transcoder.report(job, {
      type: 'failed',
      failure: { code: 'source_not_media', detail: 'It is a text.', stage: 'analyzing' },
    });
    const failed = await client.callTool({ name: 'get_task', arguments: { task_id: id, wait_seconds: 10 } });
    expect(failed.structuredContent).toMatchObject({
      status: 'failed',
      next_step: expect.stringContaining('The same call would fail again.'),
    });
    const foreign = { task_id: `task_${'0'.repeat(26)}` };
    const missing = await client.callTool({ name: 'get_task', arguments: foreign });
    expect([missing.isError, textOf(missing).code]).toEqual([true, 'task_not_found']);
  });
});

describe('the tools about the service', () => {
  const call = async (name: string, args: object = {}) => {
    const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
    return result.structuredContent as Record<string, unknown>;
  };

  it('describe every operation by either name', async () => {
    for (const name of operationNames) {
      const described = await call('describe_operation', { operation: operations[name].tool.name });
      expect(described).toMatchObject({
        operation: name,
        input: { type: 'object' },
        next_step: expect.any(String),
      });
      expect(described).toEqual(await call('describe_operation', { operation: name }));
    }
  });

  it('say which tools the plan includes, and what is in use', async () => {
    const { tools } = await call('list_capabilities');
    expect(tools).toContainEqual(expect.objectContaining({ name: 'cut_video', in_your_plan: true }));
    expect(await call('get_account')).toMatchObject({ object: 'account', plan: 'elite' });
  });

  it('list tasks by tool in short entries, and delete one', async () => {
    const { id } = await service.submit('/probe', exampleOf(operations.probe), key);
    const page = await call('list_tasks', { operation: 'inspect_media', limit: 1 });
    expect(page.data).toEqual([expect.objectContaining({ id, tool: 'inspect_media' })]);
    const asked = { operation: 'inspect_media', limit: 1 };
    const older = await service.submit('/probe', exampleOf(operations.probe), key);
    const { next_step, next_cursor: cursor } = await call('list_tasks', asked);
    expect(next_step).toContain(JSON.stringify({ ...asked, cursor }));
    await service.request(`/task/${older.id}`, { key, method: 'DELETE' });
    expect(await call('delete_task', { task_id: id })).toMatchObject({ id, deleted: true });
    expect((await service.request(`/task/${id}`, { key })).status).toBe(404);
  });
});

describe('the endpoint', () => {
  it('names a media type that it does not take', async () => {
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const headers = {
      'content-type': 'application/vnd.api+json',
      accept: 'application/json, text/event-stream',
    };
    const response = await service.request('/mcp', { key, json, headers });
    expect(response.status).toBe(415);
    const { error } = (await response.json()) as { error: { data: { code: string } } };
    expect(error.data.code).toBe('unsupported_media_type');
  });

  it('needs a key, and no browser page of another site', async () => {
    const call = (headers: Record<string, string>) =>
      service.request('/mcp', { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers });
    expect((await call({})).status).toBe(401);
    const page = await call({ origin: 'https://evil.example', 'x-api-key': key });
    expect(page.status).toBe(403);
    expect(problemSchema.parse(await page.json()).code).toBe('origin_forbidden');
  });
});
