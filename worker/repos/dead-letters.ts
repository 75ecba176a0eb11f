import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { deadLetters } from '../../drizzle/tables.ts';

export function deadLettersRepo(db: DrizzleD1Database) {
  return {
    async record(queue: string, messageId: string, body: unknown, now: number): Promise<void> {
      await db.insert(deadLetters).values({ queue, messageId, body, createdAt: now }).onConflictDoNothing();
    },
  };
}
