import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from '@millrace/runtime/metrics.ts';
import type { Exposition } from '@millrace/runtime/operations.ts';

interface MetricsRequest {
  ask: 'capture metrics';
  id: number;
}

interface MetricsReply {
  answer: 'capture metrics';
  id: number;
  /** Null: they could not be gathered. */
  text: string | null;
}

const waitMsMax = 6_000;

/**
 * In a worker: its own metrics become part of those of all workers, and whichever worker is asked answers for all of
 * them: counters and gauges are sums, as Prometheus wants them of one address.
 */
export function shareMetrics(own: Registry): Exposition {
  // It answers the first process from now on.
  AggregatorRegistry.setRegistries(own);
  const aggregator = new AggregatorRegistry();
  const waiting = new Map<number, (text: string | null) => void>();
  let lastId = 0;
  process.on('message', (message) => {
    if (isReply(message)) waiting.get(message.id)?.(message.text);
  });

  return {
    contentType: aggregator.contentType,
    async metrics() {
      const id = ++lastId;
      const { promise, resolve } = Promise.withResolvers<string | null>();
      waiting.set(id, resolve);
      const late = setTimeout(() => resolve(null), waitMsMax);
      process.send?.({ ask: 'capture metrics', id } satisfies MetricsRequest);
      const text = await promise;
      clearTimeout(late);
      waiting.delete(id);
      // Without the others' figures, our own would look as if counters had gone back.
      if (text === null) throw new Error('the metrics of all workers could not be gathered');
      return text;
    },
  };
}

const createGatherer = () => new AggregatorRegistry();
let gatherer: ReturnType<typeof createGatherer> | undefined;

/** In the first process: gathers the metrics of all workers when this one asks. */
export function answerMetrics(worker: Worker): void {
  const all = (gatherer ??= createGatherer());
  worker.on('message', (message) => {
    if (!isRequest(message)) return;
    const reply = (text: string | null): void => {
      if (worker.isConnected()) worker.send({ answer: 'capture metrics', id: message.id, text } satisfies MetricsReply);
    };
    // A worker that dies meanwhile never answers: then there is no text this time.
    all.clusterMetrics().then(reply, () => reply(null));
  });
}

function isRequest(message: unknown): message is MetricsRequest {
  return typeof message === 'object' && message !== null && 'ask' in message && message.ask === 'capture metrics';
}

function isReply(message: unknown): message is MetricsReply {
  return typeof message === 'object' && message !== null && 'answer' in message && message.answer === 'capture metrics';
}
