import type { UnparsedBody } from '@millrace/http/define-route.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { appErrorOf } from '../../../threads/task-error.ts';
import { createThreadPool, type PoolLimits } from '../../../threads/thread-pool.ts';
import type { StoredKey } from '../summaries/prepare-stored.ts';
import type { PreparedSummary } from '../summaries/summarize.ts';
import type { OwnBytes, ReadRequest, RenderOutcome, RenderTask } from './render-task.ts';

/**
 * Threads that make texts of large data. The event loop is free meanwhile. Bodies are handed over: their bytes are gone from the caller's thread.
 * All methods throw what the work does; unavailable when too many tasks wait; request_too_large for too much time or memory.
 */
export interface RenderThreads {
  /** As `answerBytes`. */
  text(body: UnparsedBody, asker: Asker): Promise<Uint8Array>;
  /** As `readSummaryRequest`, without the data, and with the bytes of the body. */
  readRequest(body: UnparsedBody, asker: Asker): Promise<ReadRequest>;
  /** As `prepareSummary` of the data of a body. */
  prepare(body: UnparsedBody, textLengthMax: number, asker: Asker): Promise<PreparedSummary>;
  /** As `prepareStored` of a trace that `packTrace` has packed. */
  prepareStored(task: StoredSummaryTask, asker: Asker): Promise<PreparedSummary>;
  /** As `tracePageBytes` of a trace that `packTrace` has packed. */
  tracePage(traceId: string, packed: Uint8Array, asker: Asker): Promise<Uint8Array>;
  /** Ends the threads; waiting tasks fail. */
  close(): Promise<void>;
}

interface StoredSummaryTask {
  readonly key: StoredKey;
  readonly packed: Uint8Array;
  readonly textLengthMax: number;
}

/** Organizations take turns. A request whose client has gone does not wait any more. */
interface Asker {
  readonly organizationId: string;
  readonly signal: AbortSignal;
}

const usual: PoolLimits = {
  threads: 2,
  taskMsMax: 20_000,
  heapMbMax: 1536,
  youngHeapMbMax: 64,
  waitingMax: 16,
  waitingPerOrganizationMax: 8,
  restFactor: 0,
};

/** `onEnded` gets the reason why a task was ended before it was done. */
export function createRenderThreads(
  onEnded: (reason: 'time' | 'memory') => void,
  limits: Partial<PoolLimits> = {},
): RenderThreads {
  const pool = createThreadPool<RenderTask, RenderOutcome>(
    {
      module: new URL('./render-worker.ts', import.meta.url),
      transferOf: ({ body }) => [body.bytes.buffer],
      full: () =>
        new AppError('unavailable', {
          detail: 'Too many texts of large data are waiting to be made. Try again shortly.',
          retryAfterS: 1,
        }),
      ended(reason) {
        onEnded(reason);
        return new AppError('request_too_large', {
          detail: `The text of this data takes too ${reason === 'time' ? 'long' : 'much memory'} to make. Send less data.`,
        });
      },
    },
    { ...usual, ...limits },
  );

  async function run<Kind extends 'text' | 'read' | 'prepared'>(
    kind: Kind,
    task: RenderTask,
    { organizationId, signal }: Asker,
  ): Promise<Extract<RenderOutcome, Record<Kind, unknown>>[Kind]> {
    const outcome = await pool.run(task, organizationId, signal);
    if ('error' in outcome) throw appErrorOf(outcome.error);
    return (outcome as Extract<RenderOutcome, Record<Kind, unknown>>)[kind];
  }

  return {
    text: (body, asker) => run('text', { kind: 'text', body: ownBody(body) }, asker),
    readRequest: (body, asker) => run('read', { kind: 'request', body: ownBody(body) }, asker),
    prepare: (body, textLengthMax, asker) =>
      run('prepared', { kind: 'summary', body: ownBody(body), textLengthMax }, asker),
    prepareStored: ({ key, packed, textLengthMax }, asker) => {
      const body = ownBody({ bytes: packed, contentType: undefined });
      return run('prepared', { kind: 'stored summary', key, textLengthMax, body }, asker);
    },
    tracePage: (traceId, bytes, asker) =>
      run('text', { kind: 'trace page', traceId, body: ownBody({ bytes, contentType: undefined }) }, asker),
    close: () => pool.close(),
  };
}

/** A body with a buffer of its own. Large bodies of requests have one: nothing is copied then. */
function ownBody({ bytes, contentType }: UnparsedBody): RenderTask['body'] {
  const { buffer } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  // A `Buffer` arrives as a plain array.
  return { bytes: isOwn ? (bytes as OwnBytes) : new Uint8Array(bytes), contentType };
}
