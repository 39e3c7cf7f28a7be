import type { Pool } from '@millrace/postgres/pool.ts';
import type { ClaimedBuild } from './claim-build.ts';

/** The build is another's now, or nobody wants it any more. */
export class ClaimLostError extends Error {
  override name = 'ClaimLostError';
}

export interface HeldClaim {
  /** Aborts with a `ClaimLostError` when the claim is lost: another process may have the build. */
  signal: AbortSignal;
  /** Stops renewing. */
  release(): void;
}

// A slot stays while the claim does, and for the rest of that time when the claim is lost: the build is ended meanwhile.
const renewal = `WITH renewed AS (
    UPDATE materializations SET claimed_until = statement_timestamp() + $3 * interval '1 millisecond'
    WHERE id = $1 AND build_number = $2 AND claimed_until IS NOT NULL RETURNING claimed_until
  ), slot AS (
    UPDATE build_slots s SET held_until = r.claimed_until FROM renewed r WHERE s.row_id = $1 AND s.build_number = $2
  )
  SELECT 1 FROM renewed`;

const slotRenewal = `UPDATE build_slots SET held_until = statement_timestamp() + $3 * interval '1 millisecond'
  WHERE row_id = $1 AND build_number = $2`;

/**
 * Renews a claim, three times in its life, until it is released. It is lost when Postgres says so, or was not heard of for the whole life
 * of a claim.
 */
export function holdClaim(
  pool: Pick<Pool, 'query'>,
  { rowId, buildNumber }: Pick<ClaimedBuild, 'rowId' | 'buildNumber'>,
  {
    leaseMs,
    claimedAtMs,
  }: { leaseMs: number; /** On the clock of `performance.now()`, before the claim. */ claimedAtMs: number },
): HeldClaim {
  const lost = new AbortController();
  let endsAtMs = claimedAtMs + leaseMs;
  let isRenewing = false;
  const lose = (reason: string): void => {
    release();
    lost.abort(new ClaimLostError(reason));
  };

  async function renew(): Promise<void> {
    const sentAtMs = performance.now();
    const { rowCount } = await pool.query(renewal, [rowId, buildNumber, leaseMs]);
    if (rowCount === 0) lose('another build of the version has begun, or it is not materialized any more');
    else endsAtMs = sentAtMs + leaseMs;
  }

  const timer = setInterval(() => {
    if (performance.now() >= endsAtMs) return lose('the claim could not be renewed in time');
    if (isRenewing) return;
    isRenewing = true;
    // Postgres may be back before the claim ends.
    void renew().then(
      () => (isRenewing = false),
      () => (isRenewing = false),
    );
  }, leaseMs / 3);
  const release = (): void => clearInterval(timer);
  return { signal: lost.signal, release };
}

/** Renews the slot of a build that has its table, while something of it still runs. A slot that cannot be renewed ends by itself. */
export function holdSlot(
  pool: Pick<Pool, 'query'>,
  { rowId, buildNumber }: Pick<ClaimedBuild, 'rowId' | 'buildNumber'>,
  leaseMs: number,
): Pick<HeldClaim, 'release'> {
  const timer = setInterval(() => {
    pool.query(slotRenewal, [rowId, buildNumber, leaseMs]).catch(() => undefined);
  }, leaseMs / 3);
  return { release: () => clearInterval(timer) };
}
