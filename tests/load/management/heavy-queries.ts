import { saveEndpoint } from '../../support/api.ts';
import type { Local } from '../../support/system.ts';
import { generatedEvent } from '../generated-events.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Queries that keep ClickHouse busy for seconds: functions over texts, many groups, many distinct values, a sort of everything. */
const queries: Readonly<Record<string, string>> = {
  heavy_group: `SELECT lower(arrayStringConcat(arrayMap(n -> replaceRegexpAll(properties.$current_url, '[aeiou]+', toString(n)), range(10)), ' ')) AS pages, count() AS events, uniqExact(properties.$insert_id) AS ids
    FROM events WHERE event = '${generatedEvent}' GROUP BY pages ORDER BY events DESC, pages LIMIT 100`,
  heavy_uniq: `SELECT properties.city AS city, uniqExact(arrayStringConcat(arrayMap(n -> upper(concat(replaceRegexpAll(properties.$referrer, '[0-9]', toString(n)), properties.$device_id)), range(10)))) AS ids
    FROM events WHERE event = '${generatedEvent}' GROUP BY city ORDER BY city`,
  heavy_sort: `SELECT max(place) AS last FROM (SELECT row_number() OVER (PARTITION BY device ORDER BY id) AS place
    FROM (SELECT reverse(properties.$device_id) AS device, arrayStringConcat(arrayMap(n -> lower(concat(properties.$insert_id, toString(n))), range(10))) AS id FROM events WHERE event = '${generatedEvent}'))`,
};

/** A project that runs such queries, one at a time. */
export interface HeavyProject {
  /** Gives the query up that runs. @throws what one of them failed of */
  stop(): Promise<void>;
}

/** Saves the queries in a project. */
export async function saveHeavyQueries({ local }: SystemUnderTest, projectId: number): Promise<void> {
  for (const [name, text] of Object.entries(queries)) await saveEndpoint(local, name, text, undefined, projectId);
}

/** Runs them one after the other, for ever. */
export function keepBusy({ local }: SystemUnderTest, projectId: number): HeavyProject {
  const stop = new AbortController();
  const work = async (): Promise<void> => {
    for (;;) await runEach(local, projectId, stop.signal);
  };
  const working = work().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  working.catch(() => undefined); // thrown by `stop`
  return {
    async stop() {
      stop.abort();
      await working;
    },
  };
}

/** Seconds until each of the projects has run each of the queries once, all projects at a time. */
export async function secondsOfAll(
  { local }: SystemUnderTest,
  projectIds: readonly number[],
  stop: AbortSignal,
): Promise<number> {
  const begun = performance.now();
  await Promise.all(projectIds.map((projectId) => runEach(local, projectId, stop)));
  return (performance.now() - begun) / 1000;
}

async function runEach(local: Local, projectId: number, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${local.personalApiKey}`, 'content-type': 'application/json' };
  for (const name of Object.keys(queries)) {
    const reply = await fetch(`${local.apiUrl}/api/projects/${projectId}/endpoints/${name}/run`, {
      method: 'POST',
      headers,
      body: '{"refresh":"force"}',
      signal,
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${name}: the API answered ${reply.status}: ${text.slice(0, 500)}`);
  }
}
