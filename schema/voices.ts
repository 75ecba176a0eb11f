import type { EngineId } from './engines.ts';

export interface Voice {
  id: string;
  engine: Extract<EngineId, 'flite' | 'espeak_ng' | 'kokoro'>;
  title: string;
  /** BCP 47. */
  language: string;
}

const flite: Voice[] = [
  { id: 'rms', engine: 'flite', title: 'RMS, male', language: 'en-US' },
  { id: 'slt', engine: 'flite', title: 'SLT, female', language: 'en-US' },
  { id: 'awb', engine: 'flite', title: 'AWB, male, Scottish', language: 'en-GB' },
];

/** The English speakers of the model, at their numbers in it. */
export const kokoroSpeakers = [
  ...['af_alloy', 'af_aoede', 'af_bella', 'af_heart', 'af_jessica', 'af_kore', 'af_nicole', 'af_nova'],
  ...['af_river', 'af_sarah', 'af_sky', 'am_adam', 'am_echo', 'am_eric', 'am_fenrir', 'am_liam'],
  ...['am_michael', 'am_onyx', 'am_puck', 'am_santa', 'bf_alice', 'bf_emma', 'bf_isabella', 'bf_lily'],
  ...['bm_daniel', 'bm_fable', 'bm_george', 'bm_lewis'],
] as const;

const kokoro: Voice[] = kokoroSpeakers.map((id) => {
  const [kind = '', name = ''] = id.split('_');
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}, ${kind[1] === 'f' ? 'female' : 'male'}`;
  return { id, engine: 'kokoro', title, language: kind[0] === 'b' ? 'en-GB' : 'en-US' };
});

const espeakLanguages = (
  'af am an ar as az ba bg bn bs ca cs cy da de el en-GB en-US eo es es-419 et eu fa fi fr ga gd gu he hi hr hu hy ia id is it ' +
  'ja ka kk kn ko ku ky la lb lt lv mk ml mr ms mt my ne nl or pa pl pt pt-BR ro ru sd si sk sl sq sr sv sw ta te th tk tr tt ' +
  'ug uk ur uz vi cmn yue'
).split(' ');

const espeak: Voice[] = espeakLanguages.map((language) => ({
  ...{ id: `espeak_${language.toLowerCase()}`, engine: 'espeak_ng', language },
  title: `eSpeak NG, ${language}`,
}));

/** Every voice of an engine of ours; a provider has voices of its own beside them. The first that fits is the default. */
export const voices: readonly Voice[] = [
  ...kokoro.filter(({ id }) => id === 'af_heart'),
  ...kokoro.filter(({ id }) => id !== 'af_heart'),
  ...flite,
  ...espeak,
];

export function voiceOf(id: string): Voice | undefined {
  return voices.find((voice) => voice.id === id);
}

/** The voice that an engine speaks a language with where none was asked for; undefined where it has none. */
export function defaultVoice(engine: EngineId, language: string): Voice | undefined {
  const fitting = voices.filter((voice) => voice.engine === engine);
  const wanted = language.toLowerCase();
  const base = (tag: string) => tag.toLowerCase().split('-')[0];
  const american = wanted === 'en' ? 'en-us' : wanted;
  return (
    fitting.find((voice) => voice.language.toLowerCase() === american) ??
    fitting.find((voice) => base(voice.language) === base(wanted))
  );
}
