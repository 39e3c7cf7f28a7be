import type { Lane } from '@millrace/contracts/lanes.ts';
import { LogUnavailableError, OutcomeUnknownError } from '../../event-log.ts';
import { messageOf } from '../files/files.ts';

/** Failed appends in a row that make the writer unhealthy. Fewer are only errors of their callers. */
const repeatedly = 2;

/** Counts the appends of each lane that failed one after the other, and keeps what the last one said. */
export class FailingLanes {
  readonly #failures = new Map<Lane, { times: number; why: string }>();

  /** Only failures of the log count, not wrong requests. */
  failed(lane: Lane, error: unknown): void {
    if (!(error instanceof LogUnavailableError || error instanceof OutcomeUnknownError)) return;
    this.#failures.set(lane, { times: (this.#failures.get(lane)?.times ?? 0) + 1, why: messageOf(error) });
  }

  succeeded(lane: Lane): void {
    this.#failures.delete(lane);
  }

  clear(): void {
    this.#failures.clear();
  }

  /** Lanes whose last append failed. */
  lanes(): Lane[] {
    return [...this.#failures.keys()];
  }

  /** Why a lane takes nothing at present, or null. */
  get unhealthyReason(): string | null {
    return [...this.#failures.values()].find(({ times }) => times >= repeatedly)?.why ?? null;
  }
}
