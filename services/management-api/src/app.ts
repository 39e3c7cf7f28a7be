import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import express, { type Express } from 'express';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { openQueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import { refuseMissingHost, replyToClientErrors } from '@millrace/http/errors/client-errors.ts';
import { mountRoutes } from '@millrace/http/mount.ts';
import { createUnsentReplies } from '@millrace/http/replies/unsent-replies.ts';
import { createStorage } from '@millrace/object-storage/create-storage.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { createPrismaOver } from '@millrace/postgres/prisma.ts';
import { systemClock, type Clock } from '@millrace/runtime/clock.ts';
import { createHealth } from '@millrace/runtime/operations/health.ts';
import { usualLimits } from '@millrace/runtime/bodies/arrival.ts';
import { createArrivingBodies } from '@millrace/runtime/bodies/arriving-bodies.ts';
import { createShortages } from '@millrace/runtime/bodies/shortages.ts';
import { closeServer, listen } from '@millrace/runtime/http/http-server.ts';
import { createLifecycle } from '@millrace/runtime/lifecycle.ts';
import { createLogger, type Logger } from '@millrace/runtime/logs/logger.ts';
import { createMetrics } from '@millrace/runtime/operations/metrics.ts';
import { createPublicHealth } from '@millrace/runtime/operations/operations.ts';
import { createOperationsServer } from '@millrace/runtime/operations/operations-server.ts';
import type { App } from '@millrace/runtime/process/run-process.ts';
import { originForm } from '@millrace/runtime/http/origin-form.ts';
import { withoutEnd } from '@millrace/runtime/without-end.ts';
import { allowBrowsers } from './allow-browsers.ts';
import { changesEndpoints, createAccessControl } from './auth/access-control.ts';
import { openThrottles } from './auth/open-throttles.ts';
import { createAddresses, createDescribeUnknown } from './addresses/addresses.ts';
import type { Config } from './config.ts';
import type { ResolveHost } from './features/error-tracking/alerts/webhooks/resolve-host.ts';
import { createErrorTrackingParts } from './features/error-tracking/error-tracking-parts.ts';
import { createIngestedEvents } from './features/projects/ingested-events.ts';
import { createStoredProvider, type IntegrationProvider } from './features/integrations/provider.ts';
import { createLlmParts } from './features/llm-analytics/llm-parts.ts';
import { legalParts } from './features/legal-documents/legal-parts.ts';
import { createMailedSigning, type SigningProvider } from './features/legal-documents/signing.ts';
import { createEndpointParts } from './features/query-endpoints/endpoint-parts.ts';
import { openRunRecords } from './queries/log/open-run-records.ts';
import { createQueryEndings } from './queries/execute/query-endings.ts';
import { createRunningQueries } from './queries/execute/running-queries.ts';
import { openConcurrencyLimiters } from './queries/limits/open-concurrency-limiters.ts';
import { isKeyShareFull } from './queries/limits/shares.ts';
import { openResultCache } from './queries/cache/open-result-cache.ts';
import { createSingleFlight } from './queries/cache/single-flight.ts';
import { createCompileThread } from './queries/compile/compile-thread.ts';
import { createQueryCompiler } from './queries/compile/query-compiler.ts';
import { createProjectNames } from './queries/schema/project-names.ts';
import { createTenantEngine } from './queries/execute/tenant-engine.ts';
import { createChangeFeed } from './changes/change-feed.ts';
import { cachedCheck, clickhouseCheck, postgresCheck } from './health-checks.ts';
import { createLanguageModel } from './language-model/create-language-model.ts';
import { createModelBudget } from './language-model/model-budget.ts';
import { createMailBudget } from './mail/mail-budget.ts';
import { createMailer, type Mailer } from './mail/mailer.ts';
import { createApiMetrics, observeBodies, observeQueries, reportRequest } from './metrics.ts';
import { openMirror } from './mirror/open-mirror.ts';
import { createObjectRoutes } from './objects/object-routes.ts';
import { translateDatabaseError } from './database/prisma-errors.ts';
import { routes, type AllParts } from './routes.ts';

/** Parts that tests provide instead of the process' own. */
export interface Dependencies {
  clock?: Clock;
  logger?: Logger;
  mailer?: Mailer;
  signing?: SigningProvider;
  integrations?: IntegrationProvider;
  resolveHost?: ResolveHost;
}

export interface ManagementApi extends App {
  /** The application itself, for tests that do not listen. */
  express: Express;
  /** Connects when first used; resolves once it listens. */
  start(): Promise<void>;
  /** Lets requests under way finish, writes what is queued, ends all connections. */
  stop(): Promise<void>;
  /** Address of the server; only after `start`. */
  readonly url: string;
  /** Base address of operators' port. */
  operationsUrl(): string;
}

const stopGraceMs = 8_000;
/** Longer than clients and load balancers keep an idle connection: a call never meets one that we are just closing. */
const keepAliveMs = 65_000;
const healthForMs = 1_000;
/** Projects are counted from 1. */
const nobodysTeam = 0;
/** The service, built of its parts and not started. */
export function createApp(config: Config, dependencies: Dependencies = {}): ManagementApi {
  const { clock = systemClock, logger = createLogger('management-api', config.logLevel, { linesTogether: true }) } =
    dependencies;
  const onError = (err: Error): void => logger.warn({ err }, 'an idle connection to Postgres was lost');
  const { url: databaseUrl, poolSize, statementTimeoutMs } = config.postgres;
  const pool = createPool(databaseUrl, {
    applicationName: 'management-api',
    max: poolSize,
    statementTimeoutMs,
    onError,
  });
  const prisma = createPrismaOver(pool);
  const healthPool = createPool(databaseUrl, {
    applicationName: 'management-api-health',
    max: 1,
    statementTimeoutMs: 500,
    silenceMsMax: 500,
    onError,
  });
  const clickhouse = createClickhouse({
    ...config.clickhouse,
    applicationName: 'management-api-health',
    requestTimeoutMs: 1_000,
    connectionsMax: 1,
  });
  const queries = openQueryConnection({
    ...config.clickhouse,
    applicationName: 'management-api',
    connectionsMax: config.queries.runningMax + config.queries.streams.runningMax + config.queries.tables.runningMax,
    gatheredBytesMax: config.queries.arrivingBytesMax,
  });
  const mailer = dependencies.mailer ?? createMailer(config.mail, { clock, logger });
  const { storage, served } = createStorage(config.storage, { clock, logger });
  let url = '';
  const registry = createMetrics('management-api');
  const metrics = createApiMetrics(registry);

  const mailBudget = createMailBudget({
    clock,
    perDayMax: config.mail.perDayMax,
    onHeldBack: (kind, mails) => metrics.mailsHeldBack.inc({ kind }, mails),
  });

  const runRecords = openRunRecords(config, logger, (count) => metrics.runRecordsLost.inc(count));

  const headersOf = (teamId: number): Readonly<Record<string, string>> =>
    tenantHeaders(config.clickhouse.tokenSecret, teamId);
  const health = createHealth();
  health.check('postgres', cachedCheck(postgresCheck(healthPool), healthForMs, clock));
  health.check('clickhouse', cachedCheck(clickhouseCheck(clickhouse, headersOf(nobodysTeam)), healthForMs, clock));

  const limiters = openConcurrencyLimiters(config, logger, () => metrics.queriesUncounted.inc());
  const endings = createQueryEndings(queries, logger);
  observeQueries(registry, endings, limiters);
  const tenantEngine = createTenantEngine(queries, {
    endings,
    headersOf,
    limits: config.queries,
    limiter: limiters.queries,
    tables: limiters.tables,
    streams: { limits: config.queries.streams, limiter: limiters.streams },
    // After the reply, which is sent in the same turn.
    onFinish: ({ kind, outcome, seconds }) =>
      void setImmediate(() => metrics.querySeconds.observe({ kind, outcome }, seconds)),
  });
  const linkBase = (): string => (config.publicUrl === null ? url : withoutEnd(config.publicUrl, '/'));
  const results = openResultCache(config, logger);
  const changes = createChangeFeed(config, logger);
  const runningQueries = createRunningQueries(randomUUID(), ({ projectId, userId, clientQueryId }, sender) =>
    pool.query('SELECT cancel_query($1, $2, $3, $4)', [projectId, userId, clientQueryId, sender]),
  );
  changes.onChange((batch) => runningQueries.onChange(batch));
  const compileThread = createCompileThread((reason) =>
    logger.warn({ reason }, 'compiling a query was ended before it was done'),
  );
  const queryCompiler = createQueryCompiler(compileThread);
  const llm = createLlmParts(config.languageModel, { prisma, pool, clock, logger });
  const projectNames = createProjectNames(pool);
  changes.onChange((batch) => projectNames.invalidate(batch));
  const throttling = openThrottles(config, logger);
  const { counter, throttles } = throttling;
  const endpoints = createEndpointParts(config, {
    pool,
    prisma,
    queryCompiler,
    tenantEngine,
    throttles,
    changes,
    clock,
    logger,
    registry,
  });
  const errorTracking = createErrorTrackingParts(config, dependencies, {
    ...{ prisma, storage, mailer, mailBudget, clock, logger, registry, linkBase },
  });
  const context: AllParts = {
    clock,
    prisma,
    languageModel: createLanguageModel(config.languageModel, {
      logger,
      budget: createModelBudget(counter, config.languageModel),
      onCall: (outcome, seconds) => metrics.languageModelSeconds.observe({ outcome }, seconds),
    }),
    mailer,
    mailBudget,
    ...errorTracking.context,
    projectsPerOrganizationMax: config.projectsPerOrganizationMax,
    inviteLifeMs: config.inviteDays * 86_400_000,
    linkBase,
    integrations: dependencies.integrations ?? createStoredProvider(prisma),
    legal: legalParts(config.legal, dependencies.signing ?? createMailedSigning({ prisma, mailer, linkBase })),
    logger,
    queryCompiler,
    ...llm.context,
    projectNames,
    tenantEngine,
    runningQueries,
    ingestedEvents: createIngestedEvents(prisma, tenantEngine, logger),
    results: results.cache,
    computations: createSingleFlight(isKeyShareFull),
    resultRowsMax: config.queries.resultRowsMax,
    streamRowsMax: config.queries.streams.rowsMax,
    runRecords,
    ...endpoints.context,
    ...createAddresses(config),
  };
  const app = express();
  const publicHealth = createPublicHealth(health);
  app.use((request, response, next) => {
    if (!publicHealth(request, response)) next();
  });
  app.use(allowBrowsers(routes));
  const access = createAccessControl({ pool, changes, clock, logger, counter, throttles });
  // Its fields are ours, and none is a secret: to look for secrets among them took longer than to write the line.
  const requestLog = logger.child({}, { redact: [] });
  const shortages = createShortages(logger);
  const bodies = createArrivingBodies(usualLimits(config.bodiesBytesMax), { bytesInFlight: 0 }, (shortage) =>
    shortages.report(shortage),
  );
  observeBodies(registry, bodies);
  mountRoutes(app, routes, {
    context,
    ...access,
    afterCall: (called) => {
      access.afterCall(called);
      if (changesEndpoints(called)) endpoints.forgetEndpoints();
    },
    translateError: translateDatabaseError,
    describeUnknown: createDescribeUnknown(config),
    aliases: { '/api/environments/': '/api/projects/' },
    ...(served !== undefined && { others: createObjectRoutes({ ...served, clock }) }),
    bodyBytesMax: config.bodyBytesMax,
    largeBodyBytesMax: config.llmBodyBytesMax,
    bodies,
    log: logger,
    unsent: createUnsentReplies({ bytesMax: config.unsentBytesMax, onCut: () => metrics.repliesCut.inc() }),
    onFinish: (finished) => reportRequest(finished, requestLog, metrics),
  });

  const operations = createOperationsServer(config.operations, health, registry);
  const server = createServer({ keepAliveTimeout: keepAliveMs, requireHostHeader: false }, (request, response) => {
    if (refuseMissingHost(request, response)) return;
    request.url = originForm(request.url);
    app(request, response);
  });
  replyToClientErrors(server);
  const lifecycle = createLifecycle([
    operations,
    { name: 'postgres', stop: () => prisma.$disconnect().then(() => pool.end()) },
    { name: 'health checks', stop: () => healthPool.end() },
    { name: 'clickhouse', stop: () => (endings.close(), queries.close()) },
    { name: 'clickhouse health checks', stop: () => clickhouse.close() },
    { name: 'mail', stop: () => mailer.close() },
    { name: 'object storage', start: async () => storage?.start(), stop: () => storage?.close() },
    { name: 'compiling', stop: () => compileThread.close() },
    ...llm.parts,
    { name: 'results', stop: results.close },
    { name: 'slots of queries', stop: limiters.close },
    throttling.part,
    changes.part,
    { name: 'logs of endpoints', start: () => runRecords.start(), stop: () => runRecords.stop() },
    ...endpoints.parts,
    ...openMirror(config, { registry, logger }),
    {
      name: 'http',
      start: async () => {
        const port = await listen(server, config.host, config.port);
        url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
        logger.info({ url }, 'listening');
      },
      stop: () => closeServer(server, stopGraceMs),
    },
    ...errorTracking.parts,
    { name: 'readiness', stop: () => health.drain() },
  ]);
  return {
    logger,
    metrics: registry,
    express: app,
    start: () => lifecycle.start(),
    stop: () => lifecycle.stop(),
    get url() {
      return url;
    },
    operationsUrl: () => operations.url(),
  };
}
