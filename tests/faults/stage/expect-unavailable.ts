import { delay } from '@millrace/runtime/clock.ts';
import { residentMb } from '../../support/processes.ts';
import type { Stage } from './scenario.ts';

/** Capture answers after a second; the rest is for a busy machine. */
const replyMsMax = 2_000;
const memoryMbMax = 250;
const betweenMs = 500;
/** Time for work that runs when the log goes away. */
const graceMs = 10_000;

/**
 * Sends capture requests for `forMs`, while its log takes nothing: after a grace of 10 s each reply is a 503 that names
 * when to try again, within 2 s; it is alive and not ready, and its processes stay small. The events that it sends are
 * of a third project.
 */
export async function expectUnavailable(
  { rig: { capture, newProjects }, wrong, note }: Stage,
  forMs: number,
): Promise<void> {
  const [project] = await newProjects(1);
  let refused = 0;
  let slowestMs = 0;
  for (const sinceMs = Date.now(); Date.now() - sinceMs < forMs; await delay(betweenMs)) {
    const requestedMs = Date.now();
    const body = JSON.stringify({
      api_key: project?.token,
      event: 'asked',
      distinct_id: 'd',
      properties: { text: 'x'.repeat(10_000) },
    });
    const reply = await fetch(`${capture.url}/i/v0/e/`, { method: 'POST', body, signal: AbortSignal.timeout(15_000) });
    await reply.arrayBuffer();
    if (requestedMs - sinceMs < graceMs) continue;
    const tookMs = Date.now() - requestedMs;
    slowestMs = Math.max(slowestMs, tookMs);
    if (reply.status === 503 && reply.headers.get('retry-after') !== null && tookMs < replyMsMax) refused++;
    else wrong(`while the log was away capture answered ${reply.status} after ${tookMs} ms`);
  }
  const [ready, alive] = await Promise.all(
    ['_readiness', '_liveness'].map(async (path) => (await fetch(`${capture.url}/${path}`)).status),
  );
  if (ready !== 503 || alive !== 200)
    wrong(`while the log was away capture said ${ready} of its readiness and ${alive} of being alive`);
  const largestMb = Math.max(...capture.pids.map(residentMb));
  if (largestMb > memoryMbMax) wrong(`capture took ${Math.round(largestMb)} MB while the log was away`);
  if (refused > 0)
    note(
      `${refused} refusals while away, the slowest after ${slowestMs} ms; capture at most ${Math.round(largestMb)} MB`,
    );
}
