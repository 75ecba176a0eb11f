import { readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from './paths.mjs';

/** They load libraries or files from their own folders. */
const EXTERNAL = [
  'onnxruntime-node',
  'sherpa-onnx-node',
  '@seydx/*',
  '@vladmandic/*',
  'harfbuzzjs',
  'wawoff2',
];

/** The modules of a bundle look for their own files where they would without it. */
const ownUrls = (directory: string): Plugin => ({
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const own = `new URL(${JSON.stringify(relative(directory, path))}, import.meta.url).href`;
      return {
        contents: text.replaceAll('import.meta.url', own),
        loader: extname(path).endsWith('ts') ? 'ts' : 'js',
      };
    });
  },
});

/**
 * Bundles a module of this repository for Node.
 * @param entry From the root.
 * @param directory Where the bundle will be.
 */
export async function bundleText(
  entry: string,
  directory: string,
): Promise<{ text: string /** From the root, without packages. */; sources: string[] }> {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    external: EXTERNAL,
    plugins: [ownUrls(directory)],
    // CommonJS packages load modules of Node by it.
    banner: { js: "const require = process.getBuiltinModule('module').createRequire(import.meta.url);" },
    // Each process reads and hashes all of its bundle when it starts. Names stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    metafile: true,
    logLevel: 'error',
    absWorkingDir: root,
  });
  const text = outputFiles[0]?.text;
  if (text === undefined) throw new Error(`${entry} could not be bundled`);
  return {
    text,
    sources: Object.keys(metafile.inputs).filter((input) => !input.startsWith('node_modules/')),
  };
}
