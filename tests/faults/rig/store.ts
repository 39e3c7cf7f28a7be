import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { personKey, type Stored } from '../ledger/settle.ts';

/** ClickHouse itself, as its administrator and not by way of the line. */
export interface Store {
  /** Rows of a result. @throws when ClickHouse cannot be reached or refuses. */
  rows<Row>(query: string, params?: Record<string, unknown>): Promise<Row[]>;
  command(query: string): Promise<void>;
  /** Different events of these projects, of those that capture received before that moment. */
  count(projectIds: readonly number[], beforeMs?: number): Promise<number>;
  /** All that is compared with the ledger. */
  stored(projectIds: readonly number[]): Promise<Stored>;
  close(): Promise<void>;
}

const countQuery =
  'SELECT uniqExact(uuid) AS count FROM analytics.events WHERE team_id IN {projects:Array(Int64)} AND created_at < fromUnixTimestamp64Milli({before:Int64})';

const rowsQuery = `SELECT toString(uuid) AS uuid, toInt32(team_id) AS projectId, distinct_id AS distinctId,
  toUnixTimestamp64Milli(toDateTime64(inserted_at, 3)) AS insertedAt, person_properties['number'] AS personNumber
FROM analytics.events WHERE team_id IN {projects:Array(Int64)}`;

const personsQuery = `SELECT toInt32(team_id) AS projectId, distinct_id AS distinctId, properties['number'] AS number
FROM (SELECT * FROM analytics.person_distinct_ids FINAL WHERE is_deleted = 0) AS ids
JOIN (SELECT team_id, id AS person_id, properties FROM analytics.persons FINAL WHERE is_deleted = 0) AS persons USING (team_id, person_id)
WHERE team_id IN {projects:Array(Int64)}`;

/**
 * ClickHouse would merge rows of the same key away, sooner or later, and with them the proof of a double. So the table
 * of events is set to merge nothing, and to take as many parts as come of that.
 */
const keepsAllRows = `ALTER TABLE analytics.events MODIFY SETTING
  max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1, parts_to_delay_insert = 100000, parts_to_throw_insert = 100000`;

/** Makes the table of events keep what lies in it twice. */
export async function openStore(url: string, password: string): Promise<Store> {
  const client = createClickhouse({
    url,
    user: 'admin',
    password,
    applicationName: 'millrace-faults',
    requestTimeoutMs: 20_000,
  });
  const rows = async <Row>(query: string, params: Record<string, unknown> = {}): Promise<Row[]> =>
    (await client.query({ query, query_params: params, format: 'JSONEachRow' })).json();
  const command = async (query: string): Promise<void> => void (await client.command({ query }));
  await command(keepsAllRows);
  return {
    rows,
    command,
    async count(projects, before = Date.UTC(2200)) {
      const [row] = await rows<{ count: string }>(countQuery, { projects, before });
      return Number(row?.count);
    },
    async stored(projects) {
      const found = await rows<{
        uuid: string;
        projectId: number;
        distinctId: string;
        insertedAt: string;
        personNumber: string | null;
      }>(rowsQuery, { projects });
      const persons = await rows<{ projectId: number; distinctId: string; number: string | null }>(personsQuery, {
        projects,
      });
      return {
        rows: found.map(({ insertedAt, personNumber, ...row }) => ({
          ...row,
          insertedMs: Number(insertedAt),
          personNumber: numberOf(personNumber),
        })),
        persons: new Map(
          persons.flatMap(({ projectId, distinctId, number }) =>
            number === null ? [] : [[personKey(projectId, distinctId), Number(number)]],
          ),
        ),
      };
    },
    close: () => client.close(),
  };
}

const numberOf = (text: string | null): number | null => (text === null || text === '' ? null : Number(text));
