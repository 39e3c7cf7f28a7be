import type { Scope } from '@millrace/contracts/scopes.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { holdsScope } from '../../auth/authorize.ts';
import { outlivedEnd } from '../../auth/ends.ts';

/** Rights of a key, and its end. Empty limits: it is not limited; no time: for ever. */
export interface KeyPower {
  scopes: readonly string[];
  scopedTeams: readonly number[];
  scopedOrganizations: readonly string[];
  expiresAt: Date | null;
}

/**
 * Refuses a key that would have more rights, or for longer, than the key of the request: scopes, each limit and the end
 * are subsets. A star is more than all scopes together, because it also holds those of later releases. Pure.
 * @throws {AppError} permission_denied, with the field
 */
export function requireWithin(holder: KeyPower, wanted: KeyPower): void {
  const scope = wanted.scopes.find((one) => !holds(holder.scopes, one));
  if (scope !== undefined) throw stronger('scopes', `'${scope}' is not among the scopes of this key`);
  const project = beyond(holder.scopedTeams, wanted.scopedTeams);
  if (project !== undefined)
    throw stronger('scoped_teams', `this key is limited to projects, and the new limit goes beyond them (${project})`);
  const organization = beyond(holder.scopedOrganizations, wanted.scopedOrganizations);
  if (organization !== undefined)
    throw stronger(
      'scoped_organizations',
      `this key is limited to organizations, and the new limit goes beyond them (${organization})`,
    );
  const end = outlivedEnd(holder.expiresAt, wanted.expiresAt);
  if (end !== undefined) throw stronger('expires_at', `this key ends at ${end.toISOString()}`);
}

function holds(held: readonly string[], scope: string): boolean {
  return scope === '*' ? held.includes('*') : holdsScope(held, scope as Scope);
}

/** The first of the wanted that the limit does not name; no limit is wider than every limit. */
function beyond<Id extends string | number>(limit: readonly Id[], wanted: readonly Id[]): string | undefined {
  if (limit.length === 0) return undefined;
  if (wanted.length === 0) return 'all';
  const found = wanted.find((id) => !limit.includes(id));
  return found === undefined ? undefined : String(found);
}

function stronger(attr: string, why: string): AppError {
  return new AppError('permission_denied', { attr, detail: `A key cannot be made stronger than this one: ${why}.` });
}
