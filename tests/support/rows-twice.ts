import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { System } from './system.ts';

/**
 * Uuids of events that lie in ClickHouse in more than one row, where queries would count them once all the same. Read
 * from the table itself, as ClickHouse's administrator.
 */
export async function rowsTwice({ local, dataDir }: Pick<System, 'local' | 'dataDir'>): Promise<string[]> {
  const { clickhouse } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    clickhouse: { admin: string };
  };
  const reply = await fetch(local().clickhouseUrl, {
    method: 'POST',
    headers: { 'x-clickhouse-user': 'admin', 'x-clickhouse-key': clickhouse.admin },
    body: 'SELECT uuid FROM analytics.events GROUP BY team_id, uuid HAVING count() > 1 FORMAT TSV',
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`ClickHouse refused: ${text}`);
  return text.split('\n').filter(Boolean);
}
