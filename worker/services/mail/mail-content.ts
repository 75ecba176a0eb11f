import type { NoticedLimit } from '../../../schema/api/noticed-limits.ts';

/** What a mail is about; the text is written when it is sent. */
export type MailContent =
  | { kind: 'sign_in'; to: string; code: string; link: string }
  | { kind: 'prove' | 'old_address' | 'new_address'; to: string; code: string }
  | { kind: 'address_changed'; to: string }
  | { kind: 'payment_failed'; to: string; account: string; payBy: number; link: string }
  | { kind: 'subscription_inactive'; to: string; account: string; link: string }
  | { kind: 'account_deleted'; to: string; account: string; by: string }
  | {
      kind: 'limit';
      to: string;
      account: string;
      limit: NoticedLimit;
      percent: number;
      most: number;
      link: string;
    }
  | { kind: 'invitation'; to: string; account: string; invitedBy: string; link: string };
