import type { InsightResult, Row } from '../insight-kind.ts';

/** One edge of the results (contract/insights 10.3). */
interface Edge {
  source: string;
  target: string;
  value: number;
  average_conversion_time: number;
}

/** Edges that can be reached from one that begins a path, in the order of the rows (contract/insights 10.2). Pure. */
export function shapePaths(rows: readonly Row[]): InsightResult {
  const edges = (rows as readonly [string, string, number, number][]).map(([source, target, value, time]): Edge => ({
    source,
    target,
    value,
    average_conversion_time: time,
  }));
  const bySource = Map.groupBy(edges, ({ source }) => source);
  const reached = new Set<Edge>();
  const open = edges.filter(({ source }) => source.startsWith('1_'));
  for (let edge = open.pop(); edge !== undefined; edge = open.pop()) {
    if (reached.has(edge)) continue;
    reached.add(edge);
    open.push(...(bySource.get(edge.target) ?? []));
  }
  return { results: edges.filter((edge) => reached.has(edge)), hasMore: false };
}
