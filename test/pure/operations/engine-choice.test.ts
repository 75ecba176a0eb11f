import { describe, expect, it } from 'vitest';
import { type EngineId, engineField, engineIds, engineOf } from '../../../schema/media/engines.ts';
import { manifest } from '../../../transcoder/engines/models.ts';
import { enginesThatServe } from '../../../transcoder/operations/plan/select-engine.ts';

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

  it('refuses with what the caller can do, and nothing that only the operator can', () => {
    const refused = refusal(() => enginesThatServe('depth', 'auto', here()));
    expect(refused?.code).toBe('engine_unavailable');
    expect(refused?.message).toBe('No engine is available. `GET /capabilities` lists the available engines.');
    const named = refusal(() => enginesThatServe('tts', 'elevenlabs', here('flite')));
    expect(named?.message).toContain('X-ElevenLabs-Key');
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
