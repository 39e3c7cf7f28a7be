import type { Server } from 'node:http';
import { createBundler, type Bundler, type BundlerOptions } from '@millrace/event-log/bundler.ts';
import type { EventLog } from '@millrace/event-log/event-log.ts';
import { openEventLog } from '@millrace/event-log/open-event-log.ts';
import { partitionOf } from '@millrace/event-log/partition.ts';
import { delay, systemClock, type Clock } from '@millrace/runtime/clock.ts';
import { createHealth, type Health } from '@millrace/runtime/operations/health.ts';
import { closeServer, listen } from '@millrace/runtime/http/http-server.ts';
import { createLifecycle, type Part } from '@millrace/runtime/lifecycle.ts';
import { createLogger, type Logger } from '@millrace/runtime/logs/logger.ts';
import { createMetrics, type Registry } from '@millrace/runtime/operations/metrics.ts';
import { createPublicHealth } from '@millrace/runtime/operations/operations.ts';
import { createOperationsServer } from '@millrace/runtime/operations/operations-server.ts';
import type { PortMembership } from '@millrace/runtime/process/shared-port.ts';
import type { App } from '@millrace/runtime/process/run-process.ts';
import { withoutEnd } from '@millrace/runtime/without-end.ts';
import { createBodies } from './http/create-bodies.ts';
import type { CaptureConfig } from './config.ts';
import { createEventControl } from './limits/event-control.ts';
import type { Rate } from './limits/rate-limiter.ts';
import { createHttpServer, createListener } from './http/listener.ts';
import { registerCaptureMetrics } from './metrics.ts';
import { createProjectState } from './projects/project-state.ts';
import type { ProjectSource } from './projects/project-source.ts';
import { createReceiveEvents } from './receive-events.ts';
import { createStoreFailures } from './http/store-failures.ts';
import { createRoutes } from './routes.ts';
import { createDiscardRecordings } from './sdk-stubs/discard-recordings.ts';
import { createSdkStubs } from './sdk-stubs/sdk-stubs.ts';
import { openSdkFiles } from './web-sdk/sdk-files.ts';
import { createWebSdk } from './web-sdk/web-sdk.ts';
import { createReceiveV1Events } from './v1/receive-v1-events.ts';
import { createDropLog } from './append/drop-log.ts';
import { createKeptBackWarnings } from './append/kept-back-warnings.ts';
import { createWarningGate } from './append/warning-gate.ts';
import { createCaptureCounters } from './counters.ts';

export type { CaptureConfig } from './config.ts';

/** Parts that tests, and the process around the app, provide instead of those that `createApp` makes itself. */
export interface CaptureDeps {
  clock?: Clock;
  logger?: Logger;
  projects?: ProjectSource;
  openLog?: () => Promise<EventLog>;
  /** Deadline of an append, and most bytes that may wait. */
  bundler?: BundlerOptions;
  /** Publishes health and metrics; by default on the operators' port. */
  expose?: (health: Health, registry: Registry) => Part;
  /** Source of connections, instead of a port of its own. */
  membership?: (server: Server) => PortMembership;
}

export interface CaptureApp extends App {
  server: Server;
  /** Base address; throws before `start` has finished. */
  url(): string;
  /** Base address of operators' port. */
  operationsUrl(): string;
}

/** Requests under way may take this long at a stop; the rest of the 9.5 s is for the log. */
const drainMsMax = 5_000;

/**
 * The capture service: nothing runs before `start`. It starts operators' port → log → tokens → server and stops in
 * reverse: not ready, requests under way finished, bundler flushed, log closed. Nothing that got a 200 is lost by a
 * stop.
 *
 * Ready means: the log takes appends, and a project lookup has worked once. Postgres may go away after that; tokens in
 * memory continue working and new ones are taken unverified (contract/capture 1.6).
 */
