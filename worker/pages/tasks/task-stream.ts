import { eventResponse } from '../../lib/event-stream.ts';
import { Problem } from '../../lib/problem.ts';
import { taskEvents } from '../../services/tasks/task-events.ts';
import { PageError } from '../page-error.ts';
import type { MemberVisit } from '../visit.ts';
import { ownTask } from './own-task.ts';

/** The changes of a task, for as long as the session goes on and the person is a member. */
export async function streamTask(visit: MemberVisit): Promise<Response> {
  const { context, core, caller, signedIn } = visit;
  const { accountId, plan } = caller;
  const task = await ownTask(visit);
  const isAllowed = () => context.sessions.reaches(signedIn.session.id, accountId, Date.now());
  try {
    const lastEventId = visit.header('last-event-id');
    return eventResponse(await taskEvents(core, { accountId, plan, isAllowed }, task, lastEventId));
  } catch (error) {
    if (error instanceof Problem && error.code === 'rate_limited') {
      throw new PageError(429, 'Too many open streams', error.message);
    }
    throw error;
  }
}
