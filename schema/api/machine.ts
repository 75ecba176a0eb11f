const GB = 1_000_000_000;

/**
 * Any task must fit on this container type alone. Keep in sync with `instance_type` in wrangler.toml; figures from
 * https://developers.cloudflare.com/containers/platform/limits/ (November 2026).
 */
export const machine = {
  instance_type: 'standard-4',
  cores: 4,
  memory_bytes: 12 * 1024 ** 3,
  disk_bytes: 20 * GB,
  /** Disk space used by the image and the engine models. */
  image_bytes: 4 * GB,
} as const;
