import { run, saveEndpoint } from './api.ts';
import type { Local } from './launcher.ts';

/** An event as queries see it. */
export interface StoredEvent {
  uuid: string;
  event: string;
  distinctId: string;
  properties: Record<string, unknown>;
  /** Rows with this uuid. */
  count: number;
}

const byRun = 'events_by_run';
const byPerson = 'events_by_person';

/** Makes the queries of the others here. */
export async function saveStoredEvents(local: Local): Promise<void> {
  const variable = (name: string) => ({ [name]: { code_name: name, value: '' } });
  const events =
    'SELECT uuid, any(event), any(distinct_id), any(properties), count() FROM events WHERE properties.run = {variables.run} GROUP BY uuid';
  await saveEndpoint(local, byRun, events, variable('run'));
  const counts = 'SELECT event, count() FROM events WHERE distinct_id = {variables.id} GROUP BY event ORDER BY event';
  await saveEndpoint(local, byPerson, counts, variable('id'));
}

/** All events whose property `run` is this, one entry for each uuid. @throws when the API does not respond. */
export async function storedEvents(local: Local, name: string): Promise<StoredEvent[]> {
  const reply = await run(local, byRun, { variables: { run: name } });
  if (reply.status !== 200) throw new Error(`the events could not be asked for: ${JSON.stringify(reply)}`);
  return (reply.body.results as [string, string, string, string, number][]).map(
    ([uuid, event, distinctId, properties, count]) => ({
      uuid,
      event,
      distinctId,
      properties: typeof properties === 'string' ? (JSON.parse(properties) as Record<string, unknown>) : properties,
      count,
    }),
  );
}

/** How many events of each name have this distinct id, by name. */
export async function countsOf(local: Local, distinctId: string): Promise<[string, number][]> {
  return (await run(local, byPerson, { variables: { id: distinctId } })).body.results as [string, number][];
}
