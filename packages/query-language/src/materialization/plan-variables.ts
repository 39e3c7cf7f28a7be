import type { SelectQuery } from '../tree/statements.ts';
import { carryKeys, withKeys } from './carry/carry-keys.ts';
import { columnsNamed, followCarriers, type Carriage, type Carrier } from './carry/carriers.ts';
import { decideReading, type Chain } from './keys/decide-reading.ts';
import { draftKeys } from './keys/draft-keys.ts';
import { finishKeys } from './keys/finish-keys.ts';
import { FreshNames } from './selects/fresh-names.ts';
import { rangePairs } from './keys/range-pairs.ts';
import type { Planned, PlannedVariable } from './plan.ts';
import { finding, findingPart, refuse, type Finding } from './rules/finding.ts';
import { rules } from './rules/rules.ts';
import { aliasFindings, clauseFindings } from './variables/select-rules.ts';
import { volatileIn } from './selects/aggregates.ts';
import { plannedAggregates } from './selects/planned-aggregates.ts';
import { groupingOf, holdsAggregate, isStar, outputName } from './selects/select-shape.ts';
import { allOf, conjunctsOf } from './selects/tree-conditions.ts';
import { nodesOf } from './selects/walk.ts';
import { addKeys } from './transform/add-keys.ts';
import { readAsStored } from './transform/read-as-stored.ts';
import { readConditions } from './transform/read-conditions.ts';
import { readOf } from './transform/read-of.ts';
import { regroup } from './transform/regroup.ts';
import type { Home, Uses } from './variables/find-uses.ts';

const nothing: Carriage = { carriers: [], findings: [] };

/** The plan of a query with variables: they become columns of its table. */
export function planVariables(
  tree: SelectQuery,
  { home, findings }: Uses & { home: Home },
  variables: readonly PlannedVariable[],
  overrides: Readonly<Record<string, string>>,
): Planned {
  const { cte } = home;
  const { carriers, findings: carrying } = cte ? followCarriers(tree, { ...home, cte }) : nothing;
  const early = [
    ...findings,
    ...aliasFindings(home),
    ...carrying,
    ...carriers.flatMap((carrier) => nameFindings(carrier, home)),
    ...(cte ? scalarFindings(tree) : []),
    ...clauseFindings(tree),
  ];
  const drafts = draftKeys(home, cte ? before(tree, home) : [], variables, overrides);
  const chain = chainOf(tree, home, carriers);
  const names = (): FreshNames => new FreshNames(tree, new Set(drafts.map(({ variable }) => variable)));
  const rest = withoutVariables(home);
  const [togetherNames, apartNames] = [names(), names()];
  const together = chain.isInnerStrict ? undefined : regroup(cte ? tree : rest, togetherNames);
  const apart = readAsStored(cte ? tree : rest, apartNames);
  const decided = decideReading(drafts, chain, together);
  const isTogether = !('rule' in decided) && decided.reading === 'regrouped' && together !== undefined;
  const stored = isTogether ? together : apart;
  const [first, ...others] = [...early, ...[decided, stored].filter((each): each is Finding => 'rule' in each)];
  if (first || 'rule' in decided || 'rule' in stored) return refuse([first as Finding, ...others]);
  const keys = finishKeys(drafts, decided.reading, {
    query: home.query,
    isGrouped: chain.isInnerStrict || chain.grouping !== 'none',
    isRenamed: cte?.columns !== undefined,
    taken: takenBy(carriers, tree),
    names: isTogether ? togetherNames : apartNames,
  });
  const root = carriers.find((carrier) => carrier.cte === undefined);
  const build =
    cte && root
      ? {
          ...withKeys(root, stored.build, keys),
          ctes: carryKeys(tree.ctes ?? [], { cte, build: addKeys(rest, keys) }, carriers, keys),
        }
      : addKeys(stored.build, keys);
  const shown = new Set(tree.select.map(outputName));
  const hidden = [...stored.added, ...keys.map(({ column }) => column).filter((column) => !shown.has(column))];
  return {
    ok: true,
    plan: {
      build,
      read: readOf(stored.read, readConditions(home.lifted, keys), hidden),
      columns: tree.select.some(isStar) ? undefined : tree.select.map((item) => outputName(item) ?? ''),
      keys,
      hidden,
      rangePairs: rangePairs(drafts, keys),
      aggregates: plannedAggregates(tree),
      isReaggregated: decided.reading === 'regrouped',
      emptyMeansInline: decided.emptyMeansInline,
      volatile: volatileIn(build),
    },
  };
}

function before(tree: SelectQuery, home: Home): NonNullable<SelectQuery['ctes']> {
  const ctes = tree.ctes ?? [];
  return ctes.slice(
    0,
    ctes.findIndex((cte) => cte === home.cte),
  );
}

function withoutVariables({ query, lifted }: Home): SelectQuery {
  const { where, ...rest } = query;
  const lift = new Set(lifted.map(({ condition }) => condition));
  const kept = allOf(conjunctsOf(where).filter((condition) => !lift.has(condition)));
  return kept ? { ...rest, where: kept } : rest;
}

function chainOf(tree: SelectQuery, home: Home, carriers: readonly Carrier[]): Chain {
  const inner = home.cte ? [home.query, ...carriers.filter(({ cte }) => cte).map(({ query }) => query)] : [];
  const joined = carriers.find(({ readings }) => readings.length > 1);
  const grouped = inner.find((query) => groupingOf(query) !== 'none');
  return {
    grouping: groupingOf(tree),
    isInnerStrict: grouped !== undefined || joined !== undefined,
    isInnerGlobal: inner.some((query) => groupingOf(query) === 'global'),
    grouped,
    joined: joined?.query,
  };
}

function nameFindings(carrier: Carrier, { lifted }: Home): Finding[] {
  return [...new Set(lifted.map(({ variable }) => variable))].flatMap((variable) => {
    const [same] = columnsNamed(carrier, variable);
    return same
      ? [
          finding(
            rules.downstreamName,
            `a query that reads the CTE has a column ${variable}, which is the name of a variable; rename one of them`,
            same,
          ),
        ]
      : [];
  });
}

// A CTE may name it, which would group there.
function scalarFindings({ ctes = [], ...query }: SelectQuery): Finding[] {
  const found = ctes.find(({ cte_type, expr }) => cte_type === 'column' && holdsAggregate([expr], { ...query, ctes }));
  return found
    ? [
        findingPart(
          rules.body,
          'scalar',
          `the aggregate ${found.name} of WITH stands beside a CTE with a variable`,
          found,
        ),
      ]
    : [];
}

// A name that a reading query has for something else would mean the key there, or either of them.
function takenBy(carriers: readonly Carrier[], { ctes = [] }: SelectQuery): Set<string> {
  if (carriers.length === 0) return new Set();
  const taken = new Set(ctes.map(({ name }) => name));
  for (const { query, readings } of carriers) {
    const { ctes: _, ...own } = query;
    const carried = new Set(readings.map(({ name }) => name));
    for (const node of nodesOf(own)) {
      const [first = '', second] = node.node === 'Field' ? node.chain : [];
      if (
        second === undefined ? readings.length > 1 || readings.some(({ join }) => join.next_join) : !carried.has(first)
      )
        taken.add(first);
    }
  }
  return taken;
}
