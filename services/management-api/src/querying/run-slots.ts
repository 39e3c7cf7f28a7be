import { AppError } from '@millrace/http/errors.ts';
import { createCounts } from './counts.ts';

/** For whom something runs. */
export interface Asker {
  projectId: number;
  /** The key, or the run token, that asks; undefined: nobody's. */
  keyId?: string | undefined;
}

/** How much may run at a time. */
export interface SlotLimits {
  max: number;
  perProjectMax: number;
  /** Of one key in one project, so that no key takes all slots of its project. */
  perKeyMax: number;
}

export interface RunSlots {
  /** Runs the work while it holds one slot. @throws {AppError} throttled or query_capacity when none is free */
  within<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result>;
}

class KeyShareFullError extends AppError {}

/** Whether somebody was refused for what his own key runs: other keys have slots of their own, while a full project or engine refuses all alike. */
export const isOwnShareFull = (error: unknown): boolean => error instanceof KeyShareFullError;

/** Something that slots are counted of, and what somebody is told who finds none left. */
interface Share {
  name: string;
  max: number;
  refusal: (running: number) => AppError;
}

/** What one asker's slot counts against, in the order in which he is told: his own before everybody's. Pure. */
export function sharesOf({ projectId, keyId }: Asker, { max, perProjectMax, perKeyMax }: SlotLimits): Share[] {
  const throttled = (who: string, Refusal: typeof AppError) => (running: number) => new Refusal('throttled', { detail: `This ${who} runs ${running} queries already. Try again when one has ended.`, retryAfterS: 1 });
  return [
    { name: `project:${projectId}`, max: perProjectMax, refusal: throttled('project', AppError) },
    ...(keyId === undefined ? [] : [{ name: `key:${projectId}:${keyId}`, max: perKeyMax, refusal: throttled('key', KeyShareFullError) }]),
    { name: 'all', max, refusal: () => new AppError('query_capacity', { retryAfterS: 2 }) },
  ];
}

/**
 * Bounds the queries of this process that run at a time: a project or a key that has its own share running is told 429, and when
 * the engine's share is full everybody is told 503 (contract/decisions 17). Nobody waits in line.
 */
export function createRunSlots(limits: SlotLimits): RunSlots {
  const running = createCounts<string>();
  return {
    async within(asker, work) {
      const shares = sharesOf(asker, limits);
      for (const { name, max, refusal } of shares) {
        const taken = running.of(name);
        if (taken >= max) throw refusal(taken);
      }
      for (const { name } of shares) running.add(name);
      try {
        return await work();
      } finally {
        for (const { name } of shares) running.remove(name);
      }
    },
  };
}
