import { describe, expect, it } from 'vitest';
import { newId } from '../../../schema/task/ids.ts';
import type { Config } from '../../../worker/env.ts';
import { linkIsSigned, signedLink } from '../../../worker/services/files/download-link.ts';

const config = {
  SIGNING_SECRET: 'signing-of-at-least-thirty-two-characters',
  PUBLIC_URL: 'https://spool.example.com',
} as Config;
const task = newId('task');

describe('a signed link', () => {
  it('is good for its task, file and time, and for nothing else', async () => {
    const { searchParams } = new URL(await signedLink(config, task, 'video', 1_800_000_000_000));
    const signature = searchParams.get('signature') ?? '';
    const link = { taskId: task, role: 'video', expires: 1_800_000_000, signature };
    expect(await linkIsSigned(config, link)).toBe(true);
    expect(await linkIsSigned(config, { ...link, taskId: newId('task') })).toBe(false);
    expect(await linkIsSigned(config, { ...link, role: 'audio' })).toBe(false);
    expect(await linkIsSigned(config, { ...link, expires: link.expires + 1 })).toBe(false);
    const other = { ...config, SIGNING_SECRET: 'another-of-at-least-thirty-two-characters' };
    expect(await linkIsSigned(other, link)).toBe(false);
  });

  it('is good with its whole signature, and with no other of any length', async () => {
    const { searchParams } = new URL(await signedLink(config, task, 'video', 1_800_000_000_000));
    const signature = searchParams.get('signature') ?? '';
    const signed = (text: string) =>
      linkIsSigned(config, {
        taskId: task,
        role: 'video',
        expires: 1_800_000_000,
        signature: text,
      });
    for (let at = 0; at < signature.length; at++) {
      const letter = signature[at] === 'A' ? 'B' : 'A';
      expect([at, await signed(signature.slice(0, at) + letter + signature.slice(at + 1))]).toEqual([
        at,
        false,
      ]);
      expect(await signed(signature.slice(0, at))).toBe(false);
    }
    expect(await signed(`${signature}A`)).toBe(false);
  });
});
