import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

/** An event as its client knows it. */
export interface SentEvent {
  uuid: string;
  projectId: number;
  distinctId: string;
  /** Counts the events of this distinct id in this project, from 1. */
  number: number;
  /** It sets the person's property `number` to its own. */
  sets: boolean;
  /** Milliseconds since 1970. */
  firstSentMs: number;
  /** When it was answered with 200; null: it never was, so it may be there or not. */
  ackedMs: number | null;
}

/** One request that carried the event: the HTTP status, or what became of the connection. */
interface Attempt {
  uuid: string;
  status: number | string;
  sentMs: number;
  tookMs: number;
}

/** The clients' knowledge of their events: every send and its reply. */
export interface Ledger {
  readonly file: string;
  events(): SentEvent[];
  readonly sentCount: number;
  readonly ackedCount: number;
  /** Attempts by status or failure. */
  readonly responses: ReadonlyMap<number | string, number>;
  /** When an event was acknowledged last. */
  readonly lastAckMs: number;
  begin(event: Omit<SentEvent, 'firstSentMs' | 'ackedMs'>): void;
  attempt(attempt: Attempt): void;
  close(): Promise<void>;
}

/** Writes every event and attempt to the file too, a line of JSON each. */
export function openLedger(file: string): Ledger {
  const lines = createWriteStream(file, { mode: 0o600 });
  const events = new Map<string, SentEvent>();
  const responses = new Map<number | string, number>();
  let ackedCount = 0;
  let lastAckMs = 0;
  return {
    file,
    responses,
    events: () => [...events.values()],
    get sentCount() {
      return events.size;
    },
    get ackedCount() {
      return ackedCount;
    },
    get lastAckMs() {
      return lastAckMs;
    },
    begin(event) {
      events.set(event.uuid, { ...event, firstSentMs: Date.now(), ackedMs: null });
      lines.write(`${JSON.stringify(event)}\n`);
    },
    attempt(attempt) {
      responses.set(attempt.status, (responses.get(attempt.status) ?? 0) + 1);
      lines.write(`${JSON.stringify(attempt)}\n`);
      const event = events.get(attempt.uuid);
      if (event === undefined) throw new Error(`the ledger does not know ${attempt.uuid}`);
      if (attempt.status !== 200 || event.ackedMs !== null) return;
      event.ackedMs = lastAckMs = attempt.sentMs + attempt.tookMs;
      ackedCount++;
    },
    async close() {
      lines.end();
      await once(lines, 'close');
    },
  };
}
