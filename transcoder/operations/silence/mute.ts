import { canSeek, type MediaProbe } from '../../model/media-probe.ts';
import { audioTarget, probedCodec } from '../plan/audio-target.ts';
import { totalOf } from '../plan/compile/clips.ts';
import { type Made, rawInput, soundSteps, soundWork, type Work } from '../plan/compile/sound-parts.ts';
import { demuxerFor, videoFile } from '../plan/output-files.ts';
import { endsWithVideo } from '../plan/render-range.ts';
import { frameRate, movingOf } from '../plan/require-streams.ts';
import { besideOf, copyable } from '../plan/stream-copy.ts';
import type { SilenceRequest } from './segments.ts';

/** Copies the video packets and joins the sound of the clips, which together cover the whole source. */
export function copyVideo(request: SilenceRequest, work: Work): Made {
  const { probe, clips } = work;
  const { input, facts } = request;
  const { video } = movingOf(probe);
  const total = totalOf(clips);
  const file = videoFile(input.format);
  const sound = soundWork(work, (stream) => audioTarget(stream, input.format, { codec: 'auto', kbps: null }));
  if (!sound) throw new Error('a source without sound cannot be muted');
  const alpha = besideOf(video, input.format);
  const upright = video.rotation % 180 === 0;
  return {
    steps: [
      ...soundSteps(sound),
      {
        kind: 'render',
        inputs: [{ source: 0, seek: null, copy: true, zero: probe.origin }, rawInput(sound)],
        chains: [{ from: ['1:0'], filters: sound.target.after, to: ['a'] }],
        outputs: [
          {
            file: file.file,
            container: input.format,
            video: {
              from: `0:${video.index}`,
              encode: { copy: { codec: video.codec, packets: null, ...(alpha ? { alpha } : {}) } },
            },
            audio: { from: 'a', encode: sound.target.encoding },
          },
        ],
        seconds: total,
        weight: total / 10,
        lead: 0,
      },
    ],
    file,
    expect: {
      file: file.file,
      format: demuxerFor(input.format),
      video: {
        codec: video.codec,
        width: video.width,
        height: video.height,
        frames: facts.packets?.length ?? null,
      },
      identity: { heard: true },
      audio: { codec: probedCodec[sound.target.encoding.encoder] },
      duration: total,
      tolerance: video.frameDuration,
      endsTogether: endsWithVideo(probe, { start: 0, end: total }),
      slack: 0,
    },
    width: upright ? video.width : video.height,
    height: upright ? video.height : video.width,
    fps: frameRate(video.frameDuration),
    copied: total,
  };
}

/**
 * Whether all video packets can be copied. For formats without an index ffmpeg counts time from the first video packet,
 * not from the start of the file.
 */
export function copiesVideo(request: SilenceRequest, probe: MediaProbe): boolean {
  const { packets } = request.facts;
  if (request.input.mode !== 'mute' || !packets?.[0]?.key) return false;
  return canSeek(probe) && probe.origin >= 0 && copyable(request);
}
