import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import type { MailMessage } from '../../../schema/api/mail.ts';
import { sealer } from '../../../schema/api/seal.ts';
import { type Mail, MailRefused } from '../../../worker/lib/mail/mailer.ts';
import { deliverMail } from '../../../worker/services/mail/deliver-mail.ts';
import type { MailContent } from '../../../worker/services/mail/mail-content.ts';
import { mailText } from '../../../worker/services/mail/mail-text.ts';
import { queueMail } from '../../../worker/services/mail/queue-mail.ts';

// By its address, because tests are checked without the types of the Workers runtime.
const mails = fileURLToPath(new URL('../../../worker/queue/mails.ts', import.meta.url));
const { consumeMails } = (await import(mails)) as {
  consumeMails(context: object, batch: object, now: number): Promise<void>;
};

const NOW = 1_800_000_000_000;
const link = 'https://spool.example.com/app/sign-in/link?token=abc';
const contents: MailContent[] = [
  { kind: 'sign_in', to: 'ada@example.com', code: '123456', link },
  { kind: 'prove', to: 'ada@example.com', code: '123456' },
  { kind: 'old_address', to: 'ada@example.com', code: '123456' },
  { kind: 'new_address', to: 'ada@example.com', code: '123456' },
  { kind: 'address_changed', to: 'ada@example.com' },
  { kind: 'payment_failed', to: 'ada@example.com', account: 'Acme', payBy: NOW, link },
  { kind: 'subscription_inactive', to: 'ada@example.com', account: 'Acme', link },
  { kind: 'invitation', to: 'ada@example.com', account: 'Acme', invitedBy: 'grace@example.com', link },
];

/** As much of the context as mails need, with what was queued and sent. */
function mailContext(send: (mail: Mail) => void = () => {}) {
  const queued: MailMessage[] = [];
  const sent: Mail[] = [];
  const context = {
    config: { PUBLIC_URL: 'https://spool.example.com' },
    sealer: sealer('a master secret of thirty-two characters'),
    mailer: {
      async send(mail: Mail) {
        send(mail);
        sent.push(mail);
      },
    },
    async queueMail(message: MailMessage) {
      queued.push(message);
    },
  };
  return { context, queued, sent };
}

async function queued(content: MailContent, send?: (mail: Mail) => void) {
  const { context, queued: messages, sent } = mailContext(send);
  await queueMail(context, content, NOW + 1000);
  const [message] = messages;
  if (!message) throw new Error('nothing was queued');
  return { context, message, sent };
}

describe('a mail', () => {
  it.each(contents)(
    'of kind $kind lies sealed in its queue, and is delivered with its text',
    async (content) => {
      const { context, message, sent } = await queued(content);
      const raw = JSON.stringify(message);
      expect(raw).not.toMatch(/123456|token=|ada@example\.com|grace/);
      await deliverMail(context, message, NOW);
      expect(sent).toEqual([
        { id: message.id, to: 'ada@example.com', ...mailText(content, 'spool.example.com') },
      ]);
    },
  );

  it('about a failed payment names the minute until which it can be paid', () => {
    const { text } = mailText(
      { kind: 'payment_failed', to: 'ada@example.com', account: 'Acme', payBy: NOW, link },
      'spool.example.com',
    );
    expect(text).toContain(`by 2027-01-15 08:00 UTC: ${link}`);
    expect(text).toContain('After that, keys can still read, but no longer create tasks.');
  });

  it('lies sealed in its queue', async () => {
    const { message } = await queued({ kind: 'prove', to: 'ada@example.com', code: '123456' });
    expect(message.sealed).not.toContain('123456');
  });

  it('is not opened under the id of another one', async () => {
    const { context, message } = await queued({ kind: 'prove', to: 'ada@example.com', code: '123456' });
    await expect(deliverMail(context, { ...message, id: 'mail_other' }, NOW)).rejects.toThrow();
  });

  it('is dropped once its code has expired', async () => {
    const { context, message, sent } = await queued({ kind: 'prove', to: 'ada@example.com', code: '123456' });
    await deliverMail(context, message, NOW + 1000);
    expect(sent).toEqual([]);
  });

  it('throws where another try may help, and does not where none will', async () => {
    const fails = async (error: Error) => {
      const { context, message } = await queued({ kind: 'address_changed', to: 'ada@example.com' }, () => {
        throw error;
      });
      await deliverMail(context, message, NOW);
    };
    await expect(fails(new Error('busy'))).rejects.toThrow('busy');
    await expect(fails(new MailRefused('no such address'))).resolves.toBeUndefined();
  });

  it('has one line as its subject, whatever an account is called', () => {
    const content = { ...contents.at(-1), account: 'Acme\r\nBcc: eve@example.com' } as MailContent;
    const { subject, text } = mailText(content, 'spool.example.com');
    expect(subject).toBe('Invitation to Acme  Bcc: eve@example.com');
    expect(text).not.toContain('\r');
  });
});

describe('a mail that the provider does not take', () => {
  it.each([
    [1, 20],
    [2, 40],
    [6, 640],
    [20, 3600],
  ])('is tried again later and later: after try %i in %i seconds', async (attempts, delaySeconds) => {
    const { context, message } = await queued(contents[5] as MailContent, () => {
      throw new Error('the provider is away');
    });
    const retry = vi.fn();
    const one = { id: 'm', timestamp: new Date(NOW), body: message, attempts, ack: vi.fn(), retry };
    await consumeMails(context, { messages: [one] }, NOW);
    expect(retry.mock.calls).toEqual([[{ delaySeconds }]]);
    expect(one.ack).not.toHaveBeenCalled();
  });
});
