import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Context } from '../../context.ts';
import {
  claimMs,
  claimSummary,
  readSummaryText,
  releaseClaim,
  renewClaim,
  storeSummary,
  type SummaryKey,
} from './summary-store.ts';

/** Longest wait for another request: longer than the longest making, which is the wait for a model. */
const waitMsMax = 150_000;
const pauseMs = 100;

/** A new reply, and its title for `batch_check`. */
export interface MadeSummary {
  readonly title: string;
  /** JSON text. */
  readonly body: string;
}

interface Options {
  /** Make a new summary although there is one. */
  isForced: boolean;
  signal: AbortSignal;
}

/**
 * The stored reply of a key, else the one that `make` makes and that is stored. Of requests for one key, in all processes, one makes it and
 * the others wait for it (contract/decisions 60). Nothing is stored when `make` fails: the next of them makes it then.
 * @throws what `make` throws; the signal's reason; unavailable after a wait of 150 s
 */
export async function makeOnce(
  { prisma, clock }: Pick<Context, 'prisma' | 'clock'>,
  key: SummaryKey,
  { isForced, signal }: Options,
  make: () => Promise<MadeSummary>,
): Promise<string> {
  const now = (): Date => new Date(clock.nowMs());
  const started = now();
  const read = (): Promise<string | null> =>
    readSummaryText(prisma, key, { now: now(), ...(isForced && { madeAfter: started }) });
  const claim = randomUUID();
  for (;;) {
    const kept = await read();
    if (kept !== null) return kept;
    if (await claimSummary(prisma, key, claim)) break;
    if (clock.nowMs() - started.getTime() > waitMsMax)
      throw new AppError('unavailable', { detail: 'The summary is being made. Try again shortly.', retryAfterS: 5 });
    await wait(pauseMs, undefined, { signal });
  }
  // A renewal that fails is followed by another before the claim ends.
  const renewing = setInterval(() => void renewClaim(prisma, key, claim).catch(() => undefined), claimMs / 4);
  try {
    // Another request may have stored it between the look and the claim.
    const kept = await read();
    if (kept !== null) return kept;
    const made = await make();
    await storeSummary(prisma, key, { claim, ...made, now: now() });
    return made.body;
  } finally {
    clearInterval(renewing);
    await releaseClaim(prisma, key, claim);
  }
}
