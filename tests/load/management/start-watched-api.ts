import { readFileSync } from 'node:fs';
import { freePort } from '@millrace/engines/ports.ts';
import { type Child, startChild } from '../child.ts';
import { createHttpClient, type HttpClient } from '../http-client.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Order to the watched process. It reports what it has seen since the order to watch. `delays`: by a timer, in an event loop that may rest. */
export interface WatchOrder {
  what: 'start' | 'watch' | 'delays' | 'say';
}

/** The longest time that the event loop was held in one turn. */
export interface LongestTurn {
  /** CPU of its thread: what our work takes, system calls included. */
  cpuMs: number;
  /** By the clock: what others took of the core meanwhile (ClickHouse, the bench) is in it. */
  wallMs: number;
  /** How late a timer of each millisecond was, after the order for delays. */
  delayP99Ms: number;
  delayMaxMs: number;
}

/** A second process of the API, on the same data, with the settings that the launcher gave to the first, and more. */
export async function startWatchedApi(
  system: SystemUnderTest,
  more: Readonly<Record<string, string>> = {},
): Promise<{ child: Child; http: HttpClient }> {
  const [pid = 0] = system.pidsOf('management-api');
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((line) => line.includes('=') && !line.startsWith('NODE_CHANNEL'));
  const settings = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const port = await freePort();
  const child = startChild('management/watched-api.ts', {
    ...settings,
    API_PORT: String(port),
    OPERATIONS_PORT: '0',
    LOG_LEVEL: 'error',
    ...more,
  });
  await reportTurns(child, { what: 'start' });
  const { hostname } = new URL(system.local.apiUrl);
  return { child, http: createHttpClient(`http://${hostname}:${port}`) };
}

/** Gives an order. Returns what the process has seen. */
export async function reportTurns(child: Child, order: WatchOrder): Promise<LongestTurn> {
  child.post(order);
  return await child.result<LongestTurn>();
}
