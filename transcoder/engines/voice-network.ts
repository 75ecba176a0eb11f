import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Path of the network that an optional npm package contains; null if the package is not installed. */
export function packagedVoiceNetwork(): string | null {
  try {
    return require.resolve('@ricky0123/vad-web/dist/silero_vad_v6.onnx');
  } catch {
    return null;
  }
}
