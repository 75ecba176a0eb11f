import type { Capabilities } from '../model/capabilities.ts';
import { isOlder } from '../model/ffmpeg-version.mjs';
import type { Chain, Filter, Output, Render } from '../model/steps.ts';

/**
 * Matroska subtracts the CodecDelay of Opus, 312 samples, from its timestamps. Before version 6, the muxer of ffmpeg would shift the picture
 * to avoid negative times.
 */
export function withOpusLead(step: Render, { version }: Pick<Capabilities, 'version'>): Render {
  if (!isOlder(version, 6)) return step;
  const late: Chain[] = [];
  const delayed = (from: string): string => {
    const to = `late${late.length}`;
    late.push({ from: [from], filters: [lead], to: [to] });
    return to;
  };
  const outputs = step.outputs.map((output): Output => {
    if (!('audio' in output) || !output.audio || !isDelayed(output)) return output;
    const { audio, sounds } = output;
    return {
      ...output,
      audio: { ...audio, from: delayed(audio.from) },
      ...(sounds ? { sounds: sounds.map((sound) => ({ ...sound, from: delayed(sound.from) })) } : {}),
    };
  });
  return late.length === 0 ? step : { ...step, chains: [...step.chains, ...late], outputs };
}

const lead: Filter = { name: 'asetpts', options: { expr: 'PTS+312' } };

const isDelayed = ({ container, audio }: Extract<Output, { audio: unknown }>) =>
  (container === 'webm' || container === 'mkv') &&
  audio !== null &&
  audio.encode !== 'copy' &&
  audio.encode.encoder === 'libopus';
