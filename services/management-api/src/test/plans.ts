import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { createPool, type Pool } from '@millrace/postgres/pool.ts';
import { fillTables } from '@millrace/testkit/generated-organization.ts';

/** Tables that a plan reads from end to end, and the indexes that it uses, by name, each once. */
interface Reads {
  sequential: string[];
  indexes: string[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** Result of `EXPLAIN (FORMAT JSON)`. */
export interface PlanRow {
  'QUERY PLAN': [{ Plan: PlanNode }];
}

/** Reads the plan of one statement. Pure. */
export function readPlan([row]: readonly PlanRow[]): Reads {
  const nodes: PlanNode[] = [];
  const visit = (node: PlanNode): void => {
    nodes.push(node);
    for (const below of node.Plans ?? []) visit(below);
  };
  if (row !== undefined) visit(row['QUERY PLAN'][0].Plan);
  const sequential = nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []));
  return { sequential, indexes: namesOf(nodes.flatMap((node) => node['Index Name'] ?? [])) };
}

const namesOf = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** `statement` with its plan as its result. Pure. */
export const explained = (statement: Prisma.Sql): Prisma.Sql => Prisma.sql`EXPLAIN (FORMAT JSON) ${statement}`;

type Reader = Pick<PrismaClient, '$queryRaw'>;

/** The reads in the plans of all statements that `run` sends. Its statements are not run, and find nothing. */
export async function readsOf(prisma: Reader, run: (reader: Reader) => Promise<unknown>): Promise<Reads> {
  const sent: Prisma.Sql[] = [];
  const $queryRaw = (text: Prisma.Sql | TemplateStringsArray, ...values: unknown[]): Promise<unknown[]> => {
    sent.push(text instanceof Prisma.Sql ? text : Prisma.sql(text, ...values));
    return Promise.resolve([]);
  };
  await run({ $queryRaw } as Reader);
  const plans: Reads[] = [];
  for (const statement of sent) plans.push(readPlan(await prisma.$queryRaw<PlanRow[]>(explained(statement))));
  return {
    sequential: namesOf(plans.flatMap(({ sequential }) => sequential)),
    indexes: namesOf(plans.flatMap(({ indexes }) => indexes)),
  };
}

/** Fills tables of a test's database over one connection (`fillTables`). */
export async function fillDatabase(url: string, fill: (pool: Pool) => Promise<void>): Promise<void> {
  const options = { applicationName: 'generator', max: 1, statementTimeoutMs: 0, onError: () => undefined };
  const pool = createPool(url, options);
  await fillTables(pool, () => fill(pool));
  await pool.end();
}
