import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  name?: string;
  version?: string;
  license?: string | { type?: string };
  licenses?: { type?: string }[];
}

/** Licences of all packages that are installed below `node_modules/.pnpm`, by `name@version`, as their manifests say. */
export function installedLicenses(root: string): Map<string, string> {
  const store = join(root, 'node_modules/.pnpm');
  const files = globSync(['*/node_modules/*/package.json', '*/node_modules/@*/*/package.json'], { cwd: store });
  const found = new Map<string, string>();
  for (const file of files) {
    const { name, version, license, licenses } = JSON.parse(readFileSync(join(store, file), 'utf8')) as Manifest;
    const output =
      typeof license === 'string' ? license : (license?.type ?? licenses?.map(({ type }) => type).join(' OR '));
    if (name !== undefined && version !== undefined && output !== undefined) found.set(`${name}@${version}`, output);
  }
  return found;
}
