import { delay } from '@millrace/runtime/clock.ts';
import type { Project } from '../rig/projects.ts';

/** Wait after a refusal, in milliseconds; SDKs do not wait so long. */
const refusedMs = 20;

/**
 * Repeats a request, a number at a time and with `pauseMs` after each, until it is ended; then it returns the counts of
 * each reply.
 */
export function repeatRequests(
  atATime: number,
  send: (signal: AbortSignal) => Promise<Response>,
  pauseMs = 0,
): { end(): string } {
  const over = new AbortController();
  const responses = new Map<string, number>();
  const count = (response: string): void => void responses.set(response, (responses.get(response) ?? 0) + 1);
  const client = async (): Promise<void> => {
    while (!over.signal.aborted) {
      try {
        const reply = await send(over.signal);
        await reply.arrayBuffer();
        count(String(reply.status));
        await delay(Math.max(pauseMs, reply.ok ? 0 : refusedMs), over.signal);
      } catch (error) {
        if (over.signal.aborted) return;
        count(error instanceof Error ? error.name : 'cut off');
        await delay(refusedMs, over.signal);
      }
    }
  };
  for (let one = 0; one < atATime; one++) void client();
  return {
    end() {
      over.abort();
      return `answers ${[...responses].map(([result, times]) => `${result}: ${times}`).join(', ')}`;
    },
  };
}

/** Queries each project in turn with the next statement, as a query that is not saved. */
export function runQuery(
  apiUrl: string,
  projects: readonly Project[],
  statements: readonly string[],
): (signal: AbortSignal) => Promise<Response> {
  let requested = 0;
  return (signal) => {
    const { id, key } = projects[requested % projects.length] as Project;
    const query = statements[Math.floor(requested++ / projects.length) % statements.length];
    return fetch(`${apiUrl}/api/projects/${id}/query`, {
      method: 'POST',
      signal,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: { kind: 'HogQLQuery', query } }),
    });
  };
}
