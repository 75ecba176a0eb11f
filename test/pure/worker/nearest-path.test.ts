import { expect, test } from 'vitest';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { nearestPath } from '../../../worker/http/nearest-path.ts';

const paths = [...operationNames.map((name) => operations[name].path), '/tasks', '/webhooks/endpoints'];
const task = '/task/task_01m8dfgz5a9pr522bvg5kghkez';
const id = task.slice('/task/'.length);
const upload = 'upl_01m8dfh3actvbx75syargk2twd';
const known = new Map<string, string>([
  ...paths.map((path): [string, string] => [path, path]),
  ['/cut_video', '/cut'],
  ['/trim', '/cut'],
  ['/add_subtitles', '/captions/auto'],
]);
const meant = (path: string) =>
  nearestPath(path, (other) => [...paths, '/docs', '/internal/report', '/task/a'].includes(other), known);

test.each([
  ['/cut/', '/cut'],
  ['//cut', '/cut'],
  ['/Cut', '/cut'],
  ['/v1/cut', '/cut'],
  ['/api/v1/cut', '/cut'],
  ['/api/tasks/', '/tasks'],
  ['/crpo', '/crop'],
  ['/frames', '/frame'],
  ['/task', '/tasks'],
  ['/merge', '/merge_urls'],
  ['/cut_vidoe', '/cut'],
  ['/add_subtitels', '/captions/auto'],
  ['/merge-urls', '/merge_urls'],
  ['/captions', '/captions/auto'],
  ['/cut_video', '/cut'],
  ['/trim', '/cut'],
  ['/v1/add-subtitles/', '/captions/auto'],
  ['/webhooks', '/webhooks/endpoints'],
  ['/task/a/', '/task/a'],
  ['/docs/', '/docs'],
  [`/tasks/${id}`, task],
  [`/v1/jobs/${id}`, task],
  [`/task/${id}/status`, task],
  [`/tasks/${id}/download`, `${task}/download`],
  [`/cut/${id}/events/`, `${task}/events`],
  [`/${id}`, task],
  [`/upload/${upload}`, `/uploads/${upload}`],
  [`/upload/${upload}/complete`, `/uploads/${upload}/complete`],
  ['/internal/report/', null],
  ['/', null],
  ['/nothing-like-it', null],
  [`/${'cut/'.repeat(100)}`, null],
])('%s probably means %s', (path, expected) => {
  expect(meant(path)).toBe(expected);
});
