import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { docker } from './engine.ts';

const IMAGE = 'debian:trixie-slim';
const LOCAL_AUTHORITIES = 'usr/local/share/ca-certificates';

/** Pulls the base image; where there is no registry, makes its like out of Debian's packages. */
export async function ensureBaseImage(): Promise<void> {
  if ((await docker('images', '--quiet', IMAGE)) !== '') return;
  if (spawnSync('docker', ['pull', IMAGE], { stdio: 'inherit' }).status === 0) return;
  const directory = mkdtempSync(join(tmpdir(), 'spool-base-'));
  try {
    console.log(`making ${IMAGE} with debootstrap`);
    execFileSync('debootstrap', ['--variant=minbase', 'trixie', directory], { stdio: 'inherit' });
    // Authorities that this machine trusts beside the public ones: a proxy's, for instance.
    if (existsSync(`/${LOCAL_AUTHORITIES}`)) {
      cpSync(`/${LOCAL_AUTHORITIES}`, join(directory, LOCAL_AUTHORITIES), { recursive: true });
    }
    execFileSync('sh', ['-c', `tar -C "$1" -c . | docker import - ${IMAGE}`, 'sh', directory], {
      stdio: 'inherit',
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
