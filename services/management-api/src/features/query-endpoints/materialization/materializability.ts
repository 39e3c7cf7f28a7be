import { AppError } from '@millrace/http/errors/errors.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { createLeastRecentlyUsed } from '../../../least-recently-used.ts';
import type { ShownVerdict } from '../../../materialization/render-status.ts';
import type { SavedQuery } from '../../../queries/compile/check-query.ts';
import type { QueryCompiler } from '../../../queries/compile/query-compiler.ts';
import type { MaterializationPreview } from '../../../queries/compile/preview-materialization.ts';
import { shortFreshness } from './check-materialization.ts';

/** Says which queries can be materialized, by the rules of contract/endpoints 6.2, and what their tables would demand of runs. */
export interface Materializability {
  /** Whether a version is materialized or no rule refuses its query, as far as that is known or found out at once. Never waits, never throws. */
  verdictOf(version: ShownVersion, organizationId: string): ShownVerdict;
  /** The same, where the query is looked at first. Never throws. */
  verdictAfterLook(version: ShownVersion, organizationId: string): Promise<ShownVerdict>;
  /** Why this server materializes no version with this freshness; null: it does. */
  reasonBesideQuery(freshnessSeconds: number): string | null;
  /** The rule that refuses the query of a version, which never changes: it is looked at once. @throws {AppError} as `QueryCompiler.preview` does */
  reasonOfVersion(version: LookedAt, organizationId: string): Promise<string | null>;
  /** The rule that refuses a query that is about to be saved. @throws {AppError} as `QueryCompiler.preview` does */
  reasonOfQuery(query: SavedQuery, organizationId: string): Promise<string | null>;
  /** Variables that runs of a materialized version may leave out. @throws {AppError} as `QueryCompiler.preview` does */
  optionalVariables(version: LookedAt, organizationId: string): Promise<readonly string[]>;
}

interface LookedAt {
  id: string;
  query: unknown;
}

interface ShownVersion extends LookedAt {
  /** Its row; null: it is not materialized. */
  materialization: object | null;
}

interface Look {
  reason: string | null;
  optional: readonly string[];
}

interface MaterializabilityOptions {
  compiler: Pick<QueryCompiler, 'preview' | 'previewHere'>;
  /** Why the server materializes nothing; null: it does. */
  refusal: string | null;
  logger: Pick<Logger, 'warn'>;
}

const versionsMax = 10_000;
const notLookedAt = 'The query is large, and is being looked at: ask again, or ask for materialization_preview';

export function createMaterializability({ compiler, refusal, logger }: MaterializabilityOptions): Materializability {
  const looks = createLeastRecentlyUsed<string, Look>(versionsMax);
  /** Organizations of which a large query is being looked at: one at a time, beside their requests. */
  const looking = new Set<string>();

  const lookAt = async (query: unknown, organizationId: string): Promise<Look> =>
    lookOf(await compiler.preview(previewed(query), organizationId));

  async function lookOnce({ id, query }: LookedAt, organizationId: string): Promise<Look> {
    const known = looks.get(id);
    if (known !== undefined) return known;
    const made = await lookAt(query, organizationId).catch((error: unknown) => {
      // Each other try would take as long, and end the thread again.
      if (error instanceof AppError && error.code === 'query_too_large') looks.set(id, tooLarge);
      throw error;
    });
    looks.set(id, made);
    return made;
  }

  function lookHere({ id, query }: LookedAt): Look | undefined {
    const known = looks.get(id);
    if (known !== undefined) return known;
    const preview = compiler.previewHere(previewed(query));
    if (preview === null) return undefined;
    const made = lookOf(preview);
    looks.set(id, made);
    return made;
  }

  async function lookLater(version: LookedAt, organizationId: string): Promise<void> {
    if (looking.has(organizationId)) return;
    looking.add(organizationId);
    try {
      await lookOnce(version, organizationId);
    } catch (err) {
      if (!(err instanceof AppError)) logger.warn({ err, versionId: version.id }, notPlanned);
    } finally {
      looking.delete(organizationId);
    }
  }

  function verdictOf(version: ShownVersion, organizationId: string): ShownVerdict {
    if (version.materialization !== null) return { canMaterialize: true, reason: null };
    try {
      const look = lookHere(version);
      if (look !== undefined) return { canMaterialize: look.reason === null, reason: look.reason };
      void lookLater(version, organizationId);
    } catch (err) {
      logger.warn({ err, versionId: version.id }, notPlanned);
    }
    return { canMaterialize: true, reason: notLookedAt };
  }

  return {
    verdictOf,
    async verdictAfterLook(version, organizationId) {
      // The reason of a failure is that of the verdict.
      if (version.materialization === null) await lookOnce(version, organizationId).catch(() => undefined);
      return verdictOf(version, organizationId);
    },
    reasonBesideQuery: (freshnessSeconds) => refusal ?? shortFreshness(freshnessSeconds),
    reasonOfVersion: async (version, organizationId) => (await lookOnce(version, organizationId)).reason,
    reasonOfQuery: async (query, organizationId) => (await lookAt(query, organizationId)).reason,
    optionalVariables: async (version, organizationId) => (await lookOnce(version, organizationId)).optional,
  };
}

const notPlanned = 'whether a version can be materialized is not known';

const tooLarge: Look = { reason: 'the query is too large to be planned; make it shorter', optional: [] };

// The names of the table and of its buckets do not matter.
const previewed = (query: unknown) => ({
  query: query as SavedQuery,
  name: 'endpoint',
  version: 1,
  bucketOverrides: null,
});

const lookOf = ({ reason, optional_variables: optional }: MaterializationPreview): Look => ({ reason, optional });
