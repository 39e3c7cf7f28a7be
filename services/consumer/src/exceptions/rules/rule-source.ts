import type { ChangeBatch } from '@millrace/postgres/change.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { compileRules, type StoredRule, type SuppressionRules } from '@millrace/suppression/suppression-rules.ts';
import type { Queryable } from '../../database.ts';
import { createReadCache } from '../read-cache.ts';

/** The suppression rules of all projects, compiled; what was read is kept. */
export interface RuleSource {
  /** Rules of these projects. One that cannot be compiled any more is disabled, with the reason. Throws what `pg` throws. */
  load(projectIds: ReadonlySet<number>): Promise<ReadonlyMap<number, SuppressionRules>>;
  onChange(changes: ChangeBatch): void;
}

const projectsMax = 10_000;

interface FoundRules {
  projectId: number;
  /** In their order. */
  rules: StoredRule[];
}

export function createRuleSource(db: Queryable, clock: Clock): RuleSource {
  const known = createReadCache<number, SuppressionRules>(clock, projectsMax);

  async function read(projectIds: readonly number[]): Promise<ReadonlyMap<number, SuppressionRules>> {
    const { rows } = await db.query<FoundRules>(selectRules(projectIds));
    const found = new Map(rows.map(({ projectId, rules }) => [projectId, rules]));
    const compiled = new Map(projectIds.map((projectId) => [projectId, compileRules(found.get(projectId) ?? [])]));
    for (const { broken } of compiled.values())
      for (const { id, message } of broken) await db.query(disableRule(id, message));
    return compiled;
  }

  return {
    load: (projectIds) => known.read(projectIds, read),
    onChange(changes) {
      if (changes === 'everything') return known.forgetAll();
      for (const { topic, projectId } of changes)
        if (topic === 'suppression_rule' && projectId !== null) known.forget(projectId);
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
