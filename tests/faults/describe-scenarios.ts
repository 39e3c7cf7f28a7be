import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeOwnBroker } from '@millrace/event-log/kafka/testing/describe-kafka.ts';
import { mustRun } from '../support/config.ts';
import { hasRedis, hasS3, missingFor } from './available.ts';
import { type LogKind, type Rig, startRig } from './rig/rig.ts';
import { runScenario } from './run-scenario.ts';
import type { Scenario } from './stage/scenario.ts';
import { scenarios } from './scenarios.ts';

const startMsMax = 120_000;
const runMsMax = 240_000;

/**
 * The short form of each scenario as a test, on one system; what hurts the disk has a system of its own. What cannot run here is
 * skipped, and its name says why.
 */
export function describeScenarios(log: LogKind): void {
  const all = scenarios.filter(({ logs, fullTier = logs }) => fullTier.includes(log));
  const withDisk = (scenario: Scenario): boolean => scenario.needs?.smallDisk === true;
  const describeLog = log === 'kafka' ? describeOwnBroker : describe;
  describeLog(`whatever is hurt, each acknowledged event is there, once and in order (${log})`, () => {
    describe('one system', () =>
      describeOn(
        log,
        false,
        all.filter((scenario) => !withDisk(scenario)),
      ));
    describe('a system on a small disk', () => describeOn(log, true, all.filter(withDisk)));
  });
}

function describeOn(log: LogKind, smallDisk: boolean, some: readonly Scenario[]): void {
  const missing = new Map(some.map((scenario) => [scenario, missingFor(scenario, { log })]));
  // Redis is optional; a disk of its own is required in continuous integration.
  const runs = some.filter(
    (scenario) => missing.get(scenario) === null || (mustRun() && scenario.needs?.redis !== true),
  );
  let rig: Rig | undefined;

  if (runs.length > 0) {
    beforeAll(async () => {
      rig = await startRig({ log, smallDisk, redis: hasRedis(), s3: hasS3(log) });
    }, startMsMax);
    afterAll(() => rig?.close(), startMsMax);
  }
  for (const scenario of some) {
    const name = `${scenario.name}: ${scenario.does}`;
    if (!runs.includes(scenario)) test.skip(`${name} (skipped: ${missing.get(scenario)})`, () => undefined);
    else test(name, () => expectHolds(scenario, rig), runMsMax);
  }
}

async function expectHolds(scenario: Scenario, rig: Rig | undefined): Promise<void> {
  if (rig === undefined) throw new Error('the system has not been started');
  const { wrong, notes } = await runScenario(scenario, rig, {
    forMs: null,
    say: () => undefined,
    stop: new AbortController().signal,
  });
  expect({ wrong, notes: wrong.length === 0 ? [] : notes }).toEqual({ wrong: [], notes: [] });
}
