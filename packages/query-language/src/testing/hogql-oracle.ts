import createHogQLParser, { type HogQLParser } from '@posthog/hogql-parser';

/** The published parser. Slow (20–60 ms for the first query of a kind) and exponential in nested calls: keep statements small. */
export async function loadOracle(): Promise<HogQLParser> {
  return createHogQLParser();
}

/** The content of a tree, without positions and empty parts, which parsers write in different ways. */
export function essence(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(essence);
  if (typeof tree !== 'object' || tree === null) return tree;
  const kept = Object.entries(tree).filter(([key, value]) => {
    if (key === 'start' || key === 'end' || key === 'written' || key === 'quoted') return false;
    return key === 'value' || (value !== null && value !== undefined && value !== false);
  });
  return Object.fromEntries(kept.map(([key, value]) => [key, essence(value)]));
}

/** The oracle's tree, or `undefined` when it refuses the statement. */
export function oracleTree(oracle: HogQLParser, statement: string): unknown {
  const tree = JSON.parse(oracle.parseSelect(statement, true)) as { error?: boolean };
  return tree.error ? undefined : essence(tree);
}
