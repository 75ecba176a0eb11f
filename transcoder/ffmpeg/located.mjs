import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/**
 * The absolute path of a program that is named, or the name if it is in no folder of `path`. The processes that we start have a `PATH` and a
 * working directory of their own. A link stays as it is, because some programs act by the name that they are started with.
 *
 * JavaScript, because the set-up reads it before anything is installed: `scripts/lib/programs.mjs`.
 * @param {string} program
 * @param {string} [path] The `PATH` in which it is looked for.
 * @returns {string}
 */
export function located(program, path = '') {
  if (program.includes('/')) return resolve(program);
  const files = path.split(delimiter).map((folder) => join(folder, program));
  return files.find((file) => isAbsolute(file) && isProgram(file)) ?? program;
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
