import { expect } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { run, saveEndpoint } from './api.ts';
import type { Local } from './launcher.ts';

const endpoint = 'uuids_by_event';

/** Makes the query of `expectAllOnce`. */
export const saveUuids = (local: Local): Promise<void> =>
  saveEndpoint(local, endpoint, 'SELECT uuid, count() FROM events WHERE event = {variables.event} GROUP BY uuid', {
    event: { code_name: 'event', value: '' },
  });

/** Every acknowledged event of this name is there, or comes before the deadline; and nothing of that name is there twice. */
export async function expectAllOnce(
  local: () => Local,
  event: string,
  acknowledged: readonly string[],
  deadlineMs: number,
): Promise<void> {
  await eventually(
    async () => {
      const rows = (await run(local(), endpoint, { variables: { event } })).body.results as [string, number][];
      const counts = new Map(rows);
      expect(acknowledged.filter((uuid) => !counts.has(uuid))).toEqual([]);
      expect(rows.filter(([, count]) => count !== 1)).toEqual([]);
    },
    { deadlineMs },
  );
}
