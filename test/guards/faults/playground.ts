import type { Fault } from '../fault.ts';

const file = 'test/worker/pages/playground.test.ts';

/** Forms of operations in the dashboard. */
export const playground: readonly Fault[] = [
  {
    guard: 'a request has at most 256 KiB',
    file: 'worker/services/playground/send-request.ts',
    find: 'bytesOf(text) > mostBytesOf(name)',
    plant: 'bytesOf(text) < -mostBytesOf(name)',
    test: {
      file,
      name: 'refuses what the API refuses, with the same status, text and pointers, and keeps what was typed',
    },
  },
  {
    guard: 'a form that is sent twice creates one task',
    file: 'worker/pages/playground/send.tsx',
    find: "await visit.context.hash('playground', `${visit.field('once')} ${dry} ${text}`)",
    plant: 'crypto.randomUUID()',
    test: { file, name: 'creates one task for a form that is sent twice, and another for the next form' },
  },
  {
    guard: 'A form that is filled from a task shows no query strings',
    file: 'worker/pages/playground/form-page.tsx',
    find: 'requestOf(await taskView(visit.core.config, task))',
    plant: 'requestOf({ ...(await taskView(visit.core.config, task)), input: task.input })',
    test: { file, name: 'fills the form from a task, without defaults and without what may be secret' },
  },
];
