import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { schemaVersion as clickhouseSchema } from '@millrace/clickhouse/migrations/migrate.ts';
import type { EventLog } from '@millrace/event-log/event-log.ts';
import { openEventLog } from '@millrace/event-log/open-event-log.ts';
import { openFiles } from '@millrace/object-storage/create-storage.ts';
import type { ObjectFiles } from '@millrace/object-storage/object-storage.ts';
import { schemaVersion as postgresSchema } from '@millrace/postgres/migrate.ts';
import { createChangeListener } from '@millrace/postgres/change-listener.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { systemClock } from '@millrace/runtime/clock.ts';
import { createHealth, type Health } from '@millrace/runtime/operations/health.ts';
import { createLifecycle, type Part } from '@millrace/runtime/lifecycle.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import type { Registry } from '@millrace/runtime/operations/metrics.ts';
import { createOperationsServer } from '@millrace/runtime/operations/operations-server.ts';
import type { App } from '@millrace/runtime/process/run-process.ts';
import { queryClickhouse, createOutputs } from './clickhouse-outputs.ts';
import type { ConsumerConfig } from './config.ts';
import { consume, type Consuming } from './consume.ts';
import { createDefinitionStore } from './definitions/definition-store.ts';
import { createDefinitions } from './definitions/definitions.ts';
import { openExceptions } from './exceptions/open-exceptions.ts';
import { findStoredProjects } from './definitions/find-stored-projects.ts';
import { createStoredEvents } from './duplicates/stored-events.ts';
import { createGroupTypes } from './groups/group-types.ts';
import { createIdentityStore } from './identity/identity-store.ts';
import { counted, withSigns } from './database.ts';
import { countExceptions, countMissed, createConsumerMetrics } from './metrics.ts';
import { createLateMaps, type LateMapsDeps } from './late-maps/create-late-maps.ts';
import { createSquash } from './squash/create-squash.ts';
import { createEventParts } from './overflow/event-parts.ts';
import { createProjectShares, type ProjectShares } from './overflow/project-shares.ts';
import { createProjectCache } from './projects/project-cache.ts';
import { createReadAhead } from './stream/read-ahead.ts';
import { createLaneScheduler } from './stream/lane-scheduler.ts';
import { createEngineHealth } from './stream/engine-health.ts';
import { untilCurrent } from './until-current.ts';
import { createWarningLimiter } from './warnings/warning-limiter.ts';
import type { Failpoint } from './stream/batch.ts';

/** Replaceable parts, for tests. */
export interface ConsumerDeps {
  /** Called at named places of every batch. */
  failpoint?: (point: Failpoint) => void;
  lateMaps?: LateMapsDeps;
  /** Files of symbol sets, instead of those of the settings. */
  storage?: ObjectFiles;
  /** Publishes health and metrics; by default on the operators' port. */
  expose?: (health: Health, registry: Registry) => Part;
}

