import type { Kafka, Producer, RecordMetadata } from 'kafkajs';
import { delay } from '@millrace/runtime/clock.ts';
import { LogUnavailableError, OutcomeUnknownError } from '../event-log.ts';
import { retry } from './client.ts';
import { describeError, isFinal, isRefusal } from './errors.ts';

/** Records of one partition, in order. */
export interface Batch {
  topic: string;
  partition: number;
  values: readonly Buffer[];
}

const pauseMs = 200;

/**
 * Sends batches, one request at a time, and knows what became of each.
 *
 * kafkajs' idempotent producer gives records the numbers by which the broker knows a repetition. Two things about it
 * decide the shape of this class:
 * - After a failed request it goes back to the numbers from before, for all partitions of the request. So the only thing
 *   that may follow is the very same request: the broker then drops what it has already. Anything else could be taken for
 *   the repetition, acknowledged and thrown away.
 * - When the broker refuses one batch for good, others of the same request may be written, and their numbers are wrong from
 *   then on. So after a refusal the producer is given up for a new one, with numbers of its own.
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
   * Sends the batches, one of a partition, in one request; tries until the broker has decided or this is closed. Answers
   * for each batch: null when it is in the log. Never rejects. The next call must wait for the answer.
   */
  async send(batches: readonly Batch[]): Promise<(Error | null)[]> {
    const error = await this.#sendWhole(batches);
    if (error === null) return batches.map(() => null);
    if (batches.length === 1 || this.#stopping.signal.aborted) return batches.map(() => outcomeOf(error));
    // Which of them the broker refused is not told. Those that it took are there twice then: the same uuids, which is allowed.
    const outcomes: (Error | null)[] = [];
    for (const batch of batches) {
      const alone = await this.#sendWhole([batch]);
      outcomes.push(alone === null ? null : outcomeOf(alone));
    }
    return outcomes;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#giveUp();
  }

  /** Null when the broker has all of it; else what it said, or why nobody knows. */
  async #sendWhole(batches: readonly Batch[]): Promise<Error | null> {
    const topicMessages = messagesOf(batches);
    for (;;) {
      try {
        const producer = await this.#current();
        // A reply that lacks a batch is how kafkajs says that there is no such partition.
        const lacking = lacks(await producer.sendBatch({ acks: -1, topicMessages }), batches);
        this.#failure = null;
        if (lacking === null) return null;
        await this.#giveUp();
        return new LogUnavailableError(`the broker has not taken ${lacking.topic}/${lacking.partition}`);
      } catch (error) {
        this.#failure = describeError(error);
        const isOver = this.#stopping.signal.aborted;
        if (isOver || isFinal(error)) {
          await this.#giveUp();
          return isOver ? new OutcomeUnknownError('the event log was closed', { cause: error }) : (error as Error);
        }
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
      createPartitioner: () => ({ message }) => message.partition ?? 0,
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

  /** The next request has a new producer. */
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

function lacks(reply: readonly RecordMetadata[], batches: readonly Batch[]): Batch | null {
  const found = new Set(reply.filter(({ errorCode }) => errorCode === 0).map(({ topicName, partition }) => `${topicName}/${partition}`));
  return batches.find(({ topic, partition }) => !found.has(`${topic}/${partition}`)) ?? null;
}

function outcomeOf(error: Error): Error {
  if (error instanceof LogUnavailableError || error instanceof OutcomeUnknownError) return error;
  if (isRefusal(error)) return new LogUnavailableError(`the broker refuses it: ${describeError(error)}`, { cause: error });
  return new OutcomeUnknownError(`the broker answered ${describeError(error)}`, { cause: error });
}
