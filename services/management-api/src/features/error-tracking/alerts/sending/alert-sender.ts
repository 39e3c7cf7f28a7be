import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { repeat } from '@millrace/runtime/repeat.ts';
import type { AlertObserver } from '../alert-metrics.ts';
import { alertOf, type Channel } from '../delivery.ts';
import { countWaiting } from './count-waiting.ts';
import type { AttemptEnd } from './end-attempt.ts';
import { claimTurn, type Turn } from './claim-turn.ts';
import { deliver, type DeliverOptions } from './deliver.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';
import { endAttempt, endTurn, recordMailed } from './end-attempt.ts';

export interface SenderOptions extends DeliverOptions {
  logger: Pick<Logger, 'warn'>;
  /** The API's address as clients see it. */
  linkBase: () => string;
  observer: AlertObserver;
  /** Interval of looking for alerts that are due; default 1 s. */
  everyMs?: number;
  /** Interval of counting those that wait; default 15 s. */
  countEveryMs?: number;
}

/** Projects whose alerts are sent at a time in this process, by channel: a receiver that is slow holds its own project alone. */
const turnsMax: Readonly<Record<Channel, number>> = { webhook: 64, mail: 3 };
const channels = ['webhook', 'mail'] as const satisfies readonly Channel[];
/** A project whose attempt failed waits so long, so that others come first. */
const pauseMs = 10_000;
const sweepEveryMs = 3_600_000;
const firstSweepMs = 300_000;

/** Sends alerts that are due. Every process may: the deliveries of a project by a channel are one process' at a time. */
export function createAlertSender({ everyMs = 1_000, countEveryMs = 15_000, ...options }: SenderOptions): Part {
  const { logger } = options;
  const stopping = new AbortController();
  const running: Record<Channel, Set<Promise<void>>> = { webhook: new Set(), mail: new Set() };
  const claiming: Partial<Record<Channel, Promise<void>>> = {};
  const loops: Promise<void>[] = [];

  /** One claim at a time: they need a connection each. */
  function beginAll(channel: Channel): Promise<void> {
    return (claiming[channel] ??= beginDue(channel).finally(() => delete claiming[channel]));
  }

  async function beginDue(channel: Channel): Promise<void> {
    while (!stopping.signal.aborted && running[channel].size < turnsMax[channel]) {
      const turn = await claimTurn(options, channel, options.clock.nowMs());
      if (turn === null) return;
      if (turn !== 'idle') begin(turn);
    }
  }

  function begin(turn: Turn): void {
    const { channel, projectId } = turn;
    const ended = takeTurn(options, turn)
      .catch((err: unknown) => logger.warn({ err, projectId, channel }, 'the end of an alert is not recorded'))
      .then(() => {
        running[channel].delete(ended);
        if (!stopping.signal.aborted) void beginAll(channel).catch(() => undefined);
      });
    running[channel].add(ended);
  }

  return {
    name: 'alerts',
    start() {
      const common = { signal: stopping.signal, logger };
      for (const channel of channels)
        loops.push(
          repeat(() => beginAll(channel), { ...common, everyMs, failed: 'alerts that are due could not be read' }),
        );
      loops.push(
        repeat(() => sweepDeliveries(options), {
          ...common,
          everyMs: sweepEveryMs,
          firstMs: firstSweepMs,
          failed: 'old alerts were not removed yet',
        }),
        repeat(() => observeWaiting(options), {
          ...common,
          everyMs: countEveryMs,
          failed: 'alerts that wait could not be counted',
        }),
      );
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      await Promise.allSettled(Object.values(claiming));
      for (const channel of channels) await Promise.all(running[channel]);
    },
  };
}

async function observeWaiting({ prisma, observer }: SenderOptions): Promise<void> {
  const waiting = await countWaiting(prisma);
  for (const channel of channels) observer.onWaiting(channel, waiting[channel]);
}

async function takeTurn(options: SenderOptions, turn: Turn): Promise<void> {
  const { prisma, clock } = options;
  const ends = await Promise.all(turn.deliveries.map((delivery) => attempt(options, turn, delivery)));
  const isFailing = ends.includes('retried') || ends.includes('failed');
  await endTurn(prisma, turn, { nowMs: clock.nowMs(), pauseMs: isFailing ? pauseMs : 0 });
}

async function attempt(options: SenderOptions, turn: Turn, delivery: Turn['deliveries'][number]): Promise<AttemptEnd> {
  const { prisma, clock, linkBase, observer } = options;
  const { channel, settings, projectId } = turn;
  const outcome = await deliver(options, {
    channel,
    settings,
    alert: alertOf(delivery),
    organizationId: settings.project.organizationId,
    place: { projectId, projectName: settings.project.name, address: linkBase() },
    mailedIds: delivery.mailedIds,
    onMailed: (userId) => recordMailed(prisma, turn, delivery.id, userId),
  });
  const end = await endAttempt(prisma, delivery, outcome, clock.nowMs());
  observer.onAttempt(channel, end);
  return end;
}
