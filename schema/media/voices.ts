import { nearestName } from '../api/nearest-name.ts';
import type { EngineId } from './engines.ts';
import { spokenLanguage } from './spoken-language.ts';

interface Voice {
  id: string;
  engine: Extract<EngineId, 'flite' | 'espeak_ng' | 'kokoro' | 'workers_ai_tts'>;
  title: string;
  /** BCP 47. */
  language: string;
}

const flite: Voice[] = [
  { id: 'rms', engine: 'flite', title: 'RMS, male', language: 'en-US' },
  { id: 'slt', engine: 'flite', title: 'SLT, female', language: 'en-US' },
  { id: 'awb', engine: 'flite', title: 'AWB, male, Scottish', language: 'en-GB' },
];

/** Speakers of the model; the index is the speaker number. The rest are Japanese and Chinese, for which lexicons are missing. */
export const kokoroSpeakers = [
  ...['af_alloy', 'af_aoede', 'af_bella', 'af_heart', 'af_jessica', 'af_kore', 'af_nicole', 'af_nova'],
  ...['af_river', 'af_sarah', 'af_sky', 'am_adam', 'am_echo', 'am_eric', 'am_fenrir', 'am_liam'],
  ...['am_michael', 'am_onyx', 'am_puck', 'am_santa', 'bf_alice', 'bf_emma', 'bf_isabella', 'bf_lily'],
  ...['bm_daniel', 'bm_fable', 'bm_george', 'bm_lewis', 'ef_dora', 'em_alex', 'ff_siwis', 'hf_alpha'],
  ...['hf_beta', 'hm_omega', 'hm_psi', 'if_sara', 'im_nicola', 'jf_alpha', 'jf_gongitsune', 'jf_nezumi'],
  ...['jf_tebukuro', 'jm_kumo', 'pf_dora', 'pm_alex', 'pm_santa'],
] as const;

/** Languages by the first letter of a speaker. */
const kokoroLanguages: Record<string, string> = {
  ...{ a: 'en-US', b: 'en-GB', e: 'es', f: 'fr', h: 'hi', i: 'it', p: 'pt-BR' },
};

const named = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const kokoro: Voice[] = kokoroSpeakers.flatMap((id) => {
  const [kind = '', name = ''] = id.split('_');
  const language = kokoroLanguages[kind[0] ?? ''];
  if (language === undefined) return [];
  const title = `${named(name)}, ${kind[1] === 'f' ? 'female' : 'male'}`;
  return [{ id, engine: 'kokoro', title, language }];
});

/** The default speakers of Aura 2 come first. */
const auraSpeakers = {
  en:
    'luna amalthea andromeda apollo arcas aries asteria athena atlas aurora callista cora cordelia delia draco electra harmonia ' +
    'helena hera hermes hyperion iris janus juno jupiter mars minerva neptune odysseus ophelia orion orpheus pandora phoebe pluto ' +
    'saturn thalia theia vesta zeus',
  es: 'aquila alvaro carina celeste diana estrella javier nestor selena sirio',
} as const;

/** Voices of Aura 2 on Workers AI, each of the model of its language. */
export const auraVoices = (['en', 'es'] as const).flatMap((language) =>
  auraSpeakers[language].split(' ').map((speaker) => ({
    ...{ id: `aura_${speaker}`, engine: 'workers_ai_tts' as const, language, speaker },
    title: `Aura 2 ${named(speaker)}`,
  })),
);

const espeakLanguages = (
  'af am an ar as az ba be bg bn bpy bs ca cmn cs cv cy da de el en-GB en-US eo es es-419 et eu fa fi fr fr-BE fr-CH ga gd gn grc ' +
  'gu hak haw he hi hr ht hu hy hyw ia id io is it ja jbo ka kk kl kn ko kok ku ky la lb lfn lt ltg lv mi mk ml mr ms mt my nb ' +
  'nci ne nl nog om or pa pap pl pt pt-BR qu quc ro ru sd shn si sk sl smj sq sr sv sw ta te th tk tn tr tt ug uk ur uz vi yue'
).split(' ');

const espeak: Voice[] = espeakLanguages.map((language) => ({
  ...{ id: `espeak_${language.toLowerCase()}`, engine: 'espeak_ng', language },
  title: `eSpeak NG, ${language}`,
}));

/** Voices of the engines we run; providers have their own. The first match is the default. */
export const voices: readonly Voice[] = [
  ...kokoro.filter(({ id }) => id === 'af_heart'),
  ...kokoro.filter(({ id }) => id !== 'af_heart'),
  ...auraVoices.map(({ speaker: _, ...voice }) => voice),
  ...flite,
  ...espeak,
];

export function voiceOf(id: string): Voice | undefined {
  return voices.find((voice) => voice.id === id);
}

/** Default voice of an engine for a language: one of the region if there is one, otherwise the first. */
export function defaultVoice(engine: EngineId, language: string): Voice | undefined {
  const wanted = spokenLanguage(language === 'en' ? 'en-US' : language);
  const fitting = voices
    .filter((voice) => voice.engine === engine)
    .map((voice) => ({ voice, spoken: spokenLanguage(voice.language) }))
    .filter(({ spoken }) => wanted !== undefined && spoken?.language === wanted.language);
  const best = fitting.find(({ spoken }) => spoken?.region === wanted?.region) ?? fitting[0];
  return best?.voice;
}

let tagsByName: Map<string, string> | undefined;

function tagsOfNames(): Map<string, string> {
  if (!tagsByName) {
    const english = new Intl.DisplayNames('en', { type: 'language' });
    const tags = ['en', ...new Set(voices.map(({ language }) => language))];
    tagsByName = new Map(tags.map((tag) => [(english.of(tag) ?? tag).toLowerCase(), tag]));
  }
  return tagsByName;
}

/** The tag of a language that is given as a tag or by its English name; null if it is neither. */
export function languageTagOf(text: string): string | null {
  if (/^[a-z]{2,3}$/i.test(text)) return text.toLowerCase();
  return tagsOfNames().get(text.toLowerCase()) ?? null;
}

/** The tag of a language that is given by its English name, or misspelt: `en` for `English` or `Englsh`; null if none is close. */
export function languageTagNear(text: string): string | null {
  const tags = tagsOfNames();
  const exact = tags.get(text.toLowerCase());
  const near = exact ?? tags.get(nearestName(text.toLowerCase(), tags.keys()) ?? '');
  return near ?? nearestName(text, tags.values());
}
