import { AppError } from '@millrace/http/errors/errors.ts';
import type { ChangeBatch } from '@millrace/postgres/change.ts';
import type { ProjectAccess } from '../../auth/granted-access.ts';

/** A name that a caller gives a query of their own: the same name of another user, or in another project, is another query. */
export interface QueryName {
  projectId: number;
  userId: number;
  clientQueryId: string;
}

/**
 * Name that the caller gave the query; null: the query has no name. Queries of run tokens have none.
 * Pure.
 */
export function queryNameOf(
  { project, caller, runToken }: ProjectAccess,
  clientQueryId: string | null,
): QueryName | null {
  return clientQueryId === null || runToken !== undefined
    ? null
    : { projectId: project.id, userId: caller.userId, clientQueryId };
}

/** Notifies all processes that a query shall end. */
type NotifyOthers = (name: QueryName, sender: string) => Promise<unknown>;

/** Queries that run in this process under a name of their caller's, and can be cancelled by it. */
export interface RunningQueries {
  /**
   * Runs the work with a signal that also aborts when the query is cancelled. A query without a name cannot be cancelled. The work may
   * ignore the signal.
   * @throws {AppError} query_cancelled; what the work throws
   */
  run<Result>(
    name: QueryName | null,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
  /** Ends the queries of this name in every process. It is no error when there are none. */
  cancel(name: QueryName): Promise<void>;
  /** Ends queries for which another process got the request to cancel. */
  onChange(batch: ChangeBatch): void;
}

/** `sender`: names this process among those that read the change feed. */
export function createRunningQueries(sender: string, notifyOthers: NotifyOthers): RunningQueries {
  const running = new Map<string, Set<AbortController>>();

  function end(name: QueryName): void {
    for (const one of running.get(keyOf(name)) ?? []) one.abort(new AppError('query_cancelled'));
  }

  function enter(name: QueryName, stop: AbortController): () => void {
    const key = keyOf(name);
    const same = running.get(key) ?? new Set();
    running.set(key, same.add(stop));
    return () => {
      same.delete(stop);
      if (same.size === 0 && running.get(key) === same) running.delete(key);
    };
  }

  return {
    async run(name, signal, work) {
      if (name === null) return await work(signal);
      const stop = new AbortController();
      const leave = enter(name, stop);
      try {
        return await work(AbortSignal.any([signal, stop.signal]));
      } catch (error) {
        // The work may throw an error of its own; the caller gets the reason of the abort.
        throw stop.signal.aborted ? stop.signal.reason : error;
      } finally {
        leave();
      }
    },
    async cancel(name) {
      end(name);
      await notifyOthers(name, sender);
    },
    onChange(batch) {
      // Missed requests are not known, so their queries run on, at most to their time limit.
      if (batch === 'everything') return;
      for (const { topic, projectId, keys } of batch) {
        const [userId, clientQueryId, from] = keys;
        // A query that began under the same name after this process got the request is another one.
        if (topic !== 'query_cancelled' || projectId === null || clientQueryId === undefined || from === sender)
          continue;
        end({ projectId, userId: Number(userId), clientQueryId });
      }
    },
  };
}

function keyOf({ projectId, userId, clientQueryId }: QueryName): string {
  return `${projectId} ${userId} ${clientQueryId}`;
}
