import { z } from 'zod';

const address = z.email().max(254);

/** The address as it is stored, in lower case; null if the text is not an address. */
export function emailAddress(text: string): string | null {
  const { data } = address.safeParse(text.trim().toLowerCase());
  return data ?? null;
}
