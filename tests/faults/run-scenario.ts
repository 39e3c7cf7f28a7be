import { join } from 'node:path';
import { delay } from '@millrace/runtime/clock.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { type Ledger, openLedger } from './ledger/ledger.ts';
import { defaultLoad, startLoad } from './rig/load.ts';
import { settle, type Settlement } from './ledger/settle.ts';
import { type Project, seenEndpoint } from './rig/projects.ts';
import type { Rig } from './rig/rig.ts';
import type { Scenario, Stage } from './stage/scenario.ts';

export interface RunOptions {
  /** Milliseconds of faults; null: the short form. */
  forMs: number | null;
  /** Called with each line about the progress. */
  say: (line: string) => void;
  stop: AbortSignal;
}

/** Result of one run of a scenario. */
export interface Outcome extends Settlement {
  scenario: string;
  log: string;
  tookMs: number;
  faults: number;
  /** Requests by status or failure. */
  responses: Record<string, number>;
  /** Broken promises. Empty: it passed. */
  wrong: string[];
  notes: string[];
}

const drainMsMax = 120_000;
const comeInMsMax = 60_000;
const recoverMsMax = 60_000;
const progressMs = 5_000;

/** Runs a scenario on two new projects of the rig, under load from its beginning to its end, and settles the ledger. */
export async function runScenario(scenario: Scenario, rig: Rig, { forMs, say, stop }: RunOptions): Promise<Outcome> {
  const projects = await rig.newProjects(2);
  const ledger = openLedger(join(rig.folder, `${scenario.name}.ndjson`));
  const beganMs = Date.now();
  const faultsMs: number[] = [];
  const wrong: string[] = [];
  const notes: string[] = [];
  const accidentsBefore = new Map(rig.services().map((service) => [service, service.accidents.length]));
  const comeIn = async (events: number): Promise<void> => {
    const wanted = ledger.ackedCount + events;
    for (const deadline = Date.now() + comeInMsMax; ledger.ackedCount < wanted; await delay(50, stop)) {
      stop.throwIfAborted();
      if (Date.now() > deadline)
        throw new Error(
          `clients got through with ${ledger.ackedCount} events and not with ${wanted} within a minute; answers: ${JSON.stringify(Object.fromEntries(ledger.responses))}`,
        );
    }
  };
  const stage: Stage = {
    rig,
    projects,
    ledger,
    comeIn,
    short: forMs === null,
    async rounds(least, round) {
      const untilMs = Date.now() + (forMs ?? 0);
      for (let number = 0; number < (forMs === null ? least.short : least.long) || Date.now() < untilMs; number++) {
        stop.throwIfAborted();
        await round(number);
        await comeIn(20);
      }
    },
    faulted: () => void faultsMs.push(Date.now()),
    async pause(ms) {
      await delay(ms, stop);
      stop.throwIfAborted();
    },
    recovered: () => untilStored(rig, projects, { count: ledger.ackedCount, beforeMs: Date.now() }, recoverMsMax),
    wrong: (what) => void wrong.push(what),
    note: (what) => void notes.push(what),
  };

  const progress = setInterval(
    () => void report(scenario, rig, projects, ledger, faultsMs.length, Date.now() - beganMs).then(say),
    progressMs,
  );
  const load = startLoad(() => rig.capture.url, projects, ledger, { ...defaultLoad, ...scenario.load });
  try {
    await comeIn(50);
    await scenario.run(stage);
    await comeIn(100);
    await load.stop();
    await drain(rig, projects, ledger);
  } catch (error) {
    if (stop.aborted) throw error;
    wrong.push(error instanceof Error ? error.message : String(error));
  } finally {
    clearInterval(progress);
    await rig.mend();
    await load.stop();
    await ledger.close();
  }
  const settlement = settle(ledger.events(), await rig.store.stored(projects.map(({ id }) => id)), faultsMs);
  for (const service of rig.services()) notes.push(...service.accidents.slice(accidentsBefore.get(service) ?? 0));
  wrong.push(...(await wrongInQueries(rig, projects, settlement)), ...brokenRules(settlement, scenario));
  const responses = Object.fromEntries([...ledger.responses].map(([response, count]) => [String(response), count]));
  return {
    scenario: scenario.name,
    log: rig.kind,
    tookMs: Date.now() - beganMs,
    faults: faultsMs.length,
    ...settlement,
    responses,
    wrong,
    notes,
  };
}

