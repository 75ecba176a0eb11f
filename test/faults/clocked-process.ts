import { readFileSync } from 'node:fs';
import { shiftDate } from './shifted-date.ts';

/** Loaded with `--import` in front of a transcoder: its clock is as wrong as the file that CLOCK_FILE names says, in milliseconds. */
const file = process.env.CLOCK_FILE ?? '';
let offset = 0;
const read = () => {
  offset = Number(readFileSync(file, 'utf8'));
};
read();
shiftDate(() => offset);
setInterval(read, 100).unref();
