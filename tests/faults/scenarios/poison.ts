import { randomBytes, randomUUID } from 'node:crypto';
import { openConsumerAdmin } from '@millrace/consumer/admin';
import { type BundleEntry, encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import type { EventLog } from '@millrace/event-log/event-log.ts';
import { appendNull } from '@millrace/event-log/kafka/testing/hurt-log.ts';
import { partitionOf } from '@millrace/event-log/partition.ts';
import { eventLogSettings } from '@millrace/event-log/settings.ts';
import { isoMicroseconds } from '@millrace/runtime/clock.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { Project } from '../rig/projects.ts';
import type { Rig } from '../rig/rig.ts';
import { bothLogs, type Scenario, type Stage } from '../stage/scenario.ts';

const distinctId = 'poisoned';
const recordBytesMax = 1024 * 1024 - 1;
const lettersMsMax = 30_000;
/** Expected outcomes of the poison, in its order. The event of an unknown project is dropped and counted. */
const expected = [
  'unreadable_properties',
  'unreadable_bundle',
  'unreadable_bundle',
  'unreadable_head',
  'unreadable_head',
  'unreadable_properties',
];
/** No index of Postgres holds it. */
const endlessId = randomBytes(3_000).toString('hex');

export const poison: Scenario = {
  name: 'poison',
  number: 12,
  does: 'records that no capture writes: invalid JSON, an unknown version, no value at all, an unknown project, ids that no index holds, one of 1 MB - 1 byte; good ones between',
  logs: bothLogs,
  async run(stage) {
    const { rig, projects, rounds, faulted } = stage;
    const log = await rig.openLog('poison');
    let sent = 0;
    try {
      await rounds({ short: 1, long: 10 }, async () => {
        const before = new Set((await letters(rig)).map(({ id }) => id));
        sent = await appendAll(stage, log, projects[0] as Project, sent);
        faulted();
        const found = await eventually(
          async () => {
            const fresh = (await letters(rig)).filter(({ id }) => !before.has(id));
            if (fresh.length < expected.length)
              throw new Error(`there are ${fresh.length} dead letters, and ${expected.length} should be there`);
            return fresh;
          },
          { deadlineMs: lettersMsMax },
        );
        const reasons = found.sort((a, b) => Number(a.offset) - Number(b.offset)).map(({ reason }) => reason);
        if (String(reasons) !== String(expected))
          stage.wrong(`the dead letters are ${String(reasons)} instead of ${String(expected)}`);
      });
    } finally {
      await log.close();
    }
  },
};

/** Poison and good events by turns, all in one partition. Answers the number of the last good one. */
async function appendAll({ rig, ledger }: Stage, log: EventLog, project: Project, last: number): Promise<number> {
  const partition = partitionOf(`${project.token}:${distinctId}`, log.partitions);
  const append = (payload: Buffer): Promise<void> => log.append('main', [{ partition, payload }]);
  let number = last;
  async function good(bytes = 0, around: (entry: BundleEntry) => BundleEntry[] = (entry) => [entry]): Promise<void> {
    const event = { uuid: randomUUID(), projectId: project.id, distinctId, number: ++number, sets: true };
    ledger.begin(event);
    const sentMs = Date.now();
    const entry = entryOf(event.uuid, project, { number, project: String(project.id), $set: { number } });
    const missing = bytes - encodeBundle([entry]).length - ',"text":""'.length;
    if (missing > 0)
      entry.body = Buffer.from(entry.body.toString().replace(/\}$/, `,"text":"${'x'.repeat(missing)}"}`));
    await append(encodeBundle(around(entry)));
    ledger.attempt({ uuid: event.uuid, status: 200, sentMs, tookMs: Date.now() - sentMs });
  }
  const bad = (): BundleEntry => entryOf(randomUUID(), project, {});

  await good();
  await append(encodeBundle([{ ...bad(), body: Buffer.from('{"never":') }]));
  await good();
  await append(Buffer.concat([Buffer.from([9]), encodeBundle([bad()]).subarray(1)]));
  await good(recordBytesMax);
  const { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: topicPrefix = '' } = rig.logSettings;
  await (brokers === undefined
    ? append(Buffer.alloc(0))
    : appendNull({ brokers: brokers.split(','), topicPrefix }, 'main', partition));
  await good();
  await append(encodeBundle([entryOf(randomUUID(), { id: null, token: 'phc_nobody' }, {})]));
  await good(0, (entry) => [entry, { head: Buffer.from('{"uuid":'), body: Buffer.from('{}') }]);
  await append(encodeBundle([entryOf(randomUUID(), project, {}, { distinctId: endlessId })]));
  await good();
  await append(
    encodeBundle([entryOf(randomUUID(), project, { $anon_distinct_id: endlessId }, { event: '$identify' })]),
  );
  await good();
  return number;
}

function entryOf(
  uuid: string,
  { id, token }: { id: number | null; token: string },
  properties: Record<string, unknown>,
  changes: { event?: string; distinctId?: string } = {},
): BundleEntry {
  const now = isoMicroseconds(Date.now());
  const head = { uuid, token, projectId: id, event: 'told', distinctId, timestamp: now, receivedAt: now, ...changes };
  return { head: Buffer.from(JSON.stringify(head)), body: Buffer.from(JSON.stringify(properties)) };
}

async function letters(rig: Rig): Promise<{ id: string; reason: string; offset: string }[]> {
  const eventLog = readConfig(eventLogSettings, rig.logSettings);
  const neverRequested = (): never => {
    throw new Error('another engine than the log was asked for dead letters');
  };
  const admin = await openConsumerAdmin({
    eventLog,
    clickhouse: neverRequested,
    postgresUrl: neverRequested,
    group: 'consumer',
    onUnreadable: () => undefined,
  });
  const { letters: found } = await admin.listDeadLetters({}, 1_000).finally(() => admin.close());
  return found;
}
