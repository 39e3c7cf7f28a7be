// How long a trace, and an event of it, takes by its id (npm run bench -- llm): the functions that the routes call, one call after the other, on
// the engine that the bench names.
import { findGeneration } from '../features/llm-analytics/traces/find-generation.ts';
import { findTraceEvents } from '../features/llm-analytics/traces/find-trace-events.ts';
import { momentAt } from '../queries/insights/dates/moments.ts';
import { openTenantEngine } from './open-tenant-engine.ts';

interface Order {
  url: string;
  user: string;
  password: string;
  /** Headers that open the rows of the project. */
  headers: Readonly<Record<string, string>>;
  projectId: number;
  traces: readonly string[];
  warmUp: number;
  eventsOfTrace: number;
  days: number;
}

async function measure({ url, user, password, headers, ...order }: Order) {
  const { engine, close } = openTenantEngine({ url, tenant: { username: user, password } }, () => headers);
  const now = Date.now();
  const window = { from: momentAt(now - order.days * 86_400_000), to: momentAt(now) };
  const reader = {
    teamId: order.projectId,
    organizationId: 'bench',
    keyId: undefined,
    signal: new AbortController().signal,
  };
  const found: { traceMs: number; eventMs: number }[] = [];
  for (const traceId of order.traces) {
    const begun = performance.now();
    const trace = await findTraceEvents({ tenantEngine: engine }, { traceId, window }, reader);
    const between = performance.now();
    if (trace?.events.length !== order.eventsOfTrace) throw new Error(`${traceId} is not there, or not whole`);
    const uuid = trace.events.at(-1)?.uuid ?? '';
    const event = await findGeneration({ tenantEngine: engine }, { uuid, window }, reader);
    if (event?.uuid !== uuid) throw new Error(`${uuid} is not there`);
    found.push({ traceMs: between - begun, eventMs: performance.now() - between });
  }
  await close();
  const measured = found.slice(order.warmUp);
  return { traceMs: measured.map(({ traceMs }) => traceMs), eventMs: measured.map(({ eventMs }) => eventMs) };
}

process.once('message', (order: Order) => {
  measure(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      throw error;
    },
  );
});
process.on('disconnect', () => process.exit(0));
