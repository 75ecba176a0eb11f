import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Package {
  version: string;
  integrity?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  link?: boolean;
}

/** Programs of the tools for other systems, which the registry that wrote the lock did not have. Never in the image; this list only shrinks. */
const WITHOUT_HASH = [
  '@biomejs/cli-android-arm64',
  '@biomejs/cli-android-x64',
  '@biomejs/cli-darwin-arm64',
  '@biomejs/cli-darwin-x64',
  '@biomejs/cli-linux-arm64-musl',
  '@biomejs/cli-linux-x64-musl',
  '@biomejs/cli-win32-arm64',
  '@biomejs/cli-win32-x64',
  '@cloudflare/workerd-darwin-64',
  '@cloudflare/workerd-darwin-arm64',
  '@cloudflare/workerd-windows-64',
].map((name) => `node_modules/${name}`);

describe('package-lock.json', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> };
  const entries = Object.entries(packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && !link,
  );

  it('has the SHA-512 of every package, but for a list of optional tools of other systems', () => {
    const without = entries.filter(
      ([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''),
    );
    expect(without.map(([path]) => path).sort()).toEqual(WITHOUT_HASH);
    for (const [path, { optional, dev, os }] of without)
      expect([path, optional, dev, os?.length]).toEqual([path, true, true, 1]);
  });

  it('has an empty package in place of the WebRTC library of node-av, and none of its dependencies in the image', () => {
    expect(packages['node_modules/werift']).toEqual({ resolved: 'transcoder/stubs/werift', link: true });
    expect(entries.filter(([path, { dev }]) => /werift|mediabunny/.test(path) && !dev)).toEqual([]);
  });

  it('has an empty package in place of the runtime for browsers that the package of the speech detector asks for', () => {
    const path = 'transcoder/stubs/onnxruntime-web';
    expect(packages['node_modules/onnxruntime-web']).toMatchObject({ resolved: path, link: true });
    expect(entries.filter(([path]) => path.includes('onnxruntime-web'))).toEqual([]);
  });
});

describe('the image of the transcoder', () => {
  const from = (file: string) =>
    [...read(file).matchAll(/^FROM\s+(\S+)/gm)].map(([, image = '']) => image.replace(/[${}]/g, ''));

  it('has one base, named in one place, so that one digest pins it', () => {
    expect(from('transcoder/Dockerfile')).toEqual(['BASE_IMAGE', 'BASE_IMAGE']);
    expect(read('transcoder/Dockerfile').match(/debian:/g)).toHaveLength(1);
    // As the first process of a container, node would leave zombies, and its watchdog could not end it.
    expect(read('transcoder/Dockerfile')).toMatch(/^ENTRYPOINT \["tini", "--"\]$/m);
    expect(from('transcoder/Dockerfile.ai')).toEqual(['BASE', 'BASE']);
  });
});
