import { Container } from '@cloudflare/containers';
import type { Env } from '../bindings.ts';
import { readConfig } from '../env.ts';
import { log } from '../lib/log.ts';

/** A container instance: one slot of one account, `<account>/<slot>`. */
export class Transcoder extends Container<Env> {
  override defaultPort = 8080;
  override sleepAfter = '5m';
  override enableInternet = true;

  constructor(ctx: DurableObjectState<object>, env: Env) {
    super(ctx, env);
    const config = readConfig(env);
    this.envVars = {
      PORT: '8080',
      HOST: '0.0.0.0',
      SLOTS: '1',
      SPOOL_ENV: config.SPOOL_ENV,
      SPOOL_DEV_ORIGINS: config.SPOOL_DEV_ORIGINS.join(','),
      TRANSCODER_SECRET: config.TRANSCODER_SECRET,
      S3_ENDPOINT: config.S3_ENDPOINT,
      S3_BUCKET: config.S3_BUCKET,
      S3_ACCESS_KEY_ID: config.S3_ACCESS_KEY_ID,
      S3_SECRET_ACCESS_KEY: config.S3_SECRET_ACCESS_KEY,
    };
  }

  /** `sleepAfter` counts requests into the container only; one that works is asked and left alone. */
  override async onActivityExpired(): Promise<void> {
    try {
      const response = await this.containerFetch('http://transcoder/readyz', this.defaultPort);
      const { busy } = await response.json<{ busy: number }>();
      if (busy > 0) {
        this.renewActivityTimeout();
        return;
      }
    } catch (error) {
      log('warn', 'container_silent', { error: String(error) });
    }
    await this.stop();
  }
}
