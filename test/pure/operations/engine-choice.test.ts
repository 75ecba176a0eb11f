import { describe, expect, it } from 'vitest';
import {
  type EngineId,
  engineField,
  engineIds,
  engineOf,
  enginesSelected,
} from '../../../schema/media/engines.ts';
import { operations } from '../../../schema/operations/index.ts';
import { manifest } from '../../../transcoder/engines/models.ts';
import { enginesThatServe } from '../../../transcoder/operations/plan/select-engine.ts';
import { speakingEngines } from '../../../transcoder/operations/redub/speaking-engines.ts';
import { means } from './sources.ts';

const here = (...ids: EngineId[]) => new Set(ids);
const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
  return null;
};

describe('the choice of an engine', () => {
  it('takes the better one first, and the other behind it', () => {
    expect(enginesThatServe('tts', 'auto', here('flite', 'kokoro', 'espeak_ng'))).toEqual([
      'kokoro',
      'flite',
      'espeak_ng',
    ]);
    expect(enginesThatServe('tts', 'flite', here('flite', 'kokoro'))).toEqual(['flite']);
  });

  it('leaves out what does not speak the language', () => {
    expect(enginesThatServe('tts', 'auto', here('flite', 'espeak_ng'), 'de-AT')).toEqual(['espeak_ng']);
    expect(refusal(() => enginesThatServe('tts', 'flite', here('flite'), 'de'))).toEqual({
      code: 'engine_unavailable',
      message: 'Flite does not support the language `de`. Choose another engine or language.',
    });
  });

  it('takes the model for the language alone before its equal for many, and only if the language is known', () => {
    const both = here('parakeet', 'parakeet_en', 'pocketsphinx');
    expect(enginesThatServe('asr', 'auto', both, 'en-GB')).toEqual([
      'parakeet_en',
      'parakeet',
      'pocketsphinx',
    ]);
    expect(enginesThatServe('asr', 'auto', both, 'de')).toEqual(['parakeet']);
    expect(enginesThatServe('asr', 'auto', both)[0]).toBe('parakeet');
    expect(enginesThatServe('asr', 'auto', here('speech_api', 'parakeet_en'), 'en')[0]).toBe('speech_api');
  });

  it('offers engines that the operator pays by default, and an engine that only callers pay by name alone', () => {
    expect(enginesSelected('asr', 'auto')).toContain('speech_api');
    expect(enginesSelected('tts', 'auto')).toContain('workers_ai_tts');
    expect(enginesSelected('tts', 'auto')).not.toContain('elevenlabs');
  });

  it('refuses with what the caller can do, and nothing that only the operator can', () => {
    const refused = refusal(() => enginesThatServe('depth', 'auto', here()));
    expect(refused?.code).toBe('engine_unavailable');
    expect(refused?.message).toBe('No engine is available. `GET /capabilities` lists the available engines.');
    const named = refusal(() => enginesThatServe('tts', 'elevenlabs', here('flite')));
    expect(named?.message).toContain('X-ElevenLabs-Key');
  });
});

describe('the engine of a script', () => {
  const video_url = 'https://media.example.com/film.mp4';
  const enginesOf = (request: object, ...ids: EngineId[]) =>
    speakingEngines(operations.redub_tts.input.parse({ video_url, ...request }), {
      ...means,
      engines: here(...ids),
    });
  const voiced = (...ids: (string | undefined)[]) =>
    ids.map((voice_id, index) => ({ start: index, text: 'Hello.', ...(voice_id ? { voice_id } : {}) }));

  it('is that of the voices that its lines name', () => {
    const request = { segments: voiced(undefined, 'espeak_de', 'espeak_fr') };
    expect(enginesOf(request, 'flite', 'espeak_ng')).toEqual(['espeak_ng']);
    expect(enginesOf({ ...request, provider: 'builtin' }, 'flite', 'espeak_ng')).toEqual(['espeak_ng']);
  });

  it.each([
    [{ segments: voiced('slt', 'unknown') }, '`segments[1].voice_id`: There is no voice `unknown`.'],
    [{ script: 'Hello.', voice_id: 'unknown' }, '`voice_id`: There is no voice `unknown`.'],
    [
      { segments: voiced('espeak_de'), voice_id: 'rms' },
      '`segments[0].voice_id`: Flite has no voice `espeak_de`.',
    ],
    [
      { segments: voiced('slt', 'espeak_de'), provider: 'flite' },
      '`segments[1].voice_id`: Flite has no voice `espeak_de`.',
    ],
  ])('is refused with the field that names a voice it has not: %j', (request, message) => {
    const refused = refusal(() => enginesOf(request, 'flite', 'espeak_ng'));
    expect(refused).toEqual({ code: 'engine_unavailable', message: expect.stringContaining(message) });
  });
});

describe('the table of engines', () => {
  it('gives a request the engines of a capability and no others', () => {
    const field = engineField('separate');
    expect(field.parse(undefined)).toBe('auto');
    expect(field.parse('centre_mask')).toBe('centre_mask');
    expect(field.safeParse('flite').success).toBe(false);
  });

  it('has a model in the manifest for every engine that needs one, named the same, in a set of its words', () => {
    const needing = engineIds.filter((id) => engineOf(id).tier === 'model');
    expect(manifest.models.map(({ engine }) => engine).sort()).toEqual([...needing].sort());
    for (const { id, engine, set, license } of manifest.models) {
      expect(engineOf(engine)).toMatchObject({ model_id: id, license: license.spdx });
      expect(engineOf(engine).install).toContain(`--set ${set}`);
      expect(license.commercial).toBe(true);
    }
  });

  it('has a set of at most 150 MB, with a model that recognizes speech', () => {
    const lite = manifest.models.filter(({ set }) => set === 'lite');
    expect(lite.flatMap(({ engine }) => engineOf(engine).capabilities)).toContain('asr');
    const bytes = lite.flatMap(({ files }) => files.map((file) => file.bytes));
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(150_000_000);
  });

  it('names files that are pinned, once each', () => {
    const files = manifest.models.flatMap(({ dir, files }) => files.map((file) => ({ dir, ...file })));
    expect(new Set(files.map(({ dir, path }) => `${dir}/${path}`)).size).toBe(files.length);
    expect(new Set(files.map(({ sha256 }) => sha256)).size).toBe(files.length);
    for (const { url } of files) {
      expect(url).toMatch(
        /^https:\/\/(huggingface\.co\/.*\/resolve\/[0-9a-f]{40}\/|github\.com\/.*\/releases\/)/,
      );
    }
  });
});
