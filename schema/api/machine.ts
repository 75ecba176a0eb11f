const GB = 1_000_000_000;

/**
 * The container that a task of any plan has to fit in, alone: `instance_type` of wrangler.toml, as
 * https://developers.cloudflare.com/containers/platform/limits/ lists it (read November 2026).
 */
export const machine = {
  instance_type: 'standard-4',
  cores: 4,
  memory_bytes: 12 * 1024 ** 3,
  disk_bytes: 20 * GB,
  /** What the image and the models of engines take of the disk. */
  image_bytes: 4 * GB,
} as const;
