// What no other tool looks at: the lockfile names no registry host, and no file names a folder of somebody's machine.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => /\.(ts|mjs|cjs|json|ya?ml|md|sql|prisma|example|sh)$/.test(file));

const problems: string[] = [];
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  if (file === 'pnpm-lock.yaml' && /tarball:|https?:\/\//.test(text)) problems.push(`${file} names where a package came from`);
  const path = /(?:^|[\s"'`(=])\/(?:home|root|Users|work)\/[\w.-]+/m.exec(text);
  if (path !== null) problems.push(`${file} names a folder of one machine:${path[0]}`);
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
