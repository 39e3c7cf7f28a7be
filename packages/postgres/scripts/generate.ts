// Generates the Prisma client into src/generated (not in git). The bootstrap calls it after an install.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const packageFolder = join(import.meta.dirname, '..');
const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js');
const result = spawnSync(process.execPath, [prisma, 'generate', '--schema', 'prisma/schema.prisma'], {
  cwd: packageFolder,
  encoding: 'utf8',
  // Prisma wants to download a schema engine that `generate` never runs: any program that exists stands in for it.
  // Only here: with a stand-in, `prisma migrate` would report success and do nothing.
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  },
});
if (result.status !== 0) {
  process.stderr.write(`${result.stdout}${result.stderr}`);
  process.exit(1);
}
