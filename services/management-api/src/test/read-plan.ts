interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
}

/** Result of `EXPLAIN (FORMAT JSON)`. */
export interface PlanRow {
  'QUERY PLAN': [{ Plan: Plan }];
}

/** Tables that a plan reads from end to end, and the indexes that it uses, by name. Pure. */
export function readPlan([{ Plan: top }]: PlanRow['QUERY PLAN']): { sequential: string[]; indexes: string[] } {
  const nodes: Plan[] = [];
  const visit = (node: Plan): void => {
    nodes.push(node);
    for (const below of node.Plans ?? []) visit(below);
  };
  visit(top);
  const sequential = nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []));
  return { sequential, indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))].sort() };
}
