import { planNames, planOf } from '../../../../schema/api/plans.ts';
import { speechApiHeaders, speechApiModels } from '../../../../schema/api/provider-keys.ts';
import { type EngineId, engineIds, engineOf } from '../../../../schema/media/engines.ts';
import { readFormats, writtenFormats } from '../../../../schema/media/formats.ts';
import { voicePresets } from '../../../../schema/media/voice-presets.ts';
import { voices as allVoices } from '../../../../schema/media/voices.ts';
import { operationNames, operations } from '../../../../schema/operations/index.ts';
import { operationPath } from '../paths.ts';
import { limitRows, requestLimits } from '../plan-limits.ts';
import { markdown, table } from '../print/block.ts';
import type { DocPage, Site } from './doc-page.ts';
import { endpointBlocks } from './endpoint-blocks.ts';

const list = (names: readonly string[]) => names.join(', ') || '–';

export const formats: DocPage = {
  path: '/docs/formats',
  title: 'Formats',
  summary: 'Containers and codecs that are read and written.',
  body: () => [
    markdown(`The format of a source is detected from its content, not from its name. Playlists and streams (HLS, DASH), web pages and archives are rejected with an error that names what the URL returned. \`GET /capabilities\` contains the same lists.

## Read`),
    table(
      ['Container', 'Files', 'Pictures', 'Sound'],
      readFormats.map(({ name, title, extensions, video, audio }) => [
        `${title} (\`${name}\`)`,
        list(extensions),
        list(video),
        list(audio),
      ]),
    ),
    markdown('## Written'),
    table(
      ['Format', 'Pictures', 'Sound'],
      writtenFormats.map(({ name, video, audio }) => [`\`${name}\``, list(video), list(audio)]),
    ),
  ],
};

export const limits: DocPage = {
  path: '/docs/limits',
  title: 'Plans and limits',
  summary: 'What each plan allows, how requests are counted and what happens at a limit.',
  body: () => [
    markdown(
      'When your plan’s limit of running tasks is reached, new tasks are queued and show their `queue_position`. Responses contain `RateLimit-Policy` and `RateLimit`; after a 429, wait for the seconds in `Retry-After`. [Prices](/pricing).',
    ),
    table(
      ['', ...planNames.map((name) => planOf(name).title)],
      limitRows.map(({ title, print }) => [title, ...planNames.map((name) => print(planOf(name)))]),
    ),
    markdown(`## How requests are counted\n\n${requestLimits}`),
  ],
};

const availability = ({ engines }: Site, id: EngineId) => {
  const here = engines[id];
  if (here === undefined) return 'unknown';
  return here ? 'yes' : 'not on this service';
};

const ownSpeechApi = `## Your own speech API

${list(
  operationNames
    .filter((name) => operations[name].speechApi)
    .map((name) => `[\`${operations[name].path}\`](${operationPath(name)})`),
)} can use an OpenAI-compatible API of yours or of a provider. Send these headers with the request:

- \`${speechApiHeaders.url}\`: its https:// URL on a public host, such as \`https://api.groq.com/openai\`. The service adds \`/v1/audio/transcriptions\` or \`/v1/audio/speech\`. Redirects are not followed.
- \`${speechApiHeaders.key}\`: its key, if it needs one.
- \`${speechApiHeaders.model}\`: the name of its model, such as \`whisper-large-v3-turbo\`. Defaults to \`${speechApiModels.transcription}\` or \`${speechApiModels.speech}\`.

The headers are stored encrypted until the task ends, and then deleted. Choose a model that reports the times of words. If it does not, English words are aligned with the sound; the words of other languages get estimated times, and the task has the warning \`low_confidence\`.`;

export const voices: DocPage = {
  path: '/docs/voices',
  title: 'Voices and engines',
  summary:
    'Voices for scripts and for conversion, the engines behind them, and which of them this service has.',
  body: (site) => [
    markdown(
      'A request that names an engine or voice that is not available fails with [engine_unavailable](/docs/errors/engine_unavailable). `GET /capabilities` has the same lists.\n\n## Voices for scripts',
    ),
    table(
      ['`voice_id`', 'Voice', 'Language', 'Engine', 'Available'],
      allVoices.map(({ id, title, language, engine }) => [
        `\`${id}\``,
        title,
        language,
        engineOf(engine).title,
        availability(site, engine),
      ]),
    ),
    markdown('## Presets for voice conversion'),
    table(
      ['`voice_id`', 'Voice', 'Available'],
      Object.entries(voicePresets).map(([id, { title }]) => [
        `\`${id}\``,
        title,
        availability(site, 'rubberband'),
      ]),
    ),
    markdown(ownSpeechApi),
    markdown('## Engines'),
    table(
      ['Engine', 'Does', 'Languages', 'Available'],
      engineIds.map((id) => {
        const { title, capabilities, languages } = engineOf(id);
        const spoken = languages.map((language) => (language === '*' ? 'a hundred and more' : language));
        return [title, list(capabilities), list(spoken), availability(site, id)];
      }),
    ),
  ],
};

export const service: DocPage = {
  path: '/docs/service',
  title: 'Account and service',
  summary: 'Usage, capabilities, health and documents for programs.',
  body: (site) => endpointBlocks(site, 'service'),
};
