import type { ChangeBatch } from '@millrace/postgres/change.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { compileRules, type StoredRule, type SuppressionRules } from '@millrace/suppression/suppression-rules.ts';
import type { Queryable } from '../../database.ts';
import { heapBytesOf } from '../heap-bytes.ts';
import { createReadCache } from '../read-cache.ts';

/** The suppression rules of all projects, compiled; what was read is kept. */
export interface RuleSource {
  /** Rules of these projects. One that cannot be compiled any more is disabled, with the reason. Throws what `pg` throws. */
  load(projectIds: ReadonlySet<number>): Promise<ReadonlyMap<number, SuppressionRules>>;
  onChange(changes: ChangeBatch): void;
}

/** Memory of all that are kept. */
const bytesMax = 134_217_728;
/** Rules take so many times the memory of their filters, most of it for patterns: 6 to 25 times was measured with short ones. */
const compiledFactor = 10;

interface KeptRules {
  rules: SuppressionRules;
  bytes: number;
}

interface FoundRules {
  projectId: number;
  /** In their order. */
  rules: StoredRule[];
}

export function createRuleSource(db: Queryable, clock: Clock): RuleSource {
  const known = createReadCache<number, KeptRules>(clock, { bytesMax, bytesOf: ({ bytes }) => bytes });

  async function read(projectIds: readonly number[]): Promise<ReadonlyMap<number, KeptRules>> {
    const { rows } = await db.query<FoundRules>(selectRules(projectIds));
    const found = new Map(rows.map(({ projectId, rules }) => [projectId, rules]));
    const compiled = new Map(projectIds.map((projectId) => [projectId, kept(found.get(projectId) ?? [])]));
    for (const { rules } of compiled.values())
      for (const { id, message } of rules.broken) await db.query(disableRule(id, message));
    return compiled;
  }

  return {
    async load(projectIds) {
      const entries = await known.read(projectIds, read);
      return new Map([...entries].map(([projectId, { rules }]) => [projectId, rules]));
    },
    onChange(changes) {
      if (changes === 'everything') return known.forgetAll();
      for (const { topic, projectId } of changes)
        if (topic === 'suppression_rule' && projectId !== null) known.forget(projectId);
    },
  };
}

const kept = (stored: readonly StoredRule[]): KeptRules => ({
  rules: compileRules(stored),
  bytes: compiledFactor * heapBytesOf(stored),
});

function selectRules(projectIds: readonly number[]) {
  return {
    name: 'find-suppression-rules',
    text: `SELECT project_id AS "projectId", json_agg(json_build_object('id', id, 'filters', filters, 'samplingRate', sampling_rate)
        ORDER BY order_key, created_at, id) AS rules
      FROM suppression_rules WHERE project_id = ANY($1::int[]) AND disabled_data IS NULL GROUP BY project_id`,
    values: [projectIds],
  };
}

function disableRule(id: string, message: string) {
  return {
    name: 'disable-suppression-rule',
    text: 'UPDATE suppression_rules SET disabled_data = $2::json WHERE id = $1 AND disabled_data IS NULL',
    values: [id, JSON.stringify({ message, props: {} })],
  };
}
