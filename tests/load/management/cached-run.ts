import { run, saveEndpoint } from '../../support/api.ts';
import { type Child, startChild } from '../child.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

const text = `SELECT properties.city AS city, count() AS events, round(sum(toFloat(properties.amount)), 2) AS amount
  FROM events WHERE properties.plan = {variables.plan} GROUP BY city ORDER BY city LIMIT 50`;
const variables = { plan: 'pro' };

/** A server that answers one ready-made request. */
export interface Server {
  port: number;
  head: Buffer;
  body: Buffer;
  /** CPU that it has used so far. */
  cpuSeconds: () => number;
}

/** A run whose rows are cached, at the API and at a server that does nothing but answer the same bytes. */
export interface CachedRun {
  us: Server;
  bare: Server;
  replyBytes: number;
  /** Ends the bare server. */
  stop: () => Promise<void>;
}

/** Saves the endpoint, brings its rows into the cache, starts the bare server. @throws when the rows are not cached, or not 50 */
export async function startCachedRun(system: SystemUnderTest): Promise<CachedRun> {
  const { local } = system;
  await saveEndpoint(local, 'by_city', text, { plan: { code_name: 'plan', value: 'none' } });
  const reply = await keptReply(system);
  const child: Child = startChild('management/same-bytes-server.ts');
  child.post({ reply });
  const { port } = await child.result<{ port: number }>();
  const path = `/api/projects/${local.projectId}/endpoints/by_city/run`;
  return {
    us: {
      ...requestTo(Number(new URL(local.apiUrl).port), path, local.personalApiKey),
      cpuSeconds: () => system.cpuByProcess()['management-api'],
    },
    bare: { ...requestTo(port, '/', local.personalApiKey), cpuSeconds: child.cpuSeconds },
    replyBytes: reply.length,
    stop: () => child.stop(),
  };
}

async function keptReply({ local }: SystemUnderTest): Promise<Buffer> {
  await run(local, 'by_city', { variables, refresh: 'cache' });
  const { status, body } = await run(local, 'by_city', { variables, refresh: 'cache' });
  if (status !== 200 || body.results.length !== 50 || !(body as { is_cached?: boolean }).is_cached)
    throw new Error(`a run was not answered from the cache: ${JSON.stringify(body).slice(0, 300)}`);
  return Buffer.from(JSON.stringify(body));
}

function requestTo(port: number, path: string, key: string): Omit<Server, 'cpuSeconds'> {
  const body = Buffer.from(JSON.stringify({ variables }));
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  return { port, head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body };
}
