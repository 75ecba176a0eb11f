import { serveMedia } from '../../scripts/lib/media-server.mjs';
import { localStorage, type Service, secrets, startService } from '../harness.ts';
import { type Receiver, startReceiver } from '../worker/receiver.ts';
import { Member } from './fleet.ts';
import { type Exchange, type Link, startLink } from './link.ts';

/** The whole service with every connection between its parts in the hands of the test. */
export interface ServiceUnderFaults {
  service: Service;
  /** Worker → transcoders. */
  dispatches: Link;
  /** Transcoders → Worker. */
  reports: Link;
  /** Where webhooks may go. */
  receiver: Receiver;
  media(name: string): string;
  /** A link to the object store of its own, for one transcoder or for several. */
  storeLink(): Promise<Link>;
  /** A transcoder, not yet started, that stores through this link. */
  member(store: Link, env?: Record<string, string>): Member;
  close(): Promise<void>;
}

/** `target` says which transcoder an exchange of the Worker goes to; null: to none. */
export async function startServiceUnderFaults(
  mediaDirectory: string,
  target: (exchange: Exchange) => string | null,
  options: { entry?: string } = {},
): Promise<ServiceUnderFaults> {
  const [folder, receiver, dispatches] = await Promise.all([
    serveMedia(mediaDirectory, 0),
    startReceiver(),
    startLink(target),
  ]);
  const origins = `${folder.origin},${receiver.origin}`;
  const links: Link[] = [dispatches];
  const link = async (url: URL) => {
    const made = await startLink(() => url.origin);
    links.push(made);
    return made;
  };
  let reports: Link | undefined;
  const service = await startService(async (url) => {
    reports = await link(url);
    return {
      TRANSCODER_URL: dispatches.origin,
      CALLBACK_URL: reports.origin,
      SPOOL_DEV_ORIGINS: origins,
      WEBHOOK_TIMEOUT_SECONDS: '2',
    };
  }, options);
  if (!reports) throw new Error('the service was not started');
  return {
    service,
    dispatches,
    reports,
    receiver,
    media: (name) => `${folder.origin}/${name}`,
    storeLink: () => link(service.url),
    member: (store, env) =>
      new Member({
        SLOTS: '1',
        SPOOL_DEV_ORIGINS: origins,
        TRANSCODER_SECRET: secrets.TRANSCODER_SECRET,
        S3_ENDPOINT: `${store.origin}/cdn-cgi/local/r2/s3`,
        S3_BUCKET: localStorage.bucket,
        S3_ACCESS_KEY_ID: localStorage.accessKeyId,
        S3_SECRET_ACCESS_KEY: localStorage.secretAccessKey,
        ...env,
      }),
    async close() {
      await Promise.all(links.map((each) => each.close()));
      await service.close();
      await Promise.all([receiver.close(), folder.close()]);
    },
  };
}
