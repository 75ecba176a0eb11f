import { isNode, type Node, own } from './reading.ts';

/** Whether an effect changes nothing: editors list effects that every clip or track has, whether or not they were used. */
export function isUnset(effect: Node): boolean {
  const metadata = own(effect, 'metadata');
  if (!isNode(metadata)) return false;
  const [resolve, premiere] = [own(metadata, 'Resolve_OTIO'), own(metadata, 'PremierePro_OTIO')];
  if (isNode(resolve)) return isUnsetInResolve(resolve);
  return isNode(premiere) && isUnsetInPremiere(premiere);
}

/** DaVinci Resolve names the parameters that were changed, and their defaults. */
function isUnsetInResolve(effect: Node): boolean {
  if (own(effect, 'Enabled') === false) return true;
  const parameters = own(effect, 'Parameters') ?? [];
  return Array.isArray(parameters) && parameters.every(hasDefault);
}

function hasDefault(parameter: unknown): boolean {
  if (!isNode(parameter)) return false;
  const frames = own(parameter, 'Key Frames') ?? {};
  const still = isNode(frames) && Object.keys(frames).length === 0;
  return still && own(parameter, 'Parameter Value') === own(parameter, 'Default Parameter Value');
}

const CENTER = '0.5 0.5';

/** Premiere Pro's values of parameters that were not changed, by effect and `ID`. */
const premiereDefaults: Record<string, Record<number, number | boolean | string>> = {
  'AE.ADBE Opacity': { 1: 100, 2: 18, 3: 0 },
  'AE.ADBE Motion': {
    ...{ 1: CENTER, 2: 100, 3: 100, 4: true, 5: 0, 6: CENTER },
    ...{ 7: 0, 8: 0, 9: 0, 10: 0, 11: 0 },
  },
  AudioFader: {},
  PanProcessor: { 0: 0.5 },
  'Internal Volume Mono': {},
  'Internal Volume Stereo': {},
  'Internal Channel Volume Stereo': {},
};

/** A parameter without a value has not been changed. */
function isUnsetInPremiere(effect: Node): boolean {
  const [name, parameters] = [own(effect, 'MatchName'), own(effect, 'Parameters') ?? []];
  if (typeof name !== 'string' || !Object.hasOwn(premiereDefaults, name)) return false;
  const defaults = premiereDefaults[name] ?? {};
  return Array.isArray(parameters) && parameters.every((each) => isPremiereDefault(each, defaults));
}

function isPremiereDefault(parameter: unknown, defaults: Record<number, unknown>): boolean {
  if (!isNode(parameter)) return false;
  const frames = own(parameter, 'Keyframes') ?? [];
  if (!Array.isArray(frames) || frames.length > 0) return false;
  const start = own(parameter, 'StartValue');
  if (start === undefined) return true;
  const value = isNode(start) ? own(start, 'Value') : null;
  const plain = isNode(value) ? `${own(value, 'X')} ${own(value, 'Y')}` : value;
  const id = own(parameter, 'ID');
  return typeof id === 'number' && defaults[id] !== undefined && plain === defaults[id];
}
