import type { Actor } from '../services/members/members.ts';
import type { MemberVisit } from './visit.ts';

/** Who changes which account, for its log. */
export const actorOf = ({ membership, signedIn }: MemberVisit): Actor => ({
  accountId: membership.account.id,
  person: signedIn.person,
});
