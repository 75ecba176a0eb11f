import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveMedia } from '../../scripts/lib/media-server.mjs';
import { localStorage, type Service, secrets, startService } from '../harness.ts';
import { type Receiver, startReceiver } from '../worker/webhooks/receiver.ts';
import { Member } from './fleet.ts';
import { type Exchange, type Link, startLink } from './link.ts';

/** The whole service with every connection between its parts in the hands of the test. */
export interface ServiceUnderFaults {
  service: Service;
  /** Worker → transcoders. */
  dispatches: Link;
  /** Transcoders → Worker. */
  reports: Link;
  /** Transcoders → origins of sources. */
  origins: Link;
  /** Where webhooks may go. */
  receiver: Receiver;
  media(name: string): string;
  /** A link to the object store of its own, for one transcoder or for several. */
  storeLink(): Promise<Link>;
  /** A transcoder, not yet started, that stores through this link. */
  member(store: Link, options?: MemberOptions): Member;
  /** Sets the clocks of the Worker and of all transcoders, by milliseconds ahead of the true time. */
  setClocks(offsetMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface MemberOptions {
  env?: Record<string, string>;
  /** See Member. */
  diskBytes?: number;
}

interface FaultOptions {
  /** A module that takes the place of the Worker's own; see startService. */
  entry?: string;
  /** Whether `setClocks` is needed. */
  clocks?: boolean;
}

const clockedProcess = fileURLToPath(new URL('clocked-process.ts', import.meta.url));

/** `target` says which transcoder an exchange of the Worker goes to; null: to none. */
export async function startServiceUnderFaults(
  mediaDirectory: string,
  target: (exchange: Exchange) => string | null,
  { entry, clocks = false }: FaultOptions = {},
): Promise<ServiceUnderFaults> {
  const [folder, receiver, dispatches] = await Promise.all([
    serveMedia(mediaDirectory, 0),
    startReceiver(),
    startLink(target),
  ]);
  const origins = await startLink(() => folder.origin);
  const devOrigins = `${origins.origin},${receiver.origin}`;
  const directory = mkdtempSync(join(tmpdir(), 'spool-test-clock-'));
  const clockFile = join(directory, 'offset');
  writeFileSync(clockFile, '0');
  const links: Link[] = [dispatches, origins];
  const link = async (url: URL) => {
    const made = await startLink(() => url.origin);
    links.push(made);
    return made;
  };
  let reports: Link | undefined;
  const service = await startService(
    async (url) => {
      reports = await link(url);
      return {
        TRANSCODER_URL: dispatches.origin,
        CALLBACK_URL: reports.origin,
        SPOOL_DEV_ORIGINS: devOrigins,
        WEBHOOK_TIMEOUT_SECONDS: '2',
      };
    },
    clocks ? { entry: 'test/faults/clocked-worker.ts' } : entry === undefined ? {} : { entry },
  );
  if (!reports) throw new Error('the service was not started');
  return {
    service,
    dispatches,
    reports,
    origins,
    receiver,
    media: (name) => `${origins.origin}/${name}`,
    storeLink: () => link(service.url),
    member: (store, { env, ...options } = {}) =>
      new Member(
        {
          SLOTS: '1',
          SPOOL_DEV_ORIGINS: devOrigins,
          TRANSCODER_SECRET: secrets.TRANSCODER_SECRET,
          S3_ENDPOINT: `${store.origin}/cdn-cgi/local/r2/s3`,
          S3_BUCKET: localStorage.bucket,
          S3_ACCESS_KEY_ID: localStorage.accessKeyId,
          S3_SECRET_ACCESS_KEY: localStorage.secretAccessKey,
          ...(clocks ? { CLOCK_FILE: clockFile, NODE_OPTIONS: `--import ${clockedProcess}` } : {}),
          ...env,
        },
        options,
      ),
    async setClocks(offsetMs) {
      if (!clocks) throw new Error('this service was started without clocks of its own');
      writeFileSync(clockFile, String(offsetMs));
      const response = await service.request('/clock', { method: 'POST', body: String(offsetMs) });
      await response.arrayBuffer();
    },
    async close() {
      await Promise.all(links.map((each) => each.close()));
      await service.close();
      await Promise.all([receiver.close(), folder.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
