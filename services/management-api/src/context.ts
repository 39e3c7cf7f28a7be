import type { Request } from 'express';
import { routeDefiner } from '@millrace/http/define-route.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logger.ts';
import type { IngestedEvents } from './features/projects/ingested-events.ts';
import type { IntegrationProvider } from './features/integrations/provider.ts';
import type { SigningProvider } from './features/legal-documents/signing.ts';
import type { EndpointStore } from './features/query-endpoints/endpoint-store.ts';
import type { ExecutionTimes } from './features/query-endpoints/runs/execution-times.ts';
import type { RunRecords } from './features/query-endpoints/runs/run-records.ts';
import type { RunnableEndpoints } from './features/query-endpoints/runs/runnable-endpoint.ts';
import type { PreparedQueries } from './features/query-endpoints/runs/prepared-queries.ts';
import type { Computed } from './queries/execute/compute-result.ts';
import type { ResultCache } from './queries/cache/result-cache.ts';
import type { SharedWork } from './queries/cache/shared-work.ts';
import type { QueryCompiler } from './queries/compile/query-compiler.ts';
import type { RunningQueries } from './queries/execute/running-queries.ts';
import type { TenantEngine } from './queries/execute/tenant-engine.ts';
import type { MailBudget } from './mail/mail-budget.ts';
import type { Mailer } from './mail/mailer.ts';
import type { ObjectStorage } from './storage/object-storage.ts';
import type { LegalTexts } from './features/legal-documents/legal-text.ts';
import type { OrganizationAccess, ProjectAccess, UserAccess } from './auth/granted-access.ts';

/** What handlers work with; built once in `app.ts`. */
export interface Context {
  /** The management database, for single records; what is asked at every call has a store of its own. */
  prisma: PrismaClient;
  endpoints: EndpointStore;
  runnableEndpoints: RunnableEndpoints;
  /** Checks and compiles what is not kept prepared. */
  queryCompiler: QueryCompiler;
  preparedQueries: PreparedQueries;
  tenantEngine: TenantEngine;
  /** Results that are kept, and those that are being computed. */
  results: ResultCache;
  computations: SharedWork<Computed>;
  runningQueries: RunningQueries;
  /** Most rows of a result, whatever a query or a caller asks for. */
  resultRowsMax: number;
  /** The same of a result that is streamed. */
  streamRowsMax: number;
  executionTimes: ExecutionTimes;
  runRecords: RunRecords;
  ingestedEvents: IngestedEvents;
  mailer: Mailer;
  mailBudget: MailBudget;
  /** Undefined: none is configured. */
  storage: ObjectStorage | undefined;
  /** Whoever is at the other end of what is connected to organizations. */
  integrations: IntegrationProvider;
  /** What organizations can have signed, and by whom that is seen to. */
  legal: { signing: SigningProvider; texts: LegalTexts; operatorName: string; isBaaAllowed: boolean };
  /** Most projects of an organization of which nothing else is said. */
  projectsPerOrganizationMax: number;
  /** How long an invite can be accepted. */
  inviteLifeMs: number;
  /** What links in mails begin with: never what a request says of itself, since its sender is not who reads the mail. */
  linkBase: () => string;
  /** For what fails without failing the call. */
  logger: Logger;
  clock: Clock;
  /** The API's own address as clients see it, without trailing slash. */
  baseUrl: (request: Request) => string;
  /** The OpenAPI document of all routes, as the pieces of its JSON. */
  apiDocument: (request: Request) => readonly Uint8Array[];
}

/** Declares a route below `/api/projects/:project_id`. */
export const projectRoute = routeDefiner<ProjectAccess, Context>();

/** Declares a route below `/api/organizations/:organization_id`. */
export const organizationRoute = routeDefiner<OrganizationAccess, Context>();

/** Declares a route that is about the caller. */
export const userRoute = routeDefiner<UserAccess, Context>();

/** Declares a route that anyone may call. */
export const publicRoute = routeDefiner<null, Context>();
