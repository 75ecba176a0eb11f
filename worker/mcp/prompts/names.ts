import { engines } from '../../../schema/media/engines.ts';
import { voices } from '../../../schema/media/voices.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';

/** The tool of an operation, as prompts name it. */
export const tool = (name: OperationName) => operations[name].tool.name;

export const voiceIds = voices.map(({ id }) => id);

/** Languages that scripts are spoken in. */
export const spokenLanguages = [...new Set(voices.map(({ language }) => language))].sort();

/** Languages that speech is recognized in. */
export const heardLanguages = ['auto', ...[...engines.parakeet.languages].sort()];
