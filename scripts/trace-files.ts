// Counts the files of ours that a captured event and a run cross, in a system of its own, and holds docs/paths.md to them:
// node scripts/trace-files.ts [--all]
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { delay } from '../packages/runtime/src/clock.ts';
import { run, saveEndpoint, sendRequest } from '../tests/support/api.ts';
import { type Local, pidsOf, type ProcessName } from '../tests/support/launcher.ts';
import { startSystem } from '../tests/support/system.ts';
import { type Calls, countCalls } from './trace/call-counter.ts';
import { type TracedFunction, waitingFunctions } from './trace/waiting-functions.ts';

/** One line of output. */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const root = join(import.meta.dirname, '..');
const rounds = 5;
const warmUps = 20;

interface Path {
  /** Heading of its list in docs/paths.md. */
  heading: string;
  process: ProcessName;
  /** Makes one thing go the whole path. */
  request: (local: Local) => Promise<void>;
}

const paths: readonly Path[] = [
  { heading: 'An event, from HTTP to durable', process: 'capture', request: capture },
  { heading: 'An event, from the log to a row', process: 'consumer', request: captureAndSee },
  { heading: 'A cached run', process: 'management-api', request: runCached },
  { heading: 'A run of a table', process: 'management-api', request: runOfTable },
];

async function capture(local: Local): Promise<void> {
  const body = {
    api_key: local.projectToken,
    event: 'traced',
    distinct_id: 'ann',
    properties: { plan: 'pro', size: 3 },
  };
  const reply = await fetch(`${local.captureUrl}/i/v0/e/`, { method: 'POST', body: JSON.stringify(body) });
  if (reply.status !== 200) throw new Error(`capture answered ${reply.status}: ${await reply.text()}`);
}

async function captureAndSee(local: Local): Promise<void> {
  const before = await stored(local);
  await capture(local);
  for (const deadline = Date.now() + 30_000; (await stored(local)) === before; await delay(100))
    if (Date.now() > deadline) throw new Error('an event was not visible within 30 s');
}

const endpoint = 'traced_events';

async function stored(local: Local): Promise<number> {
  const { body } = await run(local, endpoint);
  return Number(body.results[0]?.[0]);
}

async function runCached(local: Local): Promise<void> {
  const { status, body } = await run(local, endpoint, { refresh: 'cache' });
  if (status !== 200 || !(body as { is_cached?: boolean }).is_cached)
    throw new Error(`a run was not answered from the cache: ${status} ${JSON.stringify(body)}`);
}

const materialized = 'traced_table';

/** Saves an endpoint whose runs read a table, and waits for the table. */
async function saveMaterialized(local: Local): Promise<void> {
  const query = {
    kind: 'HogQLQuery',
    query: 'SELECT count() AS total FROM events WHERE event = {variables.event}',
    variables: { event: { code_name: 'event', value: 'traced' } },
  };
  const body = { name: materialized, query, is_materialized: true };
  const saved = await sendRequest(local, 'POST', `/api/projects/${local.projectId}/endpoints/`, body);
  if (saved.status !== 201) throw new Error(`endpoint ${materialized} was not saved: ${JSON.stringify(saved)}`);
  for (const deadline = Date.now() + 30_000; !(await isOfTable(local)); await delay(100))
    if (Date.now() > deadline) throw new Error('there was no table within 30 s');
}

async function isOfTable(local: Local): Promise<boolean> {
  const { status, body } = await run(local, materialized, { variables: { event: 'traced' } });
  return status === 200 && (body as { endpoint_materialized?: boolean }).endpoint_materialized === true;
}

async function runOfTable(local: Local): Promise<void> {
  if (!(await isOfTable(local))) throw new Error('a run was not answered by the table');
}

/** Functions that were called more often in each round with a request than in any round without. */
async function functionsOf({ process: name, request }: Path, local: Local): Promise<string[]> {
  for (let done = 0; done < warmUps; done += 1) await request(local);
  const counter = await countCalls(pidsOf(local, name)[0] ?? 0);
  try {
    // Counting takes functions back to unoptimised code.
    await request(local);
    const [withRequest, without]: [Calls[], Calls[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      await delay(1500);
      await counter.take();
      const began = Date.now();
      await request(local);
      await delay(500);
      withRequest.push(await counter.take());
      await delay(Date.now() - began);
      without.push(await counter.take());
    }
    const [first = new Map<string, number>()] = withRequest;
    const most = (calls: readonly Calls[], key: string) => Math.max(...calls.map((counts) => counts.get(key) ?? 0));
    const least = (calls: readonly Calls[], key: string) => Math.min(...calls.map((counts) => counts.get(key) ?? 0));
    return [...first.keys()].filter((key) => least(withRequest, key) > most(without, key));
  } finally {
    await counter.stop();
  }
}

/** Files of this repository, with those functions of theirs that ran. */
function byFile(functions: readonly string[]): Map<string, TracedFunction[]> {
  const found = new Map<string, TracedFunction[]>();
  for (const key of functions) {
    const [url = '', name = '', begin, end] = key.split(' ');
    if (!url.startsWith('file:')) continue;
    const file = fileURLToPath(url);
    if (!file.startsWith(`${root}/`) || file.includes('/node_modules/')) continue;
    found.set(file, [...(found.get(file) ?? []), { name, begin: Number(begin), end: Number(end) }]);
  }
  return new Map([...found].sort(([one], [other]) => one.localeCompare(other)));
}

interface Section {
  /** Files that hand the request on: its numbered list. */
  listed: number;
  /** All files that it names. */
  named: string[];
}

/** A section of docs/paths.md. */
function sectionOf(heading: string): Section {
  const [, behind = ''] = readFileSync(join(root, 'docs/paths.md'), 'utf8').split(`\n## ${heading}\n`);
  const [text = ''] = behind.split('\n## ');
  return {
    listed: [...text.matchAll(/^\d+\. /gm)].length,
    named: [...text.matchAll(/`([^`]+\.ts)`/g)].map(([, file = '']) => join(root, file)),
  };
}

const system = await startSystem();
try {
  const local = system.local();
  await capture(local);
  await saveEndpoint(local, endpoint, `SELECT count() FROM events WHERE event = 'traced'`);
  await saveMaterialized(local);
  for (const path of paths) {
    const files = byFile(await functionsOf(path, local));
    const waiting = waitingFunctions(files);
    const { listed, named } = sectionOf(path.heading);
    say(`${path.heading}: ${listed} files hand it on, it waits in ${waiting.size}, ${files.size} ran`);
    for (const [file, functions] of process.argv.includes('--all') ? files : waiting)
      say(`  ${relative(root, file)}: ${functions.map(({ name }) => name || '=>').join(', ')}`);
    const errors = [
      ...named.filter((file) => !files.has(file)).map((file) => `${file} is named, and did not run`),
      ...[...waiting.keys()].filter((file) => !named.includes(file)).map((file) => `${file} is not named`),
    ];
    for (const error of errors) say(`  docs/paths.md: ${relative(root, error)}`);
    if (errors.length > 0 || listed === 0) process.exitCode = 1;
  }
} finally {
  await system.destroy();
}
