import { z } from 'zod';
import { statusPartNames } from '../schema/api/status.ts';
import { idOf, read, text, UsageError } from './admin-input.ts';
import type { Execute } from './d1.ts';
import { insertIncident, selectIncident, selectIncidents, updateIncident } from './incident-records.ts';

export const incidentUsage = `  incident open --title TITLE --text TEXT [--part ${statusPartNames.join('|')}]
                                                  shows an incident on /status and in its feed; prints its id
  incident update --id inc_… --text TEXT          adds a text to it
  incident close --id inc_… --text TEXT           adds a last text to it
  incident list`;

const inputs = {
  title: text('--title'),
  text: text('--text', 2000),
  part: z.enum(statusPartNames, { error: `--part: expected ${statusPartNames.join(', ')}` }),
  id: idOf('incident', '--id'),
};

interface Options {
  id?: string | undefined;
  title?: string | undefined;
  text?: string | undefined;
  part?: string | undefined;
}

/** Adds a text to an open incident, or says why it cannot. */
async function add(options: Options, execute: Execute, close: boolean) {
  const id = read(inputs.id, options.id);
  const added = read(inputs.text, options.text);
  const [changed] = await execute(updateIncident(id, added, { close, now: Date.now() }));
  if (changed?.length !== 1) {
    const [known] = await execute(selectIncident(id));
    throw new UsageError(
      known?.length === 1
        ? `The incident ${id} is closed. If it has come back, open a new one.`
        : `There is no incident ${id}. See: npm run admin -- incident list`,
    );
  }
  return { id, open: !close };
}

export const incidentCommands = {
  'incident open': {
    takes: ['title', 'text', 'part'],
    async run(options: Options, execute: Execute) {
      const about = {
        title: read(inputs.title, options.title),
        text: read(inputs.text, options.text),
        part: options.part === undefined ? null : read(inputs.part, options.part),
      };
      const { id, statement } = insertIncident(about, Date.now());
      await execute(statement);
      return { id, ...about };
    },
  },
  'incident update': {
    takes: ['id', 'text'],
    run: (options: Options, execute: Execute) => add(options, execute, false),
  },
  'incident close': {
    takes: ['id', 'text'],
    run: (options: Options, execute: Execute) => add(options, execute, true),
  },
  'incident list': {
    takes: [],
    run: async (_: Options, execute: Execute) => (await execute(selectIncidents()))[0],
  },
} as const;
