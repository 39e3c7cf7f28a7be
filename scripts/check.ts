// Everything that a tool can say about the code, one line a step: npm run check
import { execFile } from 'node:child_process';
import { join } from 'node:path';

interface Step {
  name: string;
  command: [string, ...string[]];
}

const root = join(import.meta.dirname, '..');
/** The longest first: the last to end has nobody beside it. */
const steps: Step[] = [
  {
    name: 'lint',
    command: ['eslint', '--cache', '--cache-location', 'node_modules/.cache/eslint', '--max-warnings', '0', '.'],
  },
  { name: 'types', command: ['tsc', '--noEmit'] },
  {
    name: 'patterns',
    command: [
      'eslint',
      '--config',
      'eslint.patterns.config.mjs',
      '--cache',
      '--cache-location',
      'node_modules/.cache/eslint-patterns',
      '--max-warnings',
      '0',
      '.',
    ],
  },
  { name: 'format', command: ['prettier', '--check', '--cache', '.'] },
  {
    name: 'lint of the tests',
    command: ['eslint', '--config', 'eslint.tests.config.mjs', '--max-warnings', '0', '**/*.test.ts'],
  },
  {
    name: 'import directions',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'services', 'packages', 'infra', 'tests'],
  },
  {
    name: 'circles of folders',
    command: ['depcruise', '--config', '.dependency-cruiser.folders.cjs', 'services', 'packages', 'infra', 'tests'],
  },
  { name: 'dead code', command: ['knip', '--no-progress'] },
  {
    name: 'docker-compose.yml',
    command: ['dclint', '--max-warnings', '0', '--config', 'infra/docker/dclint.json', 'docker-compose.yml'],
  },
  { name: 'references', command: ['node', join(import.meta.dirname, 'check-references.ts')] },
  { name: 'tables in docs/sql.md', command: ['node', join(import.meta.dirname, 'table-reference.ts')] },
  {
    name: 'picture of the architecture',
    command: ['node', join(import.meta.dirname, 'architecture.ts'), '--check'],
  },
  { name: 'lockfile and tree', command: ['node', join(import.meta.dirname, 'check-tree.ts')] },
];

/** Each is a process that uses one core for most of its time. */
const atOnce = 2;
const left = [...steps];
let failed = 0;

function run({ name, command: [program, ...args] }: Step): Promise<void> {
  const started = Date.now();
  const path = program === 'node' ? process.execPath : join(root, 'node_modules', '.bin', program);
  return new Promise((resolve) => {
    execFile(path, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error) failed += 1;
      process.stdout.write(`${error ? 'FAIL' : 'ok  '} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
      if (error) process.stdout.write(`${stdout}${stderr}\n`);
      resolve();
    });
  });
}

async function runNext(): Promise<void> {
  for (let step = left.shift(); step !== undefined; step = left.shift()) await run(step);
}

await Promise.all(Array.from({ length: atOnce }, runNext));
process.exit(failed === 0 ? 0 : 1);
