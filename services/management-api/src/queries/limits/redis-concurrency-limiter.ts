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

/** Options of slots that all processes count together. Each process counts its own slots first, and counts alone while Redis does not reply. */
interface SharedLimiterOptions extends Omit<LimiterOptions, 'takeShared'> {
  /** Slots of different names are counted separately. */
  name: string;
  limits: ConcurrencyLimits;
  /** Called for each piece of work that only this process counts. */
  onUncounted: () => void;
  /** Milliseconds after which the slots of a dead process are free. A live process renews its slots in time. */
  leaseMs?: number;
}

/** Limiters that share one connection to Redis. */
export interface SharedConcurrencyLimiters {
  open(options: SharedLimiterOptions): ConcurrencyLimiter;
  close(): void;
}

/** A slot is a member of a sorted set; its score is the end of its lease. Times are from Redis' clock, which all processes share. */
const nowOf = `local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

// One atomic step: checks that all sets have room, then takes the slots. Returns the number of the full set and its size, or {0, 0}.
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

// Each mark of a refused query is read and deleted by one caller.
const wantedScript = `for _, key in ipairs(KEYS) do
  if redis.call('DEL', key) == 1 then return 1 end
end
return 0`;

const leaseMsUsual = 30_000;
/** Renewals of a slot within one lease, so that some may fail. */
const renewalsInALease = 3;

/** Counts slots in Redis, so that all processes share the limits. Without Redis each process counts its own slots, and no work fails. */
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
  }: SharedLimiterOptions): ConcurrencyLimiter {
    /** Slots of this process: keys of their sets by id of the slot. */
    const held = new Map<string, readonly string[]>();
    // The braces place all sets on one node of a Redis cluster.
    const keyOf = (share: { name: string }): string => `millrace:slots:{${name}}:${share.name}`;
    const run = (script: string, keys: readonly string[], ...args: (string | number)[]): Promise<unknown> =>
      redis.run((client) => client.eval(script, keys.length, ...keys, ...args));

    /** Ended slots that Redis still counts, by id. They block other work until Redis frees them or their lease ends. */
    const unfreed = new Map<string, { keys: readonly string[]; untilMs: number }>();
    async function free(id: string, keys: readonly string[], untilMs: number): Promise<void> {
      // The script returns null; undefined means that Redis did not reply.
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
        // A slot that Redis missed at its start is added here.
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
      // Only the first attempt of a query sets the mark: each mark may end a stream of another caller.
      const response = (await run(takeScript, keys, id, leaseMs, isFirst ? wantedMs : 0, ...maxima)) as
        [number, number] | undefined;
      if (response !== undefined && unfreed.size > 0) freeAgain();
      const [at, running] = response ?? [0, 0];
      const full = shares[at - 1];
      if (full !== undefined) return { full, running };
      if (response === undefined) onUncounted();
      held.set(id, keys);
      return {
        free() {
          held.delete(id);
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
