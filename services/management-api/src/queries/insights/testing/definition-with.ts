import type { InsightKind } from '../insight-kind.ts';
import { withValueAt, type TextField } from './text-fields.ts';
import { typicalDefinitions } from './typical-definitions.ts';

/** Fields that others of the same object must go with before their text means something. */
const companions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  math_property: { math: 'sum' },
  math_hogql: { math: 'hogql' },
  aggregationProperty: { aggregationType: 'sum' },
  pathsHogQLExpression: { includeEventTypes: ['hogql'] },
  regex: { alias: 'plain' },
  alias: { regex: 'plain' },
  compare_to: { compare: true },
  property: { type: 'event' },
  breakdown_type: { breakdown: 'plain' },
  operator: { value: 1 },
};

const companionsOf = ({ kind }: InsightKind, name: string) =>
  kind === 'FunnelsQuery' && name.startsWith('math_') ? {} : (companions[name] ?? {});

/** The typical definition of a kind with a value in a field, and beside it all that gives it a meaning. Pure. */
export function definitionWith(kind: InsightKind, { path }: TextField, value: unknown): Record<string, unknown> {
  const [name] = path.slice(-1);
  let definition: unknown = typicalDefinitions[kind.kind];
  for (const [at, member] of path.entries()) {
    if (member !== 0) continue;
    // A list of nodes or rules begins with a whole member.
    if (path[at - 1] === 'exclusions')
      definition = withValueAt(definition, path.slice(0, at + 1), {
        kind: 'EventsNode',
        event: 'x',
        funnelFromStep: 0,
        funnelToStep: 1,
      });
    if (path[at - 1] === 'breakdowns')
      definition = withValueAt(definition, path.slice(0, at + 1), { property: 'plain' });
    if (path[at - 1] === 'formulaNodes') definition = withValueAt(definition, path.slice(0, at + 1), { formula: 'A' });
    if (path[at - 1] === 'orderBy') definition = withValueAt(definition, path.slice(0, at), ['Visitors', 'DESC']);
    if (path[at - 1] === 'localPathCleaningFilters')
      definition = withValueAt(definition, path.slice(0, at + 1), { regex: 'plain', alias: 'plain' });
  }
  for (const [other, others] of Object.entries(companionsOf(kind, String(name))))
    definition = withValueAt(definition, [...path.slice(0, -1), other], others);
  return withValueAt(definition, path, value) as Record<string, unknown>;
}
