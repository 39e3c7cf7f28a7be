import type { SystemUnderTest } from '../system-under-test.ts';

/** Outcomes of acknowledged events. */
export interface Counted {
  lost: number;
  doubled: number;
}

/** Every insert that the table of events ever had, also those whose rows a merge has folded since. */
export interface EventLedger {
  /** Writes down what ClickHouse knows of its inserts: to be called before it dies, which makes it forget. */
  record(): Promise<void>;
  /**
   * Counts the demo project's events against those that were acknowledged. Doubled are rows beyond the first of a uuid.
   * @throws when an insert escaped the ledger: then nothing can be said
   */
  count(acknowledged: number): Promise<Counted>;
}

/** Begins a ledger. ClickHouse keeps what merges have replaced for minutes; from now on for two hours. */
export async function openLedger({ store, local }: SystemUnderTest): Promise<EventLedger> {
  await store.send({ sql: 'ALTER TABLE analytics.events MODIFY SETTING old_parts_lifetime = 7200' });
  /** Rows of each insert, by the month and number of its block. */
  const inserts = new Map<string, number>();
  const record = async (): Promise<void> => {
    // A merged part spans several blocks.
    const response = await store.send({
      sql: "SELECT concat(partition_id, '_', toString(min_block_number)), rows FROM system.parts WHERE database = 'analytics' AND table = 'events' AND min_block_number = max_block_number",
    });
    for (const line of response.toString().split('\n').filter(Boolean)) {
      const [block = '', rows] = line.split('\t');
      // For a part that was merged with itself the first one counts.
      inserts.set(block, Math.max(inserts.get(block) ?? 0, Number(rows)));
    }
  };
  return {
    record,
    async count(acknowledged) {
      await record();
      const events = await store.number({
        sql: 'SELECT uniqExact(uuid) FROM analytics.events WHERE team_id = {team:Int64}',
        params: { team: local.projectId },
      });
      const inserted = [...inserts.values()].reduce((sum, rows) => sum + rows, 0);
      if (inserted < events)
        throw new Error(`ClickHouse has ${events} events, of ${inserted} rows that it was seen to take`);
      return { lost: acknowledged - events, doubled: inserted - events };
    },
  };
}