/** The consumer, not yet started. */
export function createApp(config: ConsumerConfig, deps: ConsumerDeps = {}): App & { operationsUrl(): string } {
  const logger = createLogger('consumer', config.logLevel);
  const clock = systemClock;
  const health = createHealth();
  const engineHealth = createEngineHealth();
  const stopping = new AbortController();
  let consuming: Consuming | null = null;
  const metrics = createConsumerMetrics(() => consuming?.figures() ?? Promise.resolve([]));
  const pool = createPool(config.postgres.url, {
    applicationName: 'millrace-consumer',
    max: config.postgres.poolSize,
    statementTimeoutMs: config.postgres.statementTimeoutMs,
    onError: (error) => logger.warn({ err: error }, 'lost an idle connection to Postgres'),
  });
  const clickhouse = createClickhouse({ ...config.clickhouse, applicationName: 'millrace-consumer' });
  const parts = createEventParts(queryClickhouse(clickhouse), {
    max: config.eventPartsMax,
    onCount: (count) => metrics.eventParts.set(count),
    onChange: (areMany, count) =>
      logger.warn(
        { parts: count, max: config.eventPartsMax },
        areMany
          ? 'the table of events has too many parts: the lanes overflow and historical wait'
          : 'the table of events has few enough parts again',
      ),
    onLost: (error) => logger.warn({ err: error }, 'ClickHouse does not say how many parts the table of events has'),
  });
  const db = counted(pool, metrics.statements);
  const definitions = createDefinitions(createDefinitionStore(db), {
    findStored: (projectIds) => findStoredProjects(queryClickhouse(clickhouse), projectIds),
    clock,
    onLost: (error) =>
      logger.warn({ err: error }, 'Postgres does not take the counts of properties: they are written later'),
  });
  const storage = deps.storage ?? openFiles(config.storage, { clock, logger });
  const exceptions = openExceptions({
    db,
    storage,
    clock,
    deadlineMs: symbolsDeadlineMs,
    onAway: (error) => logger.warn({ err: error }, 'symbols cannot be read now: stacks stay as they came'),
    onFault: (error) =>
      logger.error({ err: error }, 'symbols cannot be compiled, or kept: each time they are wanted it is tried again'),
    onEnd: (counts) => countExceptions(metrics, counts),
  });
  const changes = createChangeListener(config.postgres.url, {
    applicationName: 'millrace-consumer-changes',
    onChange(batch) {
      definitions.onChange(batch);
      exceptions.onChange(batch);
    },
    onLost: (error) =>
      logger.warn(
        { err: error },
        'lost the change feed: types that are opened again, rules and symbols are noticed within a minute',
      ),
  });
  let log: EventLog | null = null;

  const schemas = untilCurrent({
    postgres: () => postgresSchema(pool),
    clickhouse: () => clickhouseSchema(clickhouse),
  });
  health.check('schema', schemas);
  for (const engine of ['postgres', 'clickhouse', 'event-log'] as const)
    health.check(engine, engineHealth.check(engine));
  health.check('consuming', () => (consuming === null ? 'not started' : null));
  // A stream that cannot be read reports that itself. Failed appends are no reason to stop reading.
  if (config.eventLog.kafka.brokers !== null) health.check('kafka', () => log?.unhealthyReason() ?? null);

  const operations = createOperationsServer(config.operations, health, metrics.registry);

  async function startConsuming(): Promise<void> {
    const opened = (log = await openEventLog(config.eventLog, { writer: config.writer }));
    consuming = await consume({
      log: opened,
      group: config.group,
      readAhead: createReadAhead({
        main: config.batch,
        others: { ...config.batch, rowsMax: Math.min(config.batch.rowsMax, config.batch.othersRowsMax) },
        // An eighth of what a batch of other lanes than main may write.
        exceptionBytesMax: config.batch.writeBytesMax / 32,
        bytesMax: config.batch.readAheadBytesMax,
      }),
      scheduler: createLaneScheduler(config.batch.atOnce, clock),
      metrics,
      engineHealth,
      logger,
      stopping: stopping.signal,
      writeBytesMax: config.batch.writeBytesMax,
      onStuck: (error) => void Promise.reject(error),
      batch: {
        projects: createProjectCache(db, clock),
        identity: (onSign) => createIdentityStore(withSigns(db, onSign), () => metrics.conflicts.inc()),
        groupTypes: createGroupTypes(db, clock),
        definitions,
        onMissedNames: (missed) => countMissed(metrics, missed),
        stored: createStoredEvents(queryClickhouse(clickhouse)),
        shares: sharesOf(config.projectShare),
        parts,
        limiter: createWarningLimiter(clock),
        exceptions: exceptions.parts,
        clock,
        failpoint: deps.failpoint ?? (() => undefined),
      },
      outputsOf: (lane) => createOutputs(clickhouse, opened, metrics, lane),
    });
    // Only a restart repairs a subscription that has ended by itself; the supervisor restarts the process, here and after `onStuck`.
    consuming.subscription.ended.catch((error: unknown) => {
      logger.fatal({ err: error }, 'reading the event log has ended');
      throw error;
    });
  }

  const lifecycle = createLifecycle([
    { name: 'engines', stop: async () => void (await Promise.all([pool.end(), clickhouse.close()])) },
    // Not waited for: events without symbols do without it.
    { name: 'object storage', start: () => void storage?.start(), stop: () => storage?.close() },
    { name: 'symbols', stop: () => exceptions.stop() },
    deps.expose?.(health, metrics.registry) ?? operations,
    { name: 'definitions', start: definitions.start, stop: definitions.stop },
    { name: 'changes', start: () => changes.start(), stop: () => changes.stop() },
    { name: 'parts of events', start: parts.start, stop: parts.stop },
    { name: 'event log', stop: async () => log?.close() },
    { name: 'consuming', start: startConsuming, stop: async () => consuming?.subscription.close() },
    { name: 'streams', stop: () => stopping.abort() },
    {
      name: 'late maps',
      ...createLateMaps({
        config,
        db,
        exceptions: exceptions.parts,
        registry: metrics.registry,
        logger,
        deps: deps.lateMaps,
      }),
    },
    { name: 'squashing of overrides', ...createSquash(config, metrics.registry, logger) },
    { name: 'readiness', stop: () => health.drain() },
  ]);
  return {
    logger,
    metrics: metrics.registry,
    start: () => lifecycle.start(),
    stop: () => lifecycle.stop(),
    operationsUrl: () => operations.url(),
  };
}

/** Milliseconds that an exception waits for its symbols, from when it came (contract/orgs-errors 5.2). */
const symbolsDeadlineMs = 8_000;

function sharesOf({ bytesRate, bytesBurst }: ConsumerConfig['projectShare']): ProjectShares | null {
  return bytesRate === 0 ? null : createProjectShares({ perSecond: bytesRate, burst: bytesBurst });
}
