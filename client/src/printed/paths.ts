// Printed from the registry by `npm run generate`.

/** The path of each operation, by the method that posts to it. */
export const operationPaths = {
  cut: '/cut',
  crop: '/crop',
  transcode: '/transcode',
  silenceProcess: '/silence_process',
  mergeUrls: '/merge_urls',
  redub: '/redub',
  redubTts: '/redub_tts',
  redubVc: '/redub_vc',
  captionsAuto: '/captions/auto',
  separate: '/separate',
  visualize: '/visualize',
  photoAnimate: '/photo/animate',
  frameLast: '/frame/last',
  frame: '/frame',
  probe: '/probe',
} as const;
