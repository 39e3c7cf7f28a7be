import type { PrismaClient, Project } from '@millrace/postgres/generated/client.ts';
import { compileQuery } from '@millrace/query-language/compile.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { createLeastRecentlyUsed } from '../../least-recently-used.ts';
import { queryRows } from '../../queries/execute/query-rows.ts';
import type { TenantEngine } from '../../queries/execute/tenant-engine.ts';

export interface IngestedEvents {
  /**
   * Projects of these that have an event, as far as it is known now. The others are queried: few a call, and each once
   * in a while. A found event is recorded in the project's row for good.
   */
  among(
    projects: readonly Pick<Project, 'id' | 'organizationId' | 'ingestedEvent'>[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<number>>;
}

/** Projects without an event that one call queries. */
const queriesMax = 5;
/** A project without an event is queried again after this time. */
const revalidateAfterMs = 10_000;
/** A list does not wait longer for ClickHouse. */
const patienceMs = 1_000;
const cachedMax = 100_000;

const anyEvent = compileQuery({ text: 'SELECT 1 FROM events LIMIT 1', rowsMax: 1 });

/** `ingested_event`, latched from what is stored (contract/decisions 43). When ClickHouse is away it stays as it was. */
export function createIngestedEvents(prisma: PrismaClient, engine: TenantEngine, logger: Logger): IngestedEvents {
  const queriedAtMs = createLeastRecentlyUsed<number, number>(cachedMax);

  async function hasEvent(
    { id, organizationId }: Pick<Project, 'id' | 'organizationId'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      return (await queryRows(engine, anyEvent, { teamId: id, organizationId, keyId: undefined, signal })).length > 0;
    } catch (err) {
      logger.warn({ err, projectId: id }, 'not known whether the project has an event');
      return false;
    }
  }

  return {
    async among(projects, signal) {
      const nowMs = performance.now();
      const isDue = (id: number): boolean => nowMs - (queriedAtMs.get(id) ?? -Infinity) >= revalidateAfterMs;
      const queried = projects.filter(({ id, ingestedEvent }) => !ingestedEvent && isDue(id)).slice(0, queriesMax);
      for (const { id } of queried) queriedAtMs.set(id, nowMs);
      const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
      const results = await Promise.all(queried.map((project) => hasEvent(project, patience)));
      const found = queried.flatMap(({ id }, index) => (results[index] === true ? [id] : []));
      if (found.length > 0)
        await prisma.project.updateMany({ where: { id: { in: found } }, data: { ingestedEvent: true } });
      return new Set([...found, ...projects.flatMap(({ id, ingestedEvent }) => (ingestedEvent ? [id] : []))]);
    },
  };
}
