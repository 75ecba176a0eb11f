import { serveMedia } from '../../scripts/lib/media-server.mjs';
import { localStorage, type Service, secrets, startService } from '../harness.ts';
import { startTranscoder, type TranscoderProcess } from '../transcoder/transcoder-process.ts';

export interface Stack {
  service: Service;
  transcoder: TranscoderProcess;
  /** The address of a fixture, on an origin that development allows. */
  media(name: string): string;
  close(): Promise<void>;
}

/**
 * The whole service: the built Worker on workerd, a real transcoder process, real ffmpeg, and an origin for sources.
 * @param options readsItself: whether tasks can read its examples and samples, as on a developer's machine
 */
export async function startStack(
  mediaDirectory: string,
  {
    slots = 2,
    root,
    readsItself = false,
    vars = {},
  }: { slots?: number; root?: string; readsItself?: boolean; vars?: Record<string, string> } = {},
): Promise<Stack> {
  const folder = await serveMedia(mediaDirectory, 0);
  const base = folder.origin;
  let transcoder: TranscoderProcess | undefined;
  const service = await startService(async (url) => {
    const origins = readsItself ? `${base},${url.origin}` : base;
    transcoder = await startTranscoder(
      {
        SLOTS: String(slots),
        SPOOL_DEV_ORIGINS: origins,
        TRANSCODER_SECRET: secrets.TRANSCODER_SECRET,
        S3_ENDPOINT: `${url.origin}/cdn-cgi/local/r2/s3`,
        S3_BUCKET: localStorage.bucket,
        S3_ACCESS_KEY_ID: localStorage.accessKeyId,
        S3_SECRET_ACCESS_KEY: localStorage.secretAccessKey,
      },
      root,
    );
    return { TRANSCODER_URL: transcoder.url, SPOOL_DEV_ORIGINS: origins, ...vars };
  });
  const running = transcoder;
  if (!running) throw new Error('the transcoder was not started');
  return {
    service,
    transcoder: running,
    media: (name) => `${base}/${name}`,
    async close() {
      await running.close();
      await service.close();
      await folder.close();
    },
  };
}
