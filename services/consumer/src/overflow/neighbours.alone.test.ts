import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { partitionOf } from '@millrace/event-log/partition.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createHarness, type Harness } from '../test/harness.ts';

let harness: Harness;
let neighbour: { projectId: number; token: string };

beforeAll(async () => {
  harness = await createHarness();
  neighbour = { projectId: harness.teamId + 1, token: `phc_${randomUUID()}` };
  const organization = randomUUID();
  await harness.sql.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [organization, 'neighbour']);
  await harness.sql.query(
    'INSERT INTO projects (id, uuid, organization_id, name, api_token) VALUES ($1, $2, $3, $4, $5)',
    [neighbour.projectId, randomUUID(), organization, 'neighbour', neighbour.token],
  );
}, 60_000);

afterAll(() => harness.close(), 30_000);

const large = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`property ${at}`, 'x'.repeat(690)]));

/** Distinct ids of the partition that the large person has. */
function idsBeside(count: number): string[] {
  const place = (id: string): number => partitionOf(`${harness.token}:${id}`, harness.log.partitions);
  return Array.from({ length: 100 * count }, (_, at) => `quiet-${at}`)
    .filter((id) => place(id) === place('huge'))
    .slice(0, count);
}

/** Sends an event of the neighbour each 200 ms, in the partition of the large person, and answers how long each took to be visible. */
async function waitsOfNeighbour(count: number): Promise<number[]> {
  const sentAt = new Map<string, number>();
  const waits: number[] = [];
  const poll = async (): Promise<void> => {
    const found = await harness.rows<{ uuid: string }>(
      `SELECT uuid FROM analytics.events WHERE team_id = ${neighbour.projectId}`,
    );
    for (const { uuid } of found) {
      const since = sentAt.get(uuid);
      if (since !== undefined && sentAt.delete(uuid)) waits.push(performance.now() - since);
    }
  };
  const polling = new AbortController();
  const polls = (async () => {
    for await (const _tick of setInterval(20)) {
      if (polling.signal.aborted) break;
      await poll();
    }
  })();
  const ids = idsBeside(count);
  for await (const _tick of setInterval(200)) {
    const distinctId = ids.pop();
    if (distinctId === undefined) break;
    const uuid = randomUUID();
    sentAt.set(uuid, performance.now());
    await harness.send([{ ...neighbour, uuid, distinctId }]);
  }
  await eventually(() => expect(sentAt.size).toBe(0), { deadlineMs: 60_000, intervalMs: 50 });
  polling.abort();
  await polls;
  return waits.sort((a, b) => a - b);
}

const at = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

test('a sender whose 33 KB make the consumer write 480 MB a second delays no other, and memory does not grow with it', async () => {
  const child = harness.startChild(undefined, { batch: { ...harness.config.batch, lingerMs: 100, intervalMs: 750 } });
  await harness.send([{ event: '$set', distinctId: 'huge', properties: JSON.stringify({ $set: large }) }]);
  await waitsOfNeighbour(5);
  const quiet = await waitsOfNeighbour(50);
  let hostile = true;
  let sent = 0;
  const flooding = (async () => {
    for await (const _tick of setInterval(1_000)) {
      if (!hostile) break;
      await harness.send(
        Array.from({ length: 400 }, () => ({
          event: 'tiny',
          distinctId: 'huge',
          properties: `{"$set":{"n":${sent++}}}`,
        })),
      );
    }
  })();
  await eventually(() => expect(sent).toBeGreaterThan(0));
  const beside = await waitsOfNeighbour(100);
  hostile = false;
  await flooding;
  const [peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.process.pid}/status`, 'utf8'))?.slice(1) ?? [];
  const figures = [quiet, beside].map((waits) => `p50 ${at(waits, 0.5)} ms, p99 ${at(waits, 0.99)} ms`);
  process.stderr.write(`time to visible, quiet: ${figures[0]}; beside: ${figures[1]}; memory at most ${peak} kB\n`);
  expect(sent).toBeGreaterThan(4_000);
  expect(at(beside, 0.95)).toBeLessThan(Math.max(3 * at(quiet, 0.99), 3_000));
  expect(Number(peak)).toBeLessThan(1_500_000);
  child.process.kill('SIGTERM');
  await child.exited;
}, 300_000);
