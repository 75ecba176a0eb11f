import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import { type AudioCodec, audioCodecsOf } from '../../../schema/operations/transcode.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { decimal } from '../../model/decimal.ts';
import type { AudioStream, MediaProbe } from '../../model/media-probe.ts';
import type { Place, Plan } from '../../model/plan.ts';
import { soundSince } from '../../model/sound-times.ts';
import type { Chain, Filter } from '../../model/steps.ts';
import type { VideoStream } from '../../model/video-stream.ts';
import { audioTarget, probedCodec } from './audio-target.ts';
import { chainsFieldwise } from './deinterlace.ts';
import { framesSince, timedFrames, withoutGaps } from './filters.ts';
import type { Size } from './geometry.ts';
import { demuxerFor, videoFile } from './output-files.ts';
import { endsWithVideo } from './render-range.ts';
import { frameRate, lengthOf } from './require-streams.ts';
import type { VideoTarget } from './video-target.ts';

/** All frames of the video, relative to the start of the source. */
export function wholeVideo(probe: MediaProbe, video: VideoStream): Filter[] {
  return [...timedFrames(video), framesSince(video, probe.origin)];
}

/**
 * All sound, relative to the start of the source, with a late start and gaps filled with silence. Samples of the last
 * packet after the end that players show are dropped.
 */
export function wholeAudio(probe: MediaProbe): Filter[] {
  return [
    ...soundSince(probe.audio, probe.origin),
    withoutGaps,
    { name: 'atrim', options: { end: decimal(lengthOf(probe)) } },
  ];
}

interface Whole {
  probe: MediaProbe;
  video: VideoStream;
  target: VideoTarget;
  size: Size;
  /** From `0:<video>` to `v`. */
  chains: Chain[];
  sound: {
    stream: AudioStream;
    asked: { codec: 'auto' | AudioCodec; kbps: number | null };
    before: Filter[];
  } | null;
  format: VideoContainer;
  frames: number | null;
  /** Which part of the upright picture is visible, and where. */
  place: Place;
  fps?: number | undefined;
  data: Record<string, unknown>;
  warnings: Warning[];
}

/**
 * Whether the sound packets can be copied: an edit list keeps them exact to the sample, and the request does not ask
 * for a different codec or bitrate.
 */
function copiesSound(
  { probe, format }: Whole,
  { stream, asked, before }: NonNullable<Whole['sound']>,
): boolean {
  const edited = probe.format === 'mov' && (format === 'mp4' || format === 'mov') && probe.origin === 0;
  const same = stream.codec === audioCodecsOf[format][0] && asked.codec === 'auto' && asked.kbps === null;
  return edited && same && before.length === 0;
}

/** Animations say of each frame how long it is shown, and the last one is often shown longest. */
const animations: readonly Demuxer[] = ['gif', 'apng'];

function heldVideo({ probe, target, fps }: Whole, duration: number) {
  if (fps !== undefined || !animations.includes(probe.format)) return { encode: target.encoding };
  return { encode: { ...target.encoding, reorder: false }, until: duration };
}

/** Renders a whole video in one run. */
export function planWhole(whole: Whole): Plan {
  const { probe, video, target, size, sound, format, frames, warnings } = whole;
  const duration = lengthOf(probe);
  const file = videoFile(format);
  const copied = sound !== null && copiesSound(whole, sound);
  const audio = sound && !copied ? audioTarget(sound.stream, format, sound.asked) : null;
  if (video.pace === 'variable' && whole.fps === undefined) {
    warnings.push({
      code: 'source_vfr',
      detail: 'The source has a variable frame rate; every frame keeps its original time.',
    });
  }
  return {
    steps: [
      {
        kind: 'render',
        inputs: [{ source: 0, seek: null }],
        chains: [
          ...(target.encoding.fields ? chainsFieldwise(whole.chains) : whole.chains),
          ...(sound && audio
            ? [
                {
                  from: [`0:${sound.stream.index}`],
                  filters: [...wholeAudio(probe), ...sound.before, ...audio.after],
                  to: ['a'],
                },
              ]
            : []),
        ],
        outputs: [
          {
            file: file.file,
            container: format,
            video: { from: 'v', ...heldVideo(whole, duration) },
            audio: audio
              ? { from: 'a', encode: audio.encoding }
              : sound && { from: `0:${sound.stream.index}`, encode: 'copy' },
          },
        ],
        seconds: duration,
        lead: 0,
      },
    ],
    files: [file],
    expect: {
      pictures: [],
      media: [
        {
          file: file.file,
          format: demuxerFor(format),
          video: { codec: target.codec, ...size, frames },
          identity: {
            places: { 0: whole.place },
            grid: whole.fps === undefined ? [] : [0],
            heard: true,
          },
          audio: sound && { codec: audio ? probedCodec[audio.encoding.encoder] : sound.stream.codec },
          duration,
          tolerance:
            whole.fps === undefined ? video.frameDuration : Math.max(video.frameDuration, 1 / whole.fps),
          endsTogether: endsWithVideo(probe, { start: 0, end: duration }),
          slack: 0,
        },
      ],
    },
    duration,
    ...size,
    fps: whole.fps ?? frameRate(video.frameDuration),
    data: whole.data,
    time_map: [{ source: 0, in: [0, duration], out: [0, duration] }],
    warnings,
  };
}
