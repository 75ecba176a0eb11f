import { didYouMean } from '../../../schema/api/nearest-name.ts';
import type { EngineId } from '../../../schema/media/engines.ts';
import { FORMANT_SEMITONES, isVoicePreset, voicePresets } from '../../../schema/media/voice-presets.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Means } from '../../model/plan.ts';
import type { Convert } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { MIX_RATE } from '../plan/raw-audio.ts';
import { enginesThatServe } from '../plan/select-engine.ts';

type Input = OperationInput<'redub_vc'>;

/** How the voice is converted, at the mix rate. Throws `engine_unavailable`. */
export function conversionOf(input: Input, present: Means['engines'], samples: number): Convert {
  const { voice_id } = input;
  const preset = voice_id !== undefined && isVoicePreset(voice_id) ? voicePresets[voice_id] : null;
  return {
    kind: 'convert',
    engines: convertersOf(input, present),
    ...{ from: 'speech.raw', file: 'voice.raw', sampleRate: MIX_RATE, samples },
    preset,
    shift: { pitch: input.pitch_semitones, formant: input.formant * FORMANT_SEMITONES },
    sample: input.voice_sample_url === undefined ? null : 'sample.raw',
    voice: preset ? null : (voice_id ?? null),
  };
}

/** The engines that can convert this voice, best first. Throws `engine_unavailable`. */
function convertersOf(
  { provider, voice_id, voice_sample_url, pitch_semitones, formant }: Input,
  present: Means['engines'],
): EngineId[] {
  const theirs = voice_id !== undefined && !isVoicePreset(voice_id);
  if (provider === 'auto' && theirs && !present.has('elevenlabs')) {
    throw new TaskFailure(
      'engine_unavailable',
      `There is no preset \`${voice_id}\`; the presets are ${Object.keys(voicePresets).join(', ')}.${didYouMean(voice_id, Object.keys(voicePresets))} To use an ElevenLabs voice, send your key in the header X-ElevenLabs-Key.`,
    );
  }
  const alone = pitch_semitones !== 0 || formant !== 0 || voice_sample_url === undefined;
  const ours = alone ? 'rubberband' : null;
  const asked =
    provider === 'auto'
      ? theirs
        ? 'elevenlabs'
        : ours
      : provider === 'builtin'
        ? 'rubberband'
        : provider === 'local'
          ? 'openvoice'
          : provider;
  if (asked) return enginesThatServe('voice_convert', asked, present);
  const own = new Set([...present].filter((id) => id !== 'elevenlabs'));
  return enginesThatServe('voice_convert', 'auto', own);
}
