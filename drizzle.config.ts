import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './drizzle/tables.ts',
  out: './drizzle/migrations',
});
