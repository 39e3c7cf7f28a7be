// Rules that no other tool holds: the lockfile names no registry host, no file names a folder of somebody's machine, each
// export of a package is there, a folder holds at most 30 files of code, and a file of code at most 300 lines.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => /\.(ts|mjs|cjs|json|ya?ml|md|sql|prisma|example|sh)$/.test(file));

const errors: string[] = [];
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  if (file === 'pnpm-lock.yaml' && /tarball:|https?:\/\//.test(text))
    errors.push(`${file} names where a package came from`);
  if (file.endsWith('package-lock.json') && /"resolved"/.test(text))
    errors.push(`${file} names where a package came from`);
  const path = /(?:^|[\s"'`(=])\/(?:home|root|Users|work)\/[\w.-]+/m.exec(text);
  if (path !== null) errors.push(`${file} names a folder of one machine:${path[0]}`);
}
for (const file of files.filter((name) => name.endsWith('package.json'))) {
  const { exports: exported = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    exports?: Record<string, string>;
  };
  // For a pattern its folder is checked.
  const missing = Object.values(exported).filter(
    (target) => !existsSync(join(root, dirname(file), target.split('*')[0] ?? '')),
  );
  for (const target of missing) errors.push(`${file} exports ${target}, which is not there`);
}
const mostFiles = 30;
const perFolder = new Map<string, number>();
for (const file of files.filter((name) => name.endsWith('.ts')))
  perFolder.set(dirname(file), (perFolder.get(dirname(file)) ?? 0) + 1);
for (const [folder, count] of perFolder)
  if (count > mostFiles)
    errors.push(`${folder} holds ${count} files of code: ${mostFiles} at most, or folders inside it`);
const mostLines = 300;
/** Tests, their data and helpers, contract suites, and a table that is generated may be longer. */
const mayBeLong = /\.test\.ts$|\/testing?\/|^tests\/|^packages\/testkit\/|contract-suite\.ts$|\/function-costs\.ts$/;
for (const file of files.filter((name) => name.endsWith('.ts') && !mayBeLong.test(name))) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n').length - 1;
  if (lines > mostLines)
    errors.push(`${file} has ${lines} lines: ${mostLines} at most, or a file for each of its subjects`);
}
for (const error of errors) process.stdout.write(`${error}\n`);
process.exit(errors.length === 0 ? 0 : 1);
