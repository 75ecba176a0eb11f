import { afterAll, beforeAll, expect, it } from 'vitest';
import { problem } from '../../schema/api/problem.ts';
import { type Service, startService } from '../harness.ts';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
  ({ key } = await service.createAccount('elite'));
});
afterAll(() => service.close());

const json = { video_url: 'https://media.example.com/a.mp4', end: 5 };

async function detailOf(response: Response, status: number): Promise<string> {
  expect(response.status).toBe(status);
  return problem.parse(await response.json()).detail;
}

it.each([
  ['x-api-token', 'The header x-api-token is not read.'],
  ['x-auth-token', 'The header x-auth-token is not read.'],
])('a key in the header %s is missing, and the answer names that header', async (name, detail) => {
  const response = await service.request('/cut', { json, headers: { [name]: key } });
  expect(await detailOf(response, 401)).toContain(detail);
});

it.each(['/cut?api_key=KEY', '/tasks?key=KEY', '/task/task_01m8j70avg23y9djzthjtzh5n2?k=KEY'])(
  'a key in the query of %s is not read, and the answer says where it belongs',
  async (path) => {
    const options = path.startsWith('/cut') ? { json } : {};
    const response = await service.request(path.replace('KEY', key), options);
    expect(await detailOf(response, 401)).toBe(
      'Keys are not read from the URL, because URLs are logged. Send your key in the X-API-Key header.',
    );
  },
);

it.each(['/openapi-json', '/llms-txt', '/statusXjson'])(
  'a GET of %s is not found, and is no GET of another path',
  async (path) => {
    const detail = await detailOf(await service.request(path, { key }), 404);
    if (path === '/openapi-json') expect(detail).toContain('/openapi.json');
  },
);

it.each([
  ['Bearer KEY', 'other text around it'],
  ['"KEY"', 'other text around it'],
  ['$SPOOL_TOKEN', 'begins with `spool_live_`'],
  ['sk-1234', 'begins with `spool_live_`'],
])('an X-API-Key of %s is no key, and the answer says why', async (sent, detail) => {
  const response = await service.request('/cut', { json, key: sent.replace('KEY', key) });
  const said = await detailOf(response, 401);
  expect(said).toContain(detail);
  expect(said).not.toContain(sent);
});

it.each([
  ['multipart/form-data; boundary=x', 'create an upload with POST /uploads'],
  ['video/mp4', 'create an upload with POST /uploads'],
  ['application/x-www-form-urlencoded', 'which curl sends unless another one is given'],
  ['', 'The Content-Type header is missing.'],
])('a body of the type "%s" is refused with what to send instead', async (type, detail) => {
  const response = await service.request('/cut', {
    ...{ method: 'POST', key, headers: type === '' ? {} : { 'content-type': type } },
    body: new TextEncoder().encode(JSON.stringify(json)),
  });
  expect(await detailOf(response, 415)).toContain(detail);
});

it.each([
  ['/tasks?limit=abc', '/limit must be a whole number from 1 to 100; it is the string "abc".'],
  ['/tasks?starting_after=x', '/starting_after is not a field of this request. Did you mean `cursor`?'],
  ['/tasks?page=2', '/page is not a field of this request. Did you mean `cursor`?'],
  ['/usage?start=2026-11-01', '/start is not a field of this request. Did you mean `from`?'],
])('%s is refused with the parameter that is meant', async (path, detail) => {
  expect(await detailOf(await service.request(path, { key }), 422)).toBe(detail);
});
