import type { Kafka, Producer, RecordMetadata } from 'kafkajs';
import { delay } from '@millrace/runtime/clock.ts';
import { LogUnavailableError, OutcomeUnknownError } from '../event-log.ts';
import { retry } from './client.ts';
import { describeError, isFinal, isRejection } from './errors.ts';

/** Records of one partition, in order. */
export interface Batch {
  topic: string;
  partition: number;
  values: readonly Buffer[];
}

const pauseMs = 200;
const closeMsMax = 1_000;

/**
 * Sends batches, one request at a time, and knows what became of each.
 *
 * kafkajs' idempotent producer gives records the numbers by which the broker knows a repetition. What decides the shape of
 * this class is that after a failed request kafkajs goes back to the numbers from before, for all partitions of the
 * request, also for those whose batch the broker has. So the only thing that may follow is the same batches again: the
 * broker drops those that it has already. Anything else could be taken for the repetition, acknowledged and thrown away.
 */
export class Sender {
  readonly #kafka: Kafka;
  readonly #stopping = new AbortController();
  #producer: Promise<Producer> | null = null;
  #failure: string | null = null;

  constructor(kafka: Kafka) {
    this.#kafka = kafka;
  }

  /** Why the request under way is not through yet, or null. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Resolves when it could send. */
  async connect(): Promise<void> {
    await this.#current();
  }

  /**
   * Sends the batches, one of a partition, in one request; tries until the broker has decided or this is closed.
   * Returns for each batch its error, or null when it is in the log. Never rejects. The next call must wait for the
   * result.
   */
  async send(batches: readonly Batch[]): Promise<(Error | null)[]> {
    if (batches.length === 1) return this.#sendAlone(batches[0] as Batch);
    try {
      return await this.#untilDecided(batches);
    } catch (error) {
      if (this.#stopping.signal.aborted) return batches.map(() => outcomeOf(error));
      // The broker does not say which of them it refuses. Sent one by one, it does.
      const outcomes: (Error | null)[] = [];
      for (const batch of batches) outcomes.push(...(await this.#sendAlone(batch)));
      return outcomes;
    }
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    // Does not wait for a broker that is away: no caller waits for a reply any more.
    await Promise.race([this.#giveUp(), delay(closeMsMax)]);
  }

  async #sendAlone(batch: Batch): Promise<(Error | null)[]> {
    try {
      return await this.#untilDecided([batch]);
    } catch (error) {
      // Nobody knows which number comes next: a new producer has numbers of its own.
      if (!isRejection(error)) await this.#giveUp();
      return [outcomeOf(error)];
    }
  }

  /** @throws what the broker decided against them, or, when this is closed, what went wrong last. */
  async #untilDecided(batches: readonly Batch[]): Promise<(Error | null)[]> {
    const topicMessages = messagesOf(batches);
    for (;;) {
      try {
        const producer = await this.#current();
        const reply = await producer.sendBatch({ acks: -1, topicMessages });
        this.#failure = null;
        return outcomesIn(reply, batches);
      } catch (error) {
        this.#failure = describeError(error);
        if (this.#stopping.signal.aborted || isFinal(error)) throw error;
      }
      await delay(pauseMs, this.#stopping.signal);
    }
  }

  #current(): Promise<Producer> {
    this.#producer ??= this.#connect();
    return this.#producer;
  }

  async #connect(): Promise<Producer> {
    const producer = this.#kafka.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
      retry: { ...retry, retries: 3 },
    });
    try {
      await producer.connect();
      return producer;
    } catch (error) {
      this.#producer = null;
      await producer.disconnect();
      throw error;
    }
  }

  async #giveUp(): Promise<void> {
    const old = this.#producer;
    this.#producer = null;
    try {
      await (await old)?.disconnect();
    } catch (error) {
      // It was never connected, or its connection is broken: it is gone either way.
      this.#failure = describeError(error);
    }
  }
}

function messagesOf(batches: readonly Batch[]): { topic: string; messages: { partition: number; value: Buffer }[] }[] {
  const byTopic = new Map<string, { partition: number; value: Buffer }[]>();
  for (const { topic, partition, values } of batches) {
    const messages = byTopic.get(topic) ?? [];
    for (const value of values) messages.push({ partition, value });
    byTopic.set(topic, messages);
  }
  return [...byTopic].map(([topic, messages]) => ({ topic, messages }));
}

/** A batch that the reply does not mention was for a partition that does not exist: kafkajs says nothing else about it. */
function outcomesIn(reply: readonly RecordMetadata[], batches: readonly Batch[]): (Error | null)[] {
  const taken = new Set(
    reply.filter(({ errorCode }) => errorCode === 0).map(({ topicName, partition }) => `${topicName}/${partition}`),
  );
  return batches.map(({ topic, partition }) =>
    taken.has(`${topic}/${partition}`) ? null : new LogUnavailableError(`the broker has no ${topic}/${partition}`),
  );
}

function outcomeOf(error: unknown): Error {
  if (isRejection(error))
    return new LogUnavailableError(`the broker refuses it: ${describeError(error)}`, { cause: error });
  return new OutcomeUnknownError(`the broker has not confirmed it: ${describeError(error)}`, { cause: error });
}
