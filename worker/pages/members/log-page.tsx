import type { AuditAction } from '../../../drizzle/people.ts';
import { auditLog } from '../../services/members/members.ts';
import { Time } from '../elements.tsx';
import type { MemberVisit } from '../visit.ts';

const texts: Record<AuditAction, string> = {
  'account.created': 'created the account',
  'member.invited': 'invited',
  'member.invitation_withdrawn': 'withdrew the invitation of',
  'member.joined': 'joined:',
  'member.role_changed': 'changed the role of',
  'member.removed': 'removed',
  'key.created': 'created the key',
  'key.rolled': 'rolled the key',
  'key.revoked': 'revoked the key',
  'subscription.changed': 'changed the subscription to',
  'endpoint.created': 'added the webhook endpoint',
  'endpoint.removed': 'removed the webhook endpoint',
  'webhook_secret.rotated': 'rotated the webhook secret',
  'data.exported': 'exported the data of the account',
};

export async function showLog(visit: MemberVisit): Promise<Response> {
  const { id, name } = visit.membership.account;
  const before = visit.url.searchParams.get('before') ?? undefined;
  const { events, next } = await auditLog(visit.context, id, before);
  const body = (
    <>
      <h1>Log</h1>
      <p class="lead">
        The {before === undefined ? 'last' : 'earlier'} changes to {name}, newest first.
      </p>
      <ul class="rows">
        {events.map(({ actor, action, subject, createdAt }) => (
          <li>
            <span>
              <strong>{actor}</strong> {texts[action]} {subject}
            </span>
            <Time ms={createdAt} />
          </li>
        ))}
      </ul>
      {next === null ? null : (
        <p>
          <a rel="next" href={`/app/${id}/log?before=${next}`}>
            Older
          </a>
        </p>
      )}
    </>
  );
  return visit.page('Log', body);
}
