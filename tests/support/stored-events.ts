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

const endpoint = 'stored_events';

/** Makes what `storedEvents` asks. */
export const saveStoredEvents = (local: Local): Promise<void> =>
  saveEndpoint(
    local,
    endpoint,
    `SELECT uuid, any(event), any(distinct_id), any(properties), count() FROM events WHERE properties.run = {variables.run} GROUP BY uuid`,
    { run: { code_name: 'run', value: '' } },
  );

/** All events whose property `run` is this, one entry for each uuid. @throws when the API does not answer. */
export async function storedEvents(local: Local, name: string): Promise<StoredEvent[]> {
  const reply = await run(local, endpoint, { variables: { run: name } });
  if (reply.status !== 200) throw new Error(`the events could not be asked for: ${JSON.stringify(reply)}`);
  return (reply.body.results as [string, string, string, string, number][]).map(([uuid, event, distinctId, properties, count]) => ({
    uuid,
    event,
    distinctId,
    properties: typeof properties === 'string' ? (JSON.parse(properties) as Record<string, unknown>) : properties,
    count,
  }));
}
