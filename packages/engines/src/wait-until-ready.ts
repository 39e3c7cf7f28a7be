import { setTimeout as sleep } from 'node:timers/promises';
import { EngineStartError } from './engine-error.ts';
import type { EngineProcess } from './engine-process.ts';

export interface ReadinessOptions {
  /** True when the engine responds; throws only for errors that waiting cannot repair. */
  isReady: () => Promise<boolean>;
  deadlineMs: number;
  /** Advice for a failed start, as a sentence. */
  advice: string;
  /** Calls the start off. */
  signal?: AbortSignal | undefined;
}

/** Between two checks whether it responds. */
const betweenMs = 20;

/**
 * Resolves when the engine responds.
 * @throws {EngineStartError} when it ends, the deadline passes or the signal aborts first; then it is stopped.
 */
export async function waitUntilReady(engine: EngineProcess, options: ReadinessOptions): Promise<void> {
  const { deadlineMs, advice, signal } = options;
  const deadline = performance.now() + deadlineMs;
  let ended: string | undefined;
  void engine.exited.then(({ code, signal }) => {
    ended = `it ended with ${signal ?? `code ${code}`}.`;
  });
  while (performance.now() < deadline) {
    if (ended !== undefined || signal?.aborted) break;
    if (await isReadyOrStop(engine, options)) return;
    await sleep(betweenMs);
  }
  await engine.stop(2_000);
  const reason =
    ended ??
    (signal?.aborted ? 'it was told to stop.' : undefined) ??
    `it gave no response within ${Math.round(deadlineMs / 1000)} s.`;
  throw new EngineStartError(engine.name, reason, advice, { logTail: engine.logTail() });
}

async function isReadyOrStop(engine: EngineProcess, { isReady }: ReadinessOptions): Promise<boolean> {
  try {
    return await isReady();
  } catch (error) {
    await engine.stop(2_000);
    throw error;
  }
}
