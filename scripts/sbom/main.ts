// npm run --silent sbom > millrace.cdx.json: the parts of Millrace, as a CycloneDX document on standard output, made from the locks of
// this checkout alone. Parts that nothing pins are named on standard error.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectParts } from './collect-parts.ts';
import { makeBom } from './make-bom.ts';

const root = join(import.meta.dirname, '../..');
const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
  license: string;
};
const parts = collectParts(root);
process.stdout.write(makeBom({ name, version, license }, parts));

const unpinned = parts.filter(({ hashes }) => Object.keys(hashes).length === 0);
const unlicensed = parts.filter((part) => part.kind !== 'container' && part.license === undefined);
process.stderr.write(`${parts.length} parts.\n`);
if (unlicensed.length > 0)
  process.stderr.write(`${unlicensed.length} of them, mostly for other platforms, say no licence here.\n`);
if (unpinned.length > 0)
  process.stderr.write(
    `Not pinned by a digest, only by a tag:\n${unpinned.map((part) => `  ${part.name}:${part.version}\n`).join('')}`,
  );
