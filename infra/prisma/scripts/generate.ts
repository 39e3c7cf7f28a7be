// Generates the Prisma client of packages/postgres into its src/generated (not in git). scripts/run.mjs calls it after an install.
// Apart from packages/postgres, because a start needs the generator and production does not.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const packageFolder = join(import.meta.dirname, '../../../packages/postgres');
const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js');
const withoutStudio = join(import.meta.dirname, 'without-studio.ts');
const result = spawnSync(
  process.execPath,
  ['--import', withoutStudio, prisma, 'generate', '--schema', 'prisma/schema.prisma'],
  {
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
  },
);
if (result.status !== 0) {
  process.stderr.write(`${result.stdout}${result.stderr}`);
  process.exit(1);
}
