import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlers, readBundle } from '@millrace/symbolication/testing/bundles.ts';

/** Writes each bundle with its map into a folder, as its bundler leaves them there: `esbuild.js`, `esbuild.js.map`. */
export function writeBundles(folder: string): void {
  for (const bundler of bundlers) {
    const { bundle, map } = readBundle(bundler);
    const [text = ''] = bundle.trimEnd().split('\n//# sourceMappingURL=');
    writeFileSync(join(folder, `${bundler}.js`), `${text}\n//# sourceMappingURL=${bundler}.js.map\n`);
    writeFileSync(join(folder, `${bundler}.js.map`), map);
  }
}
