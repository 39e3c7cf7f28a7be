import type { Request } from 'express';
import { routeDefiner } from '@millrace/http/define-route.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { RunRecords } from './queries/log/run-records.ts';
import type { ExecutedQuery } from './queries/execute/execute-query.ts';
import type { ResultCache } from './queries/cache/result-cache.ts';
import type { SingleFlight } from './queries/cache/single-flight.ts';
import type { QueryCompiler } from './queries/compile/query-compiler.ts';
import type { RunningQueries } from './queries/execute/running-queries.ts';
import type { ProjectNames } from './queries/schema/project-names.ts';
import type { TenantEngine } from './queries/execute/tenant-engine.ts';
import type { LanguageModel } from './language-model/language-model.ts';
import type { MailBudget } from './mail/mail-budget.ts';
import type { Mailer } from './mail/mailer.ts';
import type { OrganizationAccess, ProjectAccess, UserAccess } from './auth/granted-access.ts';

/** Parts that handlers of every feature may use. A feature has parts of its own beside them, in its `context.ts`; `app.ts` builds all of them, once. */
export interface Context {
  /** The management database, for single records; records of every call have stores of their own. */
  prisma: PrismaClient;
  /** Checks and compiles queries that are not cached. */
  queryCompiler: QueryCompiler;
  /** Names and types of each project's events and properties. */
  projectNames: ProjectNames;
  tenantEngine: TenantEngine;
  /** Cached results, and those that are being computed. */
  results: ResultCache;
  computations: SingleFlight<ExecutedQuery>;
  runningQueries: RunningQueries;
  /** Maximum rows of a result, whatever a query or a caller requests. */
  resultRowsMax: number;
  /** Most rows of a stream. */
  streamRowsMax: number;
  runRecords: RunRecords;
  /** A model outside of this system. Texts leave by it, so its users ask for consent first (`requireAiConsent`). */
  languageModel: LanguageModel;
  mailer: Mailer;
  mailBudget: MailBudget;
  /** For errors that do not fail the call. */
  logger: Logger;
  clock: Clock;
  /** The API's own address as clients see it, without trailing slash. */
  baseUrl: (request: Request) => string;
}

/** The ways to declare a route, by what it is about; its handlers work with `Parts`. */
export function routesWith<Parts extends Context>() {
  return {
    /** Below `/api/projects/:project_id`. */
    projectRoute: routeDefiner<ProjectAccess, Parts>(),
    /** Below `/api/organizations/:organization_id`. */
    organizationRoute: routeDefiner<OrganizationAccess, Parts>(),
    /** About the caller. */
    userRoute: routeDefiner<UserAccess, Parts>(),
    /** For anyone. */
    publicRoute: routeDefiner<null, Parts>(),
  };
}

/** The same for features without parts of their own. */
export const { projectRoute, organizationRoute, userRoute } = routesWith<Context>();
