import type { Lane } from '@millrace/contracts/lanes.ts';
import type { Commit } from '@millrace/event-log/event-log.ts';
import type { LogView, ViewedStream } from '@millrace/event-log/log-view.ts';
import { consumedLanes } from '../stream/consumed-lanes.ts';

/** A stream, and how far the consumer's group is in it. */
export interface StreamProgress {
  stream: ViewedStream;
  committed: Commit | null;
}

/** Unread part of a lane. */
export interface LaneLag {
  lane: Lane;
  /** Bundles; each holds up to 500 events. */
  records: number;
  /** Wait of the oldest of them. */
  oldestUnreadSeconds: number;
}

export async function progressOf(
  view: LogView,
  group: string,
  streams: readonly ViewedStream[],
): Promise<StreamProgress[]> {
  return Promise.all(streams.map(async (stream) => ({ stream, committed: await view.committed(group, stream.id) })));
}

export async function measureLag(progress: readonly StreamProgress[], nowMs: number): Promise<LaneLag[]> {
  const lags: LaneLag[] = [];
  for (const lane of consumedLanes) {
    const lag = { lane, records: 0, oldestUnreadSeconds: 0 };
    for (const { stream, committed } of progress.filter(({ stream: { id } }) => id.lane === lane)) {
      const next = committed?.offset ?? stream.begin;
      if (next >= stream.end) continue;
      lag.records += Number(stream.end - next);
      const [oldest] = await stream.read(next, 1);
      if (oldest !== undefined)
        lag.oldestUnreadSeconds = Math.max(lag.oldestUnreadSeconds, Math.round((nowMs - oldest.appendedAtMs) / 1000));
    }
    lags.push(lag);
  }
  return lags;
}
