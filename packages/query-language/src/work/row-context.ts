import { numbersMax } from './numbers.ts';
import type { ResolvedSelect } from '../resolved.ts';

/** The rows of a source, as far as the SELECT that reads them needs to know. */
export interface SourceRows {
  /** At most so many. */
  most: number;
  /** A join makes blocks of its own size of them. */
  joined: boolean;
  /** Rows that come of each row of a block, through its lists. */
  fan: number;
}

/** How often an expression is computed, and on which rows. */
export interface RowContext {
  /** How often a row computes it: the items of the lambdas around it. */
  times: number;
  rows: number;
  fan: number;
  /** Made values that an aggregate of this SELECT may collect. */
  collected: number;
  /** Values of tables that it may collect: as many as usual, or as others have made of them. */
  gathered: number;
  joined: boolean;
  behindJoin: boolean;
  /** The same of the rows that an aggregate of this SELECT reads; its groups are joined to nothing. */
  readBehindJoin: boolean;
  /** Rows that an aggregate of this SELECT reads. */
  read: number;
  /** Rows come of a list that reads none. */
  hasFreeRows: boolean;
  /** The engine computes it before it runs anything. */
  early: boolean;
  /** It is computed for rows that are filled in, many of them at a time. */
  isFilling: boolean;
}

const usualCollected = 30;

/** The context of an expression that reads no row. */
export function withoutRows(): RowContext {
  return {
    times: 1,
    rows: 1,
    fan: 1,
    collected: 1,
    gathered: 1,
    joined: false,
    behindJoin: false,
    readBehindJoin: false,
    read: 1,
    hasFreeRows: false,
    early: false,
    isFilling: false,
  };
}

/** Begins the rows of a SELECT: those of its sources, joined. */
export function readSources(context: RowContext, { joins }: ResolvedSelect, sources: readonly SourceRows[]): void {
  // An outer join keeps the rows of one side that find none of the other.
  const rows = sources.reduce((product, { most }) => product * Math.max(1, most), 1);
  const joined = sources.length > 1 || sources.some((source) => source.joined);
  const behindJoin = joined || joins.some(({ source }) => source.lookups.size > 0);
  const known = sources.reduce((product, { most }) => product * (Number.isFinite(most) ? Math.max(1, most) : 1), 1);
  const collected = Math.min(rows, numbersMax);
  const gathered = Number.isFinite(rows) ? collected : Math.min(numbersMax, Math.max(usualCollected, known));
  const fan = Math.max(1, ...sources.map((source) => source.fan));
  Object.assign(context, { rows, joined, behindJoin, readBehindJoin: behindJoin, fan, collected, gathered });
}

/** Rows of lists: a row of a block becomes as many rows of the same block as its list has items. */
export function spreadRows(context: RowContext, items: number, made: boolean): void {
  const most = Math.max(1, items);
  context.rows *= most;
  context.fan *= most;
  context.collected = Math.min(context.rows, numbersMax);
  if (made || Number.isFinite(context.rows)) context.gathered = Math.min(context.gathered * most, numbersMax);
}
