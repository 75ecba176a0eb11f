import { account, get, member, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const task = `${account}/tasks/:task{task_\\w+}`;

export const tasksPages: readonly PageRoute[] = [
  {
    ...get,
    path: `${account}/tasks`,
    ...member,
    load: async () => (await import('./list-page.tsx')).showTasks,
  },
  { ...get, path: task, ...member, load: async () => (await import('./task-page.tsx')).showTask },
  {
    ...get,
    path: `${task}/events`,
    ...member,
    load: async () => (await import('./task-stream.ts')).streamTask,
  },
  {
    ...get,
    path: `${task}/delete`,
    ...member,
    load: async () => (await import('./delete-page.tsx')).askToDelete,
  },
  {
    ...post,
    path: `${task}/delete`,
    ...member,
    load: async () => (await import('./delete-page.tsx')).removeTask,
  },
];
