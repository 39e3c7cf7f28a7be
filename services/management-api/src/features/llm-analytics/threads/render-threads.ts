import type { UnparsedBody } from '@millrace/http/define-route.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { appErrorOf } from '../../../task-error.ts';
import { createThreadPool, type PoolLimits } from '@millrace/runtime/threads/thread-pool.ts';
import type { StoredKey } from '../summaries/prepare-stored.ts';
import type { PreparedSummary } from '../summaries/summarize.ts';
import { createHeldBytes } from './held-bytes.ts';
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
  /** Takes a place for a stored trace, before it is read. @throws {AppError} unavailable */
  reserve(asker: Asker): TracePlace;
  /** Ends the threads; waiting tasks fail. */
  close(): Promise<void>;
}

/** A place for one stored trace. It is given back when its task has ended. */
interface TracePlace {
  /** Takes room for so many bytes of the trace, all that was taken before included. @throws {AppError} unavailable when memory for traces is full */
  hold(bytes: number): void;
  /** As `prepareStored` of a trace that `packTrace` has packed. */
  prepareStored(task: StoredSummaryTask): Promise<PreparedSummary>;
  /** As `tracePageBytes` of a trace that `packTrace` has packed. */
  tracePage(traceId: string, packed: Uint8Array): Promise<Uint8Array>;
  /** Gives place and room back. */
  free(): void;
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

/** Limits of the threads, and of stored traces that wait for them or are in them. */
interface RenderLimits extends PoolLimits {
  /** Most bytes of traces, all together and of one organization; the largest trace has 64 MiB. While a trace is read it is in memory twice. */
  traceBytesMax: number;
  traceBytesPerOrganizationMax: number;
}

const usual: RenderLimits = {
  threads: 2,
  taskMsMax: 20_000,
  heapMbMax: 1536,
  youngHeapMbMax: 64,
  waitingMax: 16,
  waitingPerOwnerMax: 8,
  restFactor: 0,
  traceBytesMax: 268_435_456,
  traceBytesPerOrganizationMax: 134_217_728,
};

/** `onEnded` gets the reason why a task was ended before it was done. */
export function createRenderThreads(
  onEnded: (reason: 'time' | 'memory') => void,
  given: Partial<RenderLimits> = {},
): RenderThreads {
  const limits = { ...usual, ...given };
  const traceBytes = createHeldBytes(limits.traceBytesMax, limits.traceBytesPerOrganizationMax);
  const pool = createThreadPool<RenderTask, RenderOutcome>(
    {
      module: new URL('./render-worker.ts', import.meta.url),
      transferOf: ({ body }) => [body.bytes.buffer],
      full: tooMany,
      ended(reason) {
        onEnded(reason);
        return new AppError('request_too_large', {
          detail: `The text of this data takes too ${reason === 'time' ? 'long' : 'much memory'} to make. Send less data.`,
        });
      },
      closed: () => new AppError('unavailable'),
    },
    limits,
  );

  const run = async <Kind extends OutcomeKind>(kind: Kind, task: RenderTask, { organizationId, signal }: Asker) =>
    partOf(kind, await pool.run(task, organizationId, signal));

  function reserve({ organizationId, signal }: Asker): TracePlace {
    signal.throwIfAborted();
    const place = pool.reserve(organizationId);
    let held = 0;
    const runHere = async <Kind extends OutcomeKind>(kind: Kind, task: RenderTask) =>
      partOf(kind, await place.run(task, signal));
    return {
      hold(bytes) {
        if (bytes <= held) return;
        if (!traceBytes.take(organizationId, bytes - held)) throw tooMany();
        held = bytes;
      },
      prepareStored: ({ key, packed, textLengthMax }) =>
        runHere('prepared', { kind: 'stored summary', key, textLengthMax, body: bodyOf(packed) }),
      tracePage: (traceId, packed) => runHere('text', { kind: 'trace page', traceId, body: bodyOf(packed) }),
      free() {
        traceBytes.giveBack(organizationId, held);
        held = 0;
        place.free();
      },
    };
  }

  return {
    text: (body, asker) => run('text', { kind: 'text', body: ownBody(body) }, asker),
    readRequest: (body, asker) => run('read', { kind: 'request', body: ownBody(body) }, asker),
    prepare: (body, textLengthMax, asker) =>
      run('prepared', { kind: 'summary', body: ownBody(body), textLengthMax }, asker),
    reserve,
    close: () => pool.close(),
  };
}

type OutcomeKind = 'text' | 'read' | 'prepared';

/** @throws {AppError} the error of the task */
function partOf<Kind extends OutcomeKind>(
  kind: Kind,
  outcome: RenderOutcome,
): Extract<RenderOutcome, Record<Kind, unknown>>[Kind] {
  if ('error' in outcome) throw appErrorOf(outcome.error);
  return (outcome as Extract<RenderOutcome, Record<Kind, unknown>>)[kind];
}

function tooMany(): AppError {
  return new AppError('unavailable', {
    detail: 'Too many texts of large data are waiting to be made. Try again shortly.',
    retryAfterS: 1,
  });
}

const bodyOf = (bytes: Uint8Array): RenderTask['body'] => ownBody({ bytes, contentType: undefined });

/** A body with a buffer of its own. Large bodies of requests have one: nothing is copied then. */
function ownBody({ bytes, contentType }: UnparsedBody): RenderTask['body'] {
  const { buffer } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  // A `Buffer` arrives as a plain array.
  return { bytes: isOwn ? (bytes as OwnBytes) : new Uint8Array(bytes), contentType };
}
