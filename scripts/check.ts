// Everything that a tool can say about the code, one line a step: npm run check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Step {
  name: string;
  command: [string, ...string[]];
}

const root = join(import.meta.dirname, '..');
const steps: Step[] = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'format', command: ['prettier', '--check', '--cache', '.'] },
  {
    name: 'lint',
    command: ['eslint', '--cache', '--cache-location', 'node_modules/.cache/eslint', '--max-warnings', '0', '.'],
  },
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

let failed = 0;
for (const { name, command } of steps) {
  const started = Date.now();
  const [program, ...args] = command;
  const path = program === 'node' ? process.execPath : join(root, 'node_modules', '.bin', program);
  const result = spawnSync(path, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const ok = result.status === 0;
  if (!ok) failed += 1;
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  if (!ok) process.stdout.write(`${result.stdout}${result.stderr}\n`);
}
process.exit(failed === 0 ? 0 : 1);
