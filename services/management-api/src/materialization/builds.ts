import { randomUUID } from 'node:crypto';
import type { Pool } from '@millrace/postgres/pool.ts';
import { delay } from '@millrace/runtime/clock.ts';
import { repeat } from '@millrace/runtime/repeat.ts';
import { build, BuildStoppedError, type BuildEnd } from './build.ts';
import type { BuildSlots } from './build-limits.ts';
import { claimBuild, readAwaited, type AwaitedBuild, type ClaimedBuild } from './claim-build.ts';
import { freeSlot, releaseBuild } from './end-build.ts';
import { hibernateUnused } from './hibernate.ts';
import { holdClaim, holdSlot } from './hold-claim.ts';
import type { BuildParts } from './making/build-parts.ts';
import { createSweep } from './sweep-tables.ts';
import { readScope } from './table-name.ts';

export interface ComparedBuild extends Omit<BuildEnd, 'compare'> {
  /** Buckets in which a whole build differs from the table of before. */
  bucketsDiffering: number;
}

export interface BuildsOptions extends Omit<BuildParts, 'scope' | 'pool'> {
  pool: Pick<Pool, 'query' | 'connect'>;
  slots: BuildSlots;
  onEnd: (end: ComparedBuild) => void;
  /** Interval of looking for builds that are due; default 1 s. */
  everyMs?: number;
  /** Life of a claim that is not renewed; default 30 s. */
  leaseMs?: number;
  /** Interval of the sweep; default 60 s. */
  sweepEveryMs?: number;
  /** Age of a table without a version at which the sweep removes it; default 10 min. */
  graceMs?: number;
}

/** Builds materialized versions in this process. Every process may: each build is done by one. */
export interface Builds {
  start(): void;
  /**
   * Begins the build of a version, if it is due, as soon as a slot is free and its project has its turn, and waits for its end for at most
   * `withinMs`, also when another has begun it. Builds whose turn is before may be begun too. The build goes on afterwards. What became of it is
   * in the version's row. Never throws: what could not be begun is still due.
   */
  buildNow(versionId: string, withinMs: number): Promise<void>;
  /** Removes the tables that no version has any more, of which the grace is over. Returns their number. */
  sweep(): Promise<number>;
  /** Gives up what is being built: another process takes it. */
  stop(): Promise<void>;
}

/** Interval of asking for a free slot, or whether another has ended a build. */
const askMs = 200;

export function createBuilds({
  slots,
  onEnd,
  everyMs = 1_000,
  leaseMs = 30_000,
  sweepEveryMs = 60_000,
  graceMs = 600_000,
  ...parts
}: BuildsOptions): Builds {
  const { pool, store, logger } = parts;
  const holder = randomUUID();
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const loops: Promise<void>[] = [];
  let scoped: Promise<string> | undefined;
  let sweeping: ReturnType<typeof createSweep> | undefined;

  // Asked again after a failure: Postgres may be away when the process starts.
  const scopeOf = (): Promise<string> =>
    (scoped ??= readScope(pool).catch((error: unknown) => {
      scoped = undefined;
      throw error;
    }));

  /** Begins a build that is due; null: none is, or all slots are taken. */
  async function begin(firstVersionId?: string): Promise<{ versionId: string; ended: Promise<void> } | null> {
    const scope = await scopeOf();
    const claimedAtMs = performance.now();
    const first = firstVersionId === undefined ? {} : { firstVersionId };
    const claim = await claimBuild(pool, { holder, leaseMs, ...slots, ...first });
    if (claim === null) return null;
    const held = holdClaim(pool, claim, { leaseMs, claimedAtMs });
    const signal = AbortSignal.any([held.signal, stopping.signal]);
    const ended = build({ ...parts, scope }, claim, signal)
      .then(async (end) => {
        onEnd(await compared(claim, end));
        if (end.outcome === 'stopped') await releaseBuild(pool, claim);
        await freeSlot(pool, claim);
      })
      .catch((err: unknown) => logger.warn({ err, versionId: claim.versionId }, 'the end of a build is not recorded'))
      .finally(() => {
        held.release();
        running.delete(ended);
        // Its slot is free: others wait for it.
        if (loops.length > 0) track(beginAll().catch(() => undefined));
      });
    running.add(ended);
    return { versionId: claim.versionId, ended };
  }

  /** Runs have the new table meanwhile, so no failure of this is one of the build. */
  async function compared(claim: ClaimedBuild, { compare, ...end }: BuildEnd): Promise<ComparedBuild> {
    if (compare === null) return { ...end, bucketsDiffering: 0 };
    const slot = holdSlot(pool, claim, leaseMs);
    try {
      return { ...end, bucketsDiffering: await compare(stopping.signal) };
    } finally {
      slot.release();
    }
  }

  function track(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => running.delete(work));
  }

  async function beginAndWait(versionId: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      let begun = await begin(versionId);
      while (begun !== null && begun.versionId !== versionId && !signal.aborted) begun = await begin(versionId);
      if (begun?.versionId === versionId) return await begun.ended;
      let awaited: AwaitedBuild;
      do {
        awaited = await readAwaited(pool, versionId, slots);
        if (awaited === 'none') return;
        await delay(askMs, signal);
        if (signal.aborted) return;
      } while (awaited === 'waits');
    }
  }

  async function beginAll(): Promise<void> {
    while (!stopping.signal.aborted && (await begin()) !== null);
  }

  async function sweep(): Promise<number> {
    sweeping ??= createSweep(pool, store, { scope: await scopeOf(), graceMs });
    return await sweeping();
  }

  const common = { signal: stopping.signal, logger };

  return {
    start() {
      loops.push(
        repeat(beginAll, { ...common, everyMs, failed: 'builds that are due could not be read' }),
        repeat(
          async () => {
            await hibernateUnused(pool);
            await sweep();
          },
          { ...common, everyMs: sweepEveryMs, failed: 'tables without a version were not removed yet' },
        ),
      );
    },
    async buildNow(versionId, withinMs) {
      if (stopping.signal.aborted) return;
      const enough = new AbortController();
      const signal = AbortSignal.any([enough.signal, stopping.signal]);
      const waited = beginAndWait(versionId, signal).catch((err: unknown) =>
        logger.warn({ err, versionId }, 'a build that a request waits for could not be begun yet'),
      );
      track(waited);
      await Promise.race([waited, delay(withinMs, signal)]);
      enough.abort();
    },
    sweep,
    async stop() {
      stopping.abort(new BuildStoppedError('the process stops'));
      await Promise.all(loops);
      while (running.size > 0) await Promise.all(running);
    },
  };
}
