/** Makes OpenTimelineIO documents as editors write them, with times in frames of a rate. */
export function documents(rate: number) {
  const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate, value });
  const range = (start: number, length: number) => ({
    OTIO_SCHEMA: 'TimeRange.1',
    start_time: time(start),
    duration: time(length),
  });
  const warp = (scalar: number) => ({
    OTIO_SCHEMA: scalar === 0 ? 'FreezeFrame.1' : 'LinearTimeWarp.1',
    effect_name: '',
    time_scalar: scalar,
  });
  return {
    clip: (file: string, start: number, length: number, scalar = 1) => ({
      OTIO_SCHEMA: 'Clip.2',
      name: 'a clip',
      source_range: range(start, length),
      effects: scalar === 1 ? [] : [warp(scalar)],
      markers: [{ OTIO_SCHEMA: 'Marker.2', name: 'a marker' }],
      enabled: true,
      active_media_reference_key: 'DEFAULT_MEDIA',
      media_references: {
        DEFAULT_MEDIA: { OTIO_SCHEMA: 'ExternalReference.1', target_url: `file:///media/${file}` },
      },
    }),
    gap: (length: number) => ({ OTIO_SCHEMA: 'Gap.1', source_range: range(0, length) }),
    dissolve: (before: number, after: number) => ({
      OTIO_SCHEMA: 'Transition.1',
      name: 'Cross Dissolve',
      transition_type: 'SMPTE_Dissolve',
      in_offset: time(before),
      out_offset: time(after),
    }),
    timeline: (video: object[] | null, ...sounds: object[][]) => ({
      OTIO_SCHEMA: 'Timeline.1',
      name: 'a timeline',
      global_start_time: time(rate * 3600),
      tracks: {
        OTIO_SCHEMA: 'Stack.1',
        children: [
          ...(video ? [{ OTIO_SCHEMA: 'Track.1', kind: 'Video', children: video }] : []),
          ...sounds.map((children) => ({ OTIO_SCHEMA: 'Track.1', kind: 'Audio', children })),
        ],
      },
    }),
  };
}

/** The media of a document, by the names of its files. */
export const mediaOf = (files: readonly string[]) =>
  Object.fromEntries(files.map((file) => [file, `https://media.example.com/${file}`]));
