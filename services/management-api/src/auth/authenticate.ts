import { AppError } from '@millrace/http/errors.ts';
import type { Credentials } from '@millrace/http/serve-route.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Caller } from './authorize.ts';
import { findCredential } from './find-credential.ts';
import { hashKey } from './key-hash.ts';

const lastUsedEveryMs = 3_600_000;

/**
 * Whose key a request carries. Looked up at every request, so that a revoked key is worth nothing at once; writes
 * `last_used_at` at most once an hour.
 * @throws {AppError} not_authenticated without a key, authentication_failed for one that is unknown, revoked, or of an
 * inactive user
 */
export function createAuthenticate(prisma: PrismaClient, clock: Clock): (credentials: Credentials) => Promise<Caller> {
  return async (credentials) => {
    const credential = findCredential(credentials);
    if (credential === null) throw new AppError('not_authenticated');
    const [row] = await prisma.$queryRaw<CallerRow[]>`
      SELECT k.id, k.scopes, k.scoped_teams, k.scoped_organizations::text[], k.last_used_at,
        u.id AS user_id, u.current_project_id, u.current_organization_id::text,
        (SELECT coalesce(jsonb_object_agg(m.organization_id, m.level), '{}') FROM memberships m WHERE m.user_id = u.id) AS levels
      FROM personal_api_keys k JOIN users u ON u.id = k.user_id
      WHERE k.secure_value = ${hashKey(credential.value)} AND u.is_active`;
    if (row === undefined) {
      throw new AppError('authentication_failed', { detail: `Personal API key found in ${locationOf(credential.source)} is invalid.` });
    }
    const nowMs = clock.nowMs();
    if (row.last_used_at === null || row.last_used_at.getTime() < nowMs - lastUsedEveryMs) {
      await prisma.personalApiKey.updateMany({ where: { id: row.id }, data: { lastUsedAt: new Date(nowMs) } });
    }
    return callerOf(row);
  };
}

interface CallerRow {
  id: string;
  scopes: string[];
  scoped_teams: number[];
  scoped_organizations: string[];
  last_used_at: Date | null;
  user_id: number;
  current_project_id: number | null;
  current_organization_id: string | null;
  levels: Record<string, number>;
}

function callerOf(row: CallerRow): Caller {
  return {
    keyId: row.id,
    userId: row.user_id,
    scopes: row.scopes,
    scopedProjects: row.scoped_teams,
    scopedOrganizations: row.scoped_organizations,
    currentProjectId: row.current_project_id,
    currentOrganizationId: row.current_organization_id,
    levels: row.levels,
  };
}

function locationOf(source: string): string {
  return source === 'Authorization header' ? 'request Authorization header' : source;
}
