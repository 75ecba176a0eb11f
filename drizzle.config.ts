import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./drizzle/tables.ts', './drizzle/people.ts', './drizzle/status.ts', './drizzle/uploads.ts'],
  out: './drizzle/migrations',
});