async function report(
  { name }: Scenario,
  rig: Rig,
  projects: readonly Project[],
  ledger: Ledger,
  faults: number,
  tookMs: number,
): Promise<string> {
  const stored = await rig.store
    .count(projects.map(({ id }) => id))
    .catch((error: Error) => error.message.split('\n')[0]?.slice(0, 60));
  return `${name} (${rig.kind}) ${Math.round(tookMs / 1_000)} s: ${ledger.ackedCount} acknowledged, ${stored} stored, ${faults} faults`;
}

interface Received {
  count: number;
  beforeMs?: number;
}

async function untilStored(
  rig: Rig,
  projects: readonly Project[],
  { count, beforeMs }: Received,
  deadlineMs: number,
): Promise<void> {
  const ids = projects.map(({ id }) => id);
  await eventually(
    async () => {
      const stored = await rig.store.count(ids, beforeMs);
      if (stored < count)
        throw new Error(`${stored} of ${count} acknowledged events were stored within ${deadlineMs / 1_000} s`);
    },
    { deadlineMs },
  );
}

/** Waits until all that was acknowledged is there and no consumer has anything left to read. What is still missing then the ledger says. */
async function drain(rig: Rig, projects: readonly Project[], ledger: Ledger): Promise<void> {
  await untilStored(rig, projects, { count: ledger.ackedCount }, drainMsMax);
  await eventually(
    async () => {
      const lag = await lagOf(rig);
      if (lag > 0) throw new Error(`consumers have still ${lag} records to read after ${drainMsMax / 1_000} s`);
    },
    { deadlineMs: drainMsMax },
  );
}

/** Records that no consumer has done yet. @throws when one cannot be queried, or has taken no streams. */
async function lagOf(rig: Rig): Promise<number> {
  const text = await (await fetch(`${rig.consumer.operationsUrl}/metrics`)).text();
  const lags = [...text.matchAll(/^millrace_consumer_lag_records\{.*\} (\d+)$/gm)].map(([, lag]) => Number(lag));
  if (lags.length === 0) throw new Error('the consumer has no streams');
  return lags.reduce((sum, lag) => sum + lag, 0);
}

/** Checks that the API shows exactly the rows of the table, of the caller's own project. */
async function wrongInQueries(
  rig: Rig,
  projects: readonly Project[],
  { stored, foreign }: Settlement,
): Promise<string[]> {
  const found: string[] = [];
  let seen = 0;
  for (const { id, key } of projects) {
    const url = `${rig.api.url}/api/projects/${id}/endpoints/${seenEndpoint}/run`;
    const request = {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"refresh":"force"}',
    };
    // A scenario may have killed it a moment ago.
    const reply = await eventually(() => fetch(url, request), { deadlineMs: recoverMsMax }).catch(() => null);
    if (reply === null) return ['the API does not answer'];
    if (reply.status !== 200)
      return [`the API answered ${reply.status} to a query: ${(await reply.text()).slice(0, 300)}`];
    for (const [project, count] of ((await reply.json()) as { results: [string, number][] }).results) {
      if (project !== String(id)) found.push(`project ${id} sees ${count} events of project ${project}`);
      seen += count;
    }
  }
  if (seen !== stored && foreign.length === 0) found.push(`queries see ${seen} events, and ${stored} are stored`);
  return found;
}

function brokenRules(
  { lost, doubled, outOfOrder, foreign, standstillMs }: Settlement,
  { standstillSMax = Infinity }: Scenario,
): string[] {
  const rules: [what: string, uuids: readonly string[]][] = [
    ['lost', lost],
    ['doubled', doubled],
    ['out of order', outOfOrder],
    ['foreign', foreign],
  ];
  const broken = rules
    .filter(([, uuids]) => uuids.length > 0)
    .map(([what, uuids]) => `${uuids.length} ${what}, such as ${uuids.slice(0, 3).join(', ')}`);
  if (standstillMs > standstillSMax * 1_000)
    broken.push(`nothing was stored for ${(standstillMs / 1_000).toFixed(1)} s`);
  return broken;
}
