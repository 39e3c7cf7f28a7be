import type { Part } from './part.ts';

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; license?: string; os?: string }>;
}

/** Node, for each platform that the lock knows, and pnpm, with the hashes that `npm start` checks. Pure. */
export function toolchain(lockText: string): Part[] {
  const { packages } = JSON.parse(lockText) as Lock;
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version = '', integrity = '', license, os }]) => {
      const name = path.replace('node_modules/', '');
      return {
        kind: name.startsWith('node-') ? 'platform' : 'application',
        purl: `pkg:npm/${name}@${version}`,
        name,
        version,
        license,
        hashes: { sha512: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
        scope: 'required',
        isDirect: true,
        needs: [],
        properties: os === undefined ? {} : { os },
      };
    });
}
