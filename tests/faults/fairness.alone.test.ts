import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startSystem, type System } from '../support/system.ts';

// A project that floods with more than the system can store keeps nobody else waiting: each has a share of the main lane.
let system: System;
let neighbour: { projectId: number; projectToken: string };

beforeAll(async () => {
  system = await startSystem();
  neighbour = system.millrace<{ projectId: number; projectToken: string }>(
    'projects',
    'create',
    '--organization',
    system.local().organizationId,
    '--name',
    'neighbour',
  );
}, 120_000);

afterAll(() => system?.destroy(), 60_000);

const floodPerSecond = 25_000;
const perBatch = 500;
const probes = 150;
const everyMs = 100;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends batches at a steady rate until it is stopped; returns how many events were taken. */
function flood(distinctId: (index: number) => string): { stop(): Promise<number> } {
  const { captureUrl, projectToken } = system.local();
  const beganAt = Date.now();
  let [stopping, sent, taken] = [false, 0, 0];
  const client = async (): Promise<void> => {
    while (!stopping) {
      const waitMs = beganAt + (sent / floodPerSecond) * 1000 - Date.now();
      if (waitMs > 0) await pause(waitMs);
      const batch = Array.from({ length: perBatch }, (_, index) => ({
        event: 'flood',
        uuid: randomUUID(),
        distinct_id: distinctId(sent + index),
        properties: { $set: { seen: sent } },
      }));
      sent += perBatch;
      const reply = await fetch(`${captureUrl}/batch/`, {
        method: 'POST',
        body: JSON.stringify({ api_key: projectToken, batch }),
      });
      await reply.arrayBuffer();
      if (reply.status === 200) taken += perBatch;
    }
  };
  const clients = Promise.all([client(), client(), client(), client()]);
  return {
    async stop() {
      stopping = true;
      await clients;
      return taken;
    },
  };
}

/** Queries ClickHouse itself, as its administrator: a query of the API would take part in the load. */
async function send(sql: string): Promise<string[]> {
  const { clickhouse } = JSON.parse(readFileSync(join(system.dataDir, 'secrets.json'), 'utf8')) as {
    clickhouse: { admin: string };
  };
  const reply = await fetch(system.local().clickhouseUrl, {
    method: 'POST',
    headers: { 'x-clickhouse-user': 'admin', 'x-clickhouse-key': clickhouse.admin },
    body: `${sql} FORMAT TSV`,
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`ClickHouse refused: ${text}`);
  return text.split('\n').filter(Boolean);
}

/** Milliseconds from the reply to an event until it is stored, sorted. */
async function waitsOfNeighbour(event: string): Promise<number[]> {
  const { captureUrl } = system.local();
  const repliedAt = new Map<string, number>();
  const waits: number[] = [];
  const poll = async (): Promise<void> => {
    const stored = await send(
      `SELECT toString(uuid) FROM analytics.events WHERE team_id = ${neighbour.projectId} AND event = '${event}'`,
    );
    const now = performance.now();
    for (const uuid of stored) {
      const since = repliedAt.get(uuid);
      if (since !== undefined) waits.push(now - since);
      repliedAt.delete(uuid);
    }
  };
  for (let probe = 0; probe < probes; probe++) {
    const uuid = randomUUID();
    const reply = await fetch(`${captureUrl}/i/v0/e/`, {
      method: 'POST',
      body: JSON.stringify({ api_key: neighbour.projectToken, event, uuid, distinct_id: `visitor ${probe}` }),
    });
    expect(reply.status).toBe(200);
    await reply.arrayBuffer();
    repliedAt.set(uuid, performance.now());
    await pause(everyMs);
    await poll();
  }
  await eventually(
    async () => {
      await poll();
      expect(repliedAt.size).toBe(0);
    },
    { deadlineMs: 30_000 },
  );
  return waits.sort((a, b) => a - b);
}

test.each<[string, (index: number) => string]>([
  ['over many distinct ids', (index) => `many ${index % 100_000}`],
  ['of one distinct id', () => 'hot'],
])(
  'a project floods with events %s: those of another are stored within three seconds (p95)',
  async (name, distinctId) => {
    const flooding = flood(distinctId);
    await pause(2_000);
    const waits = await waitsOfNeighbour(`beside a flood ${name}`);
    expect(waits).toHaveLength(probes);
    const taken = await flooding.stop();
    const [stored] = await send(`SELECT count() FROM analytics.events WHERE team_id = ${system.local().projectId}`);
    const p95 = waits[Math.floor(waits.length * 0.95)] ?? Infinity;
    process.stderr.write(
      `a flood ${name}: ${taken} events taken, ${stored} stored by then; the other project: p50 ${Math.round(waits[waits.length >> 1] ?? 0)} ms, p95 ${Math.round(p95)} ms\n`,
    );
    expect(p95).toBeLessThan(3_000);
  },
  120_000,
);
