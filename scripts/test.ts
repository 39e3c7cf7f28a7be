// Runs the test suites and ends with the ten slowest files, the failed tests, one a line, and one plain line:
// `N passed, N failed[, N skipped]`.
//   npm test [jest arguments]         pure tests and those on the local engines
//   npm run test:full [arguments]     the slower tier: x.full.test.ts beside one another, then x.alone.test.ts one at a time
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

interface TestResult {
  name: string;
  startTime: number;
  endTime: number;
  status: string;
  message: string;
  assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[];
}

interface JestResults {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: TestResult[];
}

const root = join(import.meta.dirname, '..');
const full = process.argv.includes('--full');
const given = process.argv.slice(2).filter((argument) => argument !== '--full');

const slowestCount = 10;

// Processes that tests start take what an earlier one has compiled: half of the CPU time of a start.
const compileCache = join(root, 'node_modules/.cache/node-compile');

// A suite that measures times or memory, loads the machine, or kills what others use runs alone, or the load of one is the
// failure of another. The engines start anew for those: what the others left there is not measured.
const passes = full
  ? [
      ['--testMatch', '**/*.full.test.ts', '--passWithNoTests'],
      ['--testMatch', '**/*.alone.test.ts', '--passWithNoTests', '--runInBand'],
    ]
  : [['--testPathIgnorePatterns', '/node_modules/', '\\.(?:full|alone)\\.test\\.ts$']];
const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');

/** Text for people goes to standard error. @throws when jest ended before there was a result */
function runPass(pass: readonly string[]): { status: number; results: JestResults } {
  const run = spawnSync(process.execPath, [jest, ...given, ...pass, '--json'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning', NODE_COMPILE_CACHE: compileCache },
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (run.error) throw run.error;
  const lastLine = run.stdout.trimEnd().split('\n').at(-1) ?? '';
  if (!lastLine.startsWith('{')) throw new Error('jest ended before there was a result; what it says is above.');
  return { status: run.status ?? 1, results: JSON.parse(lastLine) as JestResults };
}

/** The failed tests and the first line of each failure; a file that could not be run counts as one failure. */
function failuresOf(testResults: TestResult[]): string[] {
  const firstLine = (text = ''): string =>
    text
      .split('\n')
      .find((line) => line.trim() !== '' && !line.includes('●'))
      ?.trim() ?? '';
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(root, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [`failed: ${file}: ${firstLine(message)}`];
      return failed.map(
        ({ fullName, failureMessages }) => `failed: ${file} › ${fullName}: ${firstLine(failureMessages?.[0])}`,
      );
    });
}

/** The files that took longest, where enough of them ran for that to be of use. */
function slowestOf(testResults: TestResult[]): string[] {
  if (testResults.length <= slowestCount) return [];
  return testResults
    .map(({ name, startTime, endTime }) => ({ file: relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, slowestCount)
    .map(({ file, seconds }) => `slowest: ${seconds.toFixed(1)} s ${file}`);
}

let exitCode = 0;
try {
  const ran = passes.map(runPass);
  const sum = (of: (results: JestResults) => number): number => ran.reduce((all, { results }) => all + of(results), 0);
  const passed = sum(({ numPassedTests }) => numPassedTests);
  const failed = sum(({ numFailedTests, numRuntimeErrorTestSuites }) => numFailedTests + numRuntimeErrorTestSuites);
  const skipped = sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
  if (ran.some(({ status }) => status !== 0) || (passed + failed === 0 && !full)) exitCode = 1;
  const testResults = ran.flatMap(({ results }) => results.testResults);
  for (const line of [...slowestOf(testResults), ...failuresOf(testResults)]) process.stdout.write(`${line}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
} catch (error) {
  process.stderr.write(`The tests could not be run: ${(error as Error).message}\n`);
  process.stdout.write('0 passed, 1 failed\n');
  exitCode = 1;
}
process.exit(exitCode);
