import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Spool } from '../../src/index.ts';
import { interruption, MissingKeyError } from '../exit-codes.ts';
import { loginPath, removeLogin, serviceAddress, writeLogin } from '../login-file.ts';
import { type OwnCommand, serviceOption } from './own-command.ts';

export const login: OwnCommand = {
  parameters: '',
  most: 0,
  summary: 'Keep the address of a service and your key on this machine.',
  details:
    'Asks for the key, or reads it from standard input, and tries it. It is kept in a file that only you can read (mode 600). SPOOL_API_KEY and SPOOL_URL in the environment take precedence.',
  options: serviceOption,
  examples: ['spool login --url https://spool.example.com', 'echo "$KEY" | spool login'],
  run: async (_, { url }) => {
    const baseUrl = serviceAddress(url as string | undefined);
    const key = (await readKey(baseUrl)).trim();
    if (key === '')
      throw new MissingKeyError('No key was given.', `Give one that you have created at ${baseUrl}/app.`);
    const { plan } = await new Spool({ baseUrl, apiKey: key }).account();
    const path = writeLogin({ url: baseUrl, key });
    process.stdout.write(`Logged in to ${baseUrl} (plan ${plan}). The key is in ${path}.\n`);
  },
};

export const logout: OwnCommand = {
  parameters: '',
  most: 0,
  summary: 'Forget the key on this machine.',
  details: '',
  options: {},
  examples: ['spool logout'],
  run: async () => {
    removeLogin();
    process.stdout.write(`${loginPath()} is gone. The key still works; revoke it in the dashboard.\n`);
  },
};

/** Typed keys are not shown. */
async function readKey(baseUrl: string): Promise<string> {
  if (!process.stdin.isTTY) {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(`Key for ${baseUrl} (create one at ${baseUrl}/app): `);
  try {
    // Ctrl-C and Ctrl-D close it, and leave the question open.
    const closed = new Promise<never>((_, reject) => prompt.once('close', () => reject(interruption())));
    return await Promise.race([prompt.question(''), closed]);
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}
