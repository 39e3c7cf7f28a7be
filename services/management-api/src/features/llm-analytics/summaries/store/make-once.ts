import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Context } from '../../context.ts';
import { boundSummaries } from './bound-summaries.ts';
import {
  claimMs,
  claimSummary,
  readSummary,
  releaseClaim,
  renewClaim,
  storeSummary,
  type StoredSummary,
  type SummaryKey,
} from './summary-store.ts';

/** Longest wait for another request: longer than the longest making, which is the wait for a model. */
const waitMsMax = 150_000;
/** The first wait of a request for another one; each is half as long again as the one before, up to the last. */
const pauseMsMin = 50;
const pauseMsMax = 1_000;

/** A new reply, and its title for `batch_check`. */
export interface MadeSummary {
  readonly title: string;
  /** JSON. */
  readonly reply: Uint8Array;
}

interface Options {
  /** Make a new summary although there is one. */
  isForced: boolean;
  signal: AbortSignal;
}

/**
 * The stored reply of a key, else the one that `make` makes and that is stored. Of requests for one key, in all processes, one makes it and
 * the others wait for it (contract/decisions 60). Nothing is stored when `make` fails: the next of them makes it then. A
 * reply that cannot be stored is replied all the same. A forced request gets
 * no summary whose data may have been read before it.
 * @throws what `make` throws; the signal's reason; unavailable after a wait of 150 s
 */
export async function makeOnce(
  { prisma, runPrepared, clock, logger }: Pick<Context, 'prisma' | 'runPrepared' | 'clock' | 'logger'>,
  key: SummaryKey,
  { isForced, signal }: Options,
  make: () => Promise<MadeSummary>,
): Promise<Uint8Array> {
  const now = (): Date => new Date(clock.nowMs());
  const started = now();
  const read = (): Promise<StoredSummary> =>
    readSummary(runPrepared, key, { now: now(), ...(isForced && { madeAfter: started }) });
  const claim = randomUUID();
  for (let pauseMs = pauseMsMin; ; pauseMs = Math.min(1.5 * pauseMs, pauseMsMax)) {
    const { reply, isClaimed } = await read();
    if (reply !== null) return reply;
    if (!isClaimed && (await claimSummary(prisma, key, claim))) break;
    if (clock.nowMs() - started.getTime() > waitMsMax)
      throw new AppError('unavailable', { detail: 'The summary is being made. Try again shortly.', retryAfterS: 5 });
    await wait(pauseMs, undefined, { signal });
  }
  const warn = (message: string) => (err: unknown) => logger.warn({ err }, message);
  const renewing = setInterval(() => {
    renewClaim(prisma, key, claim).catch(warn('a summary that is being made is not claimed anew yet'));
  }, claimMs / 4);
  try {
    // Data are read after this time.
    const computedAt = now();
    // Another request may have stored it between the look and the claim.
    const { reply } = await read();
    if (reply !== null) return reply;
    const made = await make();
    await storeSummary(runPrepared, key, { claim, ...made, computedAt })
      .then(() => boundSummaries(prisma, key.projectId))
      .catch(warn('a summary was not stored, or others are too many'));
    return made.reply;
  } finally {
    clearInterval(renewing);
    // It ends by itself, after 15 s.
    await releaseClaim(prisma, key, claim).catch(warn('a claim on a summary was not given back'));
  }
}
