import type { VisualizeInput } from './layout.ts';

/** The sources of a request by role. */
export function rolesOf(input: VisualizeInput) {
  const backed = input.video_url !== undefined || input.image_url !== undefined;
  return {
    sound: 0,
    behind: backed ? 1 : null,
    cover: input.cover_url === undefined ? null : backed ? 2 : 1,
  };
}
