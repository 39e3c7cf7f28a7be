import type { QuotaResource } from '@millrace/contracts/project-limits.ts';
import { delay } from '@millrace/runtime/clock.ts';
import type { LimitRows, LoadProjectLimits } from './load-project-limits.ts';
import type { QuotaCounter } from './quota-counter.ts';
import type { QuotaUsage } from './quota-usage.ts';
import { compileRestrictions, type RestrictionRules } from './restriction-rules.ts';

/** A quota of a project, with what is used of it. */
interface ProjectQuota {
  limit: number;
  counter: QuotaCounter;
}

/** Decisions of operators about one project. */
export interface ProjectLimits {
  rules: RestrictionRules | null;
  quotas: ReadonlyMap<QuotaResource, ProjectQuota>;
}

export interface ProjectLimitsStore {
  /** Limits of a token; undefined, as for most, when there are none. */
  of(token: string): ProjectLimits | undefined;
  /** True when there is more than one project. */
  isShared(): boolean;
  /** Number of projects with limits. */
  count(): number;
  /** Loads everything again, soon; what is in memory holds until then. */
  reload(): void;
  /** Null once everything was loaded: after that the database may be away, and what is in memory holds on. */
  unhealthyReason(): string | null;
  start(): Promise<void>;
  /** Writes the used quotas to the database, for the last time. */
  stop(): Promise<void>;
}

export interface ProjectLimitsOptions {
  load: LoadProjectLimits;
  usage: QuotaUsage;
  /** Interval of reporting the use of quotas, and delay after a failed load or report. */
  intervalMs: number;
  /** Called once until it works again. */
  onFailed: (error: unknown) => void;
}

/** A database that does not respond must not hold up a stop; use that was not reported is counted nowhere. */
const stopMsMax = 1_000;

/**
 * Quotas and restrictions of all projects in memory (contract/capture 1.11), so that an event costs lookups in maps and
 * nothing else. Each change of the feed calls `reload`.
 */
export function createProjectLimits({ load, usage, intervalMs, onFailed }: ProjectLimitsOptions): ProjectLimitsStore {
  const stopping = new AbortController();
  let wake = new AbortController();
  let running: Promise<void> | undefined;
  let byToken: ReadonlyMap<string, ProjectLimits> = new Map();
  let projectIds: ReadonlySet<number> = new Set();
  let projects = 0;
  let stale = true;
  let failing = false;
  let unhealthyReason: string | null = 'quotas and restrictions have not been loaded yet';

  async function refresh(): Promise<void> {
    try {
      if (stale) {
        stale = false;
        const rows = await load().catch((error: unknown) => {
          stale = true;
          throw error;
        });
        ({ byToken, projectIds } = compile(rows, usage));
        projects = rows.projects;
      }
      await usage.report();
      unhealthyReason = null;
      failing = false;
    } catch (error) {
      if (!failing) onFailed(error);
      failing = true;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(intervalMs, wake.signal);
      wake = new AbortController();
      await refresh();
    }
  }

  return {
    of: (token) => byToken.get(token),
    isShared: () => projects > 1,
    count: () => projectIds.size,
    reload() {
      stale = true;
      wake.abort();
    },
    unhealthyReason: () => unhealthyReason,
    async start() {
      await refresh();
      running = run();
    },
    async stop() {
      stopping.abort();
      wake.abort();
      await Promise.race([running, delay(stopMsMax)]);
    },
  };
}

function compile(rows: LimitRows, usage: QuotaUsage): { byToken: Map<string, ProjectLimits>; projectIds: Set<number> } {
  const quotas = new Map<number, Map<QuotaResource, ProjectQuota>>();
  for (const { projectId, resource, limit, period } of rows.quotas) {
    const ofProject = quotas.get(projectId) ?? new Map<QuotaResource, ProjectQuota>();
    quotas.set(projectId, ofProject.set(resource, { limit, counter: usage.counter(projectId, resource, period) }));
  }
  usage.keepOnly(
    new Set([...quotas.values()].flatMap((ofProject) => [...ofProject.values()].map(({ counter }) => counter))),
  );
  const restrictions = Map.groupBy(rows.restrictions, ({ projectId }) => projectId);
  const projectIds = new Set([...quotas.keys(), ...restrictions.keys()]);
  const limits = new Map<number, ProjectLimits>();
  for (const id of projectIds)
    limits.set(id, { rules: compileRestrictions(restrictions.get(id) ?? []), quotas: quotas.get(id) ?? new Map() });
  const byToken = new Map(
    rows.tokens.flatMap(({ projectId, token }) =>
      limits.has(projectId) ? [[token, limits.get(projectId) as ProjectLimits]] : [],
    ),
  );
  return { byToken, projectIds };
}
