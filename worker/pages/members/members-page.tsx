import type { Member } from '../../repos/people/members.ts';
import {
  changeRole,
  invite,
  listInvitations,
  listMembers,
  MAX_INVITATIONS,
  type MemberChange,
  removeMember,
  withdrawInvitation,
} from '../../services/members/members.ts';
import { isFresh } from '../../services/sign-in/find-session.ts';
import { HOURLY } from '../../services/sign-in/note-challenge.ts';
import { actorOf } from '../actor.ts';
import { EmailField, Form, ProveFirst, Time } from '../elements.tsx';
import { PageError } from '../page-error.ts';
import type { MemberVisit } from '../visit.ts';

const pathOf = ({ membership }: MemberVisit) => `/app/${membership.account.id}/members`;

export async function showMembers(visit: MemberVisit): Promise<Response> {
  const { context, membership, signedIn } = visit;
  const { id, name } = membership.account;
  const isOwner = membership.role === 'owner';
  const fresh = isFresh(signedIn.session, Date.now());
  const [members, invitations] = [await listMembers(context, id), await listInvitations(context, id)];
  const owners = members.filter(({ role }) => role === 'owner');
  const isLastOwner = ({ role }: Pick<Member, 'role'>) => role === 'owner' && owners.length === 1;
  const body = (
    <>
      <h1>Members</h1>
      <p class="lead">Account {name}. Members manage keys; owners also manage members.</p>
      <p>
        A removed member can no longer open these pages. Keys they have seen keep working until you roll them.
      </p>
      {fresh ? null : <ProveFirst next={pathOf(visit)} what="change members" />}
      <ul class="rows">
        {members.map((member) => (
          <li>
            <span>
              <strong>{member.email}</strong> {member.role} since <Time ms={member.createdAt} />
            </span>
            {fresh && isOwner && !isLastOwner(member) ? <MemberForms visit={visit} member={member} /> : null}
          </li>
        ))}
        {invitations.map((invitation) => (
          <li>
            <span>
              <strong>{invitation.email}</strong> invited as {invitation.role}, until{' '}
              <Time ms={invitation.expiresAt} />
            </span>
            {fresh && isOwner ? (
              <Form visit={visit} action={`${pathOf(visit)}/invitations/${invitation.id}/withdraw`} inline>
                <button
                  class="danger"
                  type="submit"
                  aria-label={`Withdraw the invitation of ${invitation.email}`}
                >
                  Withdraw
                </button>
              </Form>
            ) : null}
          </li>
        ))}
      </ul>
      {fresh && isOwner ? <InvitationForm visit={visit} /> : null}
      {isLastOwner(membership) ? (
        <p class="hint">To leave this account, make another member an owner first.</p>
      ) : fresh ? (
        <Form visit={visit} action={`${pathOf(visit)}/leave`}>
          <button class="danger" type="submit">
            Leave this account
          </button>
        </Form>
      ) : null}
      {isOwner ? (
        <p>
          <a href={`/app/${id}/export`}>Download the data of the account</a> as JSON, or{' '}
          <a href={`/app/${id}/delete`}>delete the account</a>.
        </p>
      ) : null}
    </>
  );
  return visit.page('Members', body);
}

function MemberForms({ visit, member }: { visit: MemberVisit; member: Member }) {
  const path = `${pathOf(visit)}/${member.personId}`;
  const role = member.role === 'owner' ? 'member' : 'owner';
  return (
    <span class="actions">
      <Form visit={visit} action={`${path}/role`} inline>
        <input type="hidden" name="role" value={role} />
        <button class="second" type="submit" aria-label={`Make ${role}: ${member.email}`}>
          Make {role}
        </button>
      </Form>
      <Form visit={visit} action={`${path}/remove`} inline>
        <button class="danger" type="submit" aria-label={`Remove ${member.email}`}>
          Remove
        </button>
      </Form>
    </span>
  );
}

function InvitationForm({ visit }: { visit: MemberVisit }) {
  return (
    <section>
      <h2>Invite</h2>
      <Form visit={visit} action={pathOf(visit)}>
        <EmailField label="Address" />
        <label>
          Role
          <select name="role">
            <option value="member">Member</option>
            <option value="owner">Owner</option>
          </select>
        </label>
        <button type="submit">Invite</button>
      </Form>
    </section>
  );
}

const roleOf = (visit: MemberVisit) => (visit.field('role') === 'owner' ? 'owner' : 'member');

export async function inviteMember(visit: MemberVisit): Promise<Response> {
  const { name } = visit.membership.account;
  const about = { email: visit.field('email'), role: roleOf(visit), account: name } as const;
  if (await invite(visit.context, actorOf(visit), about, visit.browser)) return visit.redirect(pathOf(visit));
  const limit = `An account has at most ${MAX_INVITATIONS.open} open invitations, and sends ${MAX_INVITATIONS.daily} in a day. One address gets at most ${HOURLY.perEmail} invitations and sign-in codes in an hour.`;
  throw new PageError(
    422,
    'The invitation was not sent',
    `Enter the address of someone who is not a member yet. ${limit}`,
  );
}

export async function withdraw(visit: MemberVisit): Promise<Response> {
  const withdrawn = await withdrawInvitation(visit.context, actorOf(visit), visit.param('invitation'));
  if (!withdrawn) throw new PageError(404, 'Not found', 'This invitation was accepted or has expired.');
  return visit.redirect(pathOf(visit));
}

export async function setRole(visit: MemberVisit): Promise<Response> {
  const change = await changeRole(visit.context, actorOf(visit), visit.param('person'), roleOf(visit));
  return changed(visit, change, pathOf(visit));
}

export async function remove(visit: MemberVisit): Promise<Response> {
  const change = await removeMember(visit.context, actorOf(visit), visit.param('person'));
  return changed(visit, change, pathOf(visit));
}

export async function leave(visit: MemberVisit): Promise<Response> {
  const change = await removeMember(visit.context, actorOf(visit), visit.signedIn.person.id);
  return changed(visit, change, '/app');
}

function changed(visit: MemberVisit, change: MemberChange, next: string): Response {
  if (change === 'no_member')
    throw new PageError(404, 'Not found', 'This person is not a member of the account.');
  if (change === 'last_owner') {
    throw new PageError(409, 'The account needs an owner', 'Make another member an owner first.');
  }
  return visit.redirect(next);
}