export function createApp(config: CaptureConfig, deps: CaptureDeps = {}): CaptureApp {
  const clock = deps.clock ?? systemClock;
  const logger = deps.logger ?? createLogger('capture', config.logLevel);
  const health = createHealth();
  const registry = createMetrics('capture');
  const counters = createCaptureCounters();
  let draining = false;
  let log: EventLog | null = null;
  let bundler: Bundler | null = null;

  const { tokens, limits, changes, parts } = createProjectState(config, { source: deps.projects, clock, logger });
  const control = createEventControl({
    limitsOf: (token) => limits.of(token),
    tokenRate: rateOf(config.limits.tokenRate, config.limits.tokenBurst),
    keyRate: rateOf(config.limits.keyRate, config.limits.keyBurst),
    overflowKeepsKey: config.limits.overflowKeepsKey,
    // The processes of this machine divide it among them.
    projectRate: rateOf(
      config.limits.projectRate / config.processes,
      Math.max(1, config.limits.projectBurst / config.processes),
    ),
    isShared: () => limits.isShared(),
  });
  const warningGate = createWarningGate();
  const dropLog = createDropLog(logger);
  health.check('event log', () => (log === null ? 'not open' : log.unhealthyReason()));
  health.check('project tokens', () => tokens.unhealthyReason());
  health.check('project limits', () => limits.unhealthyReason());

  const { bodies, reader } = createBodies(config, counters, logger);
  registerCaptureMetrics(registry, counters, { tokens, limits, changes, warningGate, bodies });
  const receiving = {
    clock,
    logger,
    storeFailures: createStoreFailures(logger),
    bodies,
    reader,
    tokens,
    control,
    warningGate,
    dropLog,
    counters,
    sink: { append: (...entries: Parameters<Bundler['append']>) => required(bundler).append(...entries) },
    partitionOf: (key: string) => partitionOf(key, required(log).partitions),
    trustedProxies: config.trustedProxies,
    inflatedBytesMax: config.inflatedBytesMax,
  };
  const routes = createRoutes({
    receiveEvents: createReceiveEvents(receiving),
    receivePersons: createReceiveEvents(receiving, { nameIfMissing: '$identify' }),
    receiveV1Events: createReceiveV1Events(receiving),
    discardRecordings: createDiscardRecordings(receiving),
    sdkStubs: createSdkStubs(receiving),
    webSdk: createWebSdk(openSdkFiles()),
    limits: config,
  });
  const operations = createOperationsServer(config.operations, health, registry);
  const server = createHttpServer(
    createListener(routes, createPublicHealth(health), logger, {
      pathPrefix: config.pathPrefix,
      apiUrl: config.apiUrl === null ? null : withoutEnd(config.apiUrl, '/'),
      isDraining: () => draining,
    }),
    config.bodyTotalMsMax,
  );
  const membership = deps.membership?.(server);
  let url: string | null = null;

  const lifecycle = createLifecycle([
    deps.expose?.(health, registry) ?? operations,
    {
      name: 'event log',
      start: async () => {
        log = await (deps.openLog ?? (() => openEventLog(config.eventLog, { writer: 'capture' })))();
        bundler = createBundler(log, deps.bundler);
      },
      stop: async () => {
        await bundler?.close();
        await log?.close();
      },
    },
    ...parts,
    createKeptBackWarnings(receiving),
    { name: 'drop log', stop: () => dropLog.close() },
    {
      name: 'http server',
      start: async () => {
        membership?.join();
        const port = membership === undefined ? await listen(server, config.host, config.port) : config.port;
        url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
        logger.info({ url }, 'listening');
      },
      stop: async () => {
        health.drain();
        draining = true;
        // Whoever hands out connections sees that first; meanwhile each request closes its connection.
        await delay(config.stopDelayMs);
        const graceMs = drainMsMax - config.stopDelayMs;
        await (membership === undefined ? closeServer(server, graceMs) : membership.close(graceMs));
      },
    },
  ]);

  return {
    logger,
    metrics: registry,
    server,
    start: () => lifecycle.start(),
    stop: () => lifecycle.stop(),
    url: () => required(url),
    operationsUrl: () => operations.url(),
  };
}

function rateOf(perSecond: number, burst: number): Rate | null {
  return perSecond === 0 ? null : { perSecond, burst };
}

function required<T>(value: T | null): T {
  if (value === null) throw new Error('capture has not been started');
  return value;
}
