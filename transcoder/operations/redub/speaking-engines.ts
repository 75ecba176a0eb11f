import { didYouMean } from '../../../schema/api/nearest-name.ts';
import { type EngineId, engineOf } from '../../../schema/media/engines.ts';
import { voiceOf, voices } from '../../../schema/media/voices.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Means } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { enginesThatServe } from '../plan/select-engine.ts';

type Input = OperationInput<'redub_tts'>;

/** A voice that the request names, and the field that does. */
interface Named {
  id: string;
  field: string;
  /** Undefined for a voice of a provider. */
  engine: EngineId | undefined;
}

function namedVoices({ voice_id, segments = [] }: Input): Named[] {
  const named = (id: string | undefined, field: string) =>
    id === undefined ? [] : [{ id, field, engine: voiceOf(id)?.engine }];
  return [
    ...named(voice_id, '`voice_id`'),
    ...segments.flatMap((segment, index) => named(segment.voice_id, `\`segments[${index}].voice_id\``)),
  ];
}

const unavailable = (detail: string) => new TaskFailure('engine_unavailable', detail);

/** The engines that can speak with all voices that a request names, best first. Throws `engine_unavailable`. */
export function speakingEngines(input: Input, { engines, own }: Means): EngineId[] {
  const { provider, language } = input;
  const theirs = (['elevenlabs', 'speech_api_tts'] as const).find((id) => own?.has(id));
  if (provider === 'auto' && theirs) return [theirs];
  const named = namedVoices(input);
  const unknown = named.find(({ engine }) => engine === undefined);
  if (provider === 'auto' && unknown) {
    if (engines.has('speech_api_tts')) return ['speech_api_tts'];
    throw unavailable(unknownText(unknown));
  }
  const [first] = named;
  const asked =
    provider === 'auto' || provider === 'builtin' || provider === 'local'
      ? (first?.engine ?? 'auto')
      : provider;
  const tier = provider === 'builtin' ? 'embedded' : provider === 'local' ? 'model' : null;
  const present = new Set([...engines].filter((id) => tier === null || engineOf(id).tier === tier));
  // Providers may have voices of the same names.
  const theirOwn = asked === 'speech_api_tts' || asked === 'elevenlabs';
  const other = asked === 'auto' || theirOwn ? undefined : named.find(({ engine }) => engine !== asked);
  if (other && asked !== 'auto') throw unavailable(otherText(other, asked));
  return enginesThatServe('tts', asked, present, first?.engine ? undefined : language);
}

function unknownText({ id, field }: Named): string {
  const near = didYouMean(
    id,
    voices.map((voice) => voice.id),
  );
  return `${field}: There is no voice \`${id}\`. \`GET /capabilities\` lists the voices.${near} To use an ElevenLabs voice, send your key in the header X-ElevenLabs-Key; for a voice of your own speech API, its address in X-Speech-Api-Url.`;
}

const otherText = ({ id, field }: Named, asked: EngineId) =>
  `${field}: ${engineOf(asked).title} has no voice \`${id}\`. All voices of a request belong to one engine. \`GET /capabilities\` lists the voices of each engine.`;
