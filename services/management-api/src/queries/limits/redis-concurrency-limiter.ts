import { randomUUID } from 'node:crypto';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { openOptionalRedis } from '@millrace/runtime/optional-redis.ts';
import {
  createConcurrencyLimiter,
  wantedMs,
  type ConcurrencyLimiter,
  type LimiterOptions,
  type SharedSlot,
} from './concurrency-limiter.ts';
import { sharesOf, type ConcurrencyLimits, type Share } from './shares.ts';

/** Options of slots that all processes count together: each process counts its own before Redis, and alone while Redis does not answer. */
interface SharedRunSlotsOptions extends Omit<LimiterOptions, 'takeShared'> {
  /** Name of the slots: those of other names are counted apart. */
  name: string;
  limits: ConcurrencyLimits;
  /** Told of each piece of work that only this process counts. */
  onUncounted: () => void;
  /** Milliseconds after which the slots of a process that is gone are free; one that lives renews them in time. */
  leaseMs?: number;
}

export interface SharedConcurrencyLimiters {
  /** Slots of one name. */
  open(options: SharedRunSlotsOptions): ConcurrencyLimiter;
  close(): void;
}

/** A slot is a member of a sorted set, scored with the time at which it is free again; Redis' clock is everybody's. */
const nowOf = `local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

// Looks first whether all sets have room, then takes: in one atomic step. Returns which set is full, and with how many.
const takeScript = `${nowOf}
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  local taken = redis.call('ZCARD', key)
  if taken >= tonumber(ARGV[i + 3]) then
    if tonumber(ARGV[3]) > 0 then redis.call('SET', key .. ':wanted', 1, 'PX', ARGV[3]) end
    return {i, taken}
  end
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', key, ARGV[2])
end
return {0, 0}`;

const renewScript = `${nowOf}
for i, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + ARGV[1], ARGV[i + 1])
  redis.call('PEXPIRE', key, ARGV[1])
end`;

const freeScript = `for _, key in ipairs(KEYS) do
  redis.call('ZREM', key, ARGV[1])
  redis.call('DEL', key .. ':wanted')
end`;

// The first caller takes the refusal, nobody after that gets it.
const wantedScript = `for _, key in ipairs(KEYS) do
  if redis.call('DEL', key) == 1 then return 1 end
end
return 0`;

const leaseMsUsual = 30_000;
/** A slot is renewed so many times in the life of a lease: some may fail. */
const renewalsInALease = 3;

/** Counts in Redis, so that two processes run no more than one; without Redis each counts for itself, and no work fails of it. */
export function openSharedConcurrencyLimiters(url: string, logger: Pick<Logger, 'warn'>): SharedConcurrencyLimiters {
  const redis = openOptionalRedis(url, {
    connectionName: 'millrace-run-slots',
    logger,
    withoutIt: 'this process counts running queries by itself',
  });
  const timers: NodeJS.Timeout[] = [];

  function open({
    name,
    limits,
    onUncounted,
    leaseMs = leaseMsUsual,
    ...options
  }: SharedRunSlotsOptions): ConcurrencyLimiter {
    /** Those of this process: the sets that each is in, by its own id. */
    const held = new Map<string, readonly string[]>();
    // The braces keep the sets together on one node of a cluster.
    const keyOf = (share: { name: string }): string => `millrace:slots:{${name}}:${share.name}`;
    const run = (script: string, keys: readonly string[], ...args: (string | number)[]): Promise<unknown> =>
      redis.run((asked) => asked.eval(script, keys.length, ...keys, ...args));

    /** Slots whose end Redis has not heard, by their ids: until it has, or their lease is over, they take others' room. */
    const unfreed = new Map<string, { keys: readonly string[]; untilMs: number }>();
    async function free(id: string, keys: readonly string[], untilMs: number): Promise<void> {
      // What is heard answers null.
      if ((await run(freeScript, keys, id)) === undefined) unfreed.set(id, { keys, untilMs });
    }
    function freeAgain(): void {
      const all = [...unfreed];
      unfreed.clear();
      for (const [id, { keys, untilMs }] of all) if (performance.now() < untilMs) void free(id, keys, untilMs);
    }

    timers.push(
      setInterval(() => {
        freeAgain();
        const slots = [...held].flatMap(([id, keys]) => keys.map((key) => ({ id, key })));
        // One that Redis missed when it began is counted from here on.
        if (slots.length > 0)
          void run(
            renewScript,
            slots.map(({ key }) => key),
            leaseMs,
            ...slots.map(({ id }) => id),
          );
      }, leaseMs / renewalsInALease).unref(),
    );

    async function takeShared(shares: readonly Share[], isFirst: boolean): Promise<SharedSlot> {
      const id = randomUUID();
      const keys = shares.map(keyOf);
      const maxima = shares.map(({ max }) => max);
      // One who waits is reported once: each report may end somebody's stream.
      const answer = (await run(takeScript, keys, id, leaseMs, isFirst ? wantedMs : 0, ...maxima)) as
        [number, number] | undefined;
      if (answer !== undefined && unfreed.size > 0) freeAgain();
      const [at, running] = answer ?? [0, 0];
      const full = shares[at - 1];
      if (full !== undefined) return { full, running };
      if (answer === undefined) onUncounted();
      held.set(id, keys);
      return {
        free() {
          held.delete(id);
          // Nobody waits for it.
          void free(id, keys, performance.now() + leaseMs);
        },
      };
    }

    const limiter = createConcurrencyLimiter(limits, { ...options, takeShared });
    return {
      ...limiter,
      async isWanted(owner) {
        if (await limiter.isWanted(owner)) return true;
        const keys = sharesOf(owner, limits, options.counted).map((share) => `${keyOf(share)}:wanted`);
        return (await run(wantedScript, keys)) === 1;
      },
    };
  }

  return {
    open,
    close() {
      timers.forEach(clearInterval);
      redis.close();
    },
  };
}
