import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Children } from '../lib/children.mjs';
import { step } from '../lib/steps.mjs';
import { docker } from './engine.ts';

const IMAGE = 'debian:trixie-slim';
const LOCAL_AUTHORITIES = 'usr/local/share/ca-certificates';

/** Pulls the base image, or builds an equivalent one from Debian's packages if no registry is reachable. */
export async function ensureBaseImage(children: Children): Promise<void> {
  if ((await docker('images', '--quiet', IMAGE)) !== '') return;
  const pulled = children.run('docker', ['pull', IMAGE]).then(
    () => true,
    () => false,
  );
  if (await pulled) return;
  const directory = mkdtempSync(join(tmpdir(), 'spool-base-'));
  try {
    await step(`${IMAGE} by debootstrap`, async () => {
      await children.run('debootstrap', ['--variant=minbase', 'trixie', directory]);
      // Certificate authorities that this machine trusts in addition to the public ones, such as a proxy's.
      if (existsSync(`/${LOCAL_AUTHORITIES}`)) {
        cpSync(`/${LOCAL_AUTHORITIES}`, join(directory, LOCAL_AUTHORITIES), { recursive: true });
      }
      await children.run('sh', ['-c', `tar -C "$1" -c . | docker import - ${IMAGE}`, 'sh', directory]);
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
