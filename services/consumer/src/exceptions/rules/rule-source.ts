import type { ChangeBatch } from '@millrace/postgres/change.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { compileRules, type StoredRule, type SuppressionRules } from '@millrace/suppression/suppression-rules.ts';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../database.ts';

/** The suppression rules of all projects, compiled; what was read is kept. */
export interface RuleSource {
  /** Rules of these projects. One that cannot be compiled any more is disabled, with the reason. Throws what `pg` throws. */
  load(projectIds: ReadonlySet<number>): Promise<ReadonlyMap<number, SuppressionRules>>;
  onChange(changes: ChangeBatch): void;
}

/** Rules are believed so long if the change feed says nothing (contract/decisions 120). */
const maxAgeMs = 60_000;
const projectsMax = 10_000;

interface Entry {
  rules: SuppressionRules;
  until: number;
}

interface FoundRules {
  projectId: number;
  /** In their order. */
  rules: StoredRule[];
}

export function createRuleSource(db: Queryable, clock: Clock): RuleSource {
  const entries = new LRUCache<number, Entry>({ max: projectsMax });

  async function read(projectIds: readonly number[]): Promise<void> {
    const { rows } = await db.query<FoundRules>(selectRules(projectIds));
    const found = new Map(rows.map(({ projectId, rules }) => [projectId, rules]));
    const until = clock.nowMs() + maxAgeMs;
    for (const projectId of projectIds) {
      const rules = compileRules(found.get(projectId) ?? []);
      for (const { id, message } of rules.broken) await db.query(disableRule(id, message));
      entries.set(projectId, { rules, until });
    }
  }

  return {
    async load(projectIds) {
      const isFresh = (id: number): boolean => (entries.get(id)?.until ?? -Infinity) > clock.nowMs();
      const stale = [...projectIds].filter((id) => !isFresh(id));
      if (stale.length > 0) await read(stale);
      return new Map([...projectIds].map((id) => [id, entries.get(id)?.rules ?? compileRules([])]));
    },
    onChange(changes) {
      if (changes === 'everything') return entries.clear();
      for (const { topic, projectId } of changes)
        if (topic === 'suppression_rule' && projectId !== null) entries.delete(projectId);
    },
  };
}

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
