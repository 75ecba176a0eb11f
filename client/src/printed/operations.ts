// Printed from the registry by `npm run generate`.

import type { StartTask } from '../operations.ts';

/** A method for every operation. */
export interface OperationMethods {
  /** Cut a video or audio file with frame accuracy, or join several ranges of it. `POST /cut` */
  cut: StartTask<'cut'>;
  /** Crop a video to a rectangle or to an aspect ratio. `POST /crop` */
  crop: StartTask<'crop'>;
  /** Convert a file to another container, codec, size, frame rate, bitrate or loudness. `POST /transcode` */
  transcode: StartTask<'transcode'>;
  /** Change the container, tags, chapters, cover or tracks of a file without re-encoding, or strip private data. `POST /remux` */
  remux: StartTask<'remux'>;
  /** Find the silent parts of a video or audio file and remove, speed up or mute them. `POST /silence_process` */
  silenceProcess: StartTask<'silence_process'>;
  /** Remove fillers, repeats, words or sentences from a video or audio file by its words, and mask profanity. `POST /edit_by_text` */
  editByText: StartTask<'edit_by_text'>;
  /** Change the speed of a video or audio file or of parts of it, play it backwards, rotate or flip it. `POST /speed` */
  speed: StartTask<'speed'>;
  /** Join several clips with hard cuts or transitions. `POST /merge_urls` */
  mergeUrls: StartTask<'merge_urls'>;
  /** Render an OpenTimelineIO document, the timeline of your editing program, and copy what it leaves unchanged. `POST /timeline` */
  timeline: StartTask<'timeline'>;
  /** Replace the audio of a video with a voice, or mix both. `POST /redub` */
  redub: StartTask<'redub'>;
  /** Replace the audio of a video by text to speech: a script as plain text, SRT, VTT or timed segments. `POST /redub_tts` */
  redubTts: StartTask<'redub_tts'>;
  /** Convert the voice of a video or audio file to another voice, with exact timing. `POST /redub_vc` */
  redubVc: StartTask<'redub_vc'>;
  /** Add captions to a video from speech recognition, a script or existing captions, burned in or as files (SRT, WebVTT, ASS). `POST /captions/auto` */
  captionsAuto: StartTask<'captions_auto'>;
  /** Transcribe an audio or video file: text, SRT, WebVTT, and every word with its time and confidence. `POST /transcribe` */
  transcribe: StartTask<'transcribe'>;
  /** Separate vocals and music into files, optionally with a video that has one of them. `POST /separate` */
  separate: StartTask<'separate'>;
  /** Create a video that visualizes audio: bars, waves, rings and more. `POST /visualize` */
  visualize: StartTask<'visualize'>;
  /** Turn one or more photos into a video with movement, transitions and music. `POST /photo/animate` */
  photoAnimate: StartTask<'photo_animate'>;
  /** Extract the last frame of a video as a picture. `POST /frame/last` */
  frameLast: StartTask<'frame_last'>;
  /** Extract frames of a video as pictures, at given times or evenly spaced. `POST /frame` */
  frame: StartTask<'frame'>;
  /** Inspect a media file: container, duration, streams, chapters, keyframes, loudness. `POST /probe` */
  probe: StartTask<'probe'>;
}

/** The path of each operation, by the method that posts to it. */
export const operationPaths = {
  cut: '/cut',
  crop: '/crop',
  transcode: '/transcode',
  remux: '/remux',
  silenceProcess: '/silence_process',
  editByText: '/edit_by_text',
  speed: '/speed',
  mergeUrls: '/merge_urls',
  timeline: '/timeline',
  redub: '/redub',
  redubTts: '/redub_tts',
  redubVc: '/redub_vc',
  captionsAuto: '/captions/auto',
  transcribe: '/transcribe',
  separate: '/separate',
  visualize: '/visualize',
  photoAnimate: '/photo/animate',
  frameLast: '/frame/last',
  frame: '/frame',
  probe: '/probe',
} as const;
