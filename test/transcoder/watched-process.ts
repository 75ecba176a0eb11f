import { watchEventLoop } from '../../transcoder/process/watchdog.ts';

/** Blocks its event loop again and again, for so many milliseconds each time, under a watchdog of so many. */
const [blocked = 0, stands = 0] = process.argv.slice(2).map(Number);
watchEventLoop({ service: 'watched' }, stands);
setInterval(() => {
  process.stdout.write('beat\n');
  const until = performance.now() + blocked;
  while (performance.now() < until);
}, 100);
