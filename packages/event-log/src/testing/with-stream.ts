import { aborted } from '@millrace/runtime/aborted.ts';
import type { AssignedStream, EventLog, StreamId, SubscribeOptions } from '../event-log.ts';

/** The stream to read, and its group. */
interface Wanted extends Pick<StreamId, 'lane' | 'partition'>, Pick<SubscribeOptions, 'onCut'> {
  group?: string;
}

/** Runs `use` while the stream is this subscriber's, then closes the subscription. @throws what `use` throws */
export async function withStream(
  log: EventLog,
  { lane, partition, group = 'tested', onCut }: Wanted,
  use: (stream: AssignedStream) => void | Promise<void>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const subscription = await log.subscribe({
    group,
    lanes: [lane],
    ...(onCut && { onCut }),
    onStream: async (stream) => {
      if (stream.id.partition === partition) await Promise.resolve(use(stream)).then(resolve, reject);
      await aborted(stream.revoked);
    },
  });
  try {
    await promise;
  } finally {
    await subscription.close();
  }
}
