import type { TableChart } from '../chart.ts';

/** Edge of a PathsQuery, its items with the number of their step before them: `1_/pricing` (contract/insights 10.3). */
interface PathEdge {
  source: string;
  target: string;
  value: number;
  average_conversion_time: number;
}

/** Table of the edges, in their order. Pure. */
export function chartOfPaths(edges: readonly PathEdge[], title: string): TableChart {
  return {
    form: 'table',
    title,
    columns: [
      { label: 'from' },
      { label: 'to' },
      { label: 'times', unit: 'count' },
      { label: 'mean time', unit: 'seconds' },
    ],
    rows: edges.map((edge) => [
      itemLabel(edge.source),
      itemLabel(edge.target),
      edge.value,
      edge.average_conversion_time / 1_000,
    ]),
  };
}

function itemLabel(item: string): string {
  return item.replace(/^(\d+)_/, '$1. ');
}
