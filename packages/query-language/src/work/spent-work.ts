import type { RowContext } from './row-context.ts';
import { Steps } from './steps.ts';
import type { Resolved } from '../resolved.ts';

/** Calls of which merged columns of many joins print thousands: each costs the engine next to nothing, unless it is dear. */
const merging: ReadonlySet<string> = new Set([
  'if',
  'multiIf',
  'ifNull',
  'coalesce',
  'isNull',
  'isNotNull',
  'equals',
  'identity',
  'toNullable',
  'assumeNotNull',
]);
const dearNanoseconds = 1_000;

/** Work of a query, added up step by step. */
export class SpentWork {
  readonly steps = new Steps();
  /** The same of rows whose blocks have the engine's own size: what those that a join has made compute of made values, and all of those that are filled in. */
  joinedSteps = new Steps();
  /** Work on values of tables by rows of a join or of a lookup. */
  readonly behindJoinSteps = new Steps();
  dearest: Resolved | undefined;
  #dearestNanoseconds = 0;

  /** Adds the step of `expr`, whose result is `made` by the query itself or read from a table. */
  add(expr: Resolved, nanoseconds: number, made: boolean, isGuarded: boolean, context: RowContext): void {
    // An expression that reads no row is computed once, except a guard, which is never taken for a constant.
    const once = !expr.local && !expr.aggregate && !isGuarded && !context.hasFreeRows;
    const spent = once ? nanoseconds : nanoseconds * context.times;
    const isOwnSize = context.isFilling || (context.joined && made);
    const [rows, fan] = once ? [1, 1] : [context.rows, context.fan];
    (isOwnSize ? this.joinedSteps : this.steps).add(rows, fan, spent);
    if (
      context.behindJoin &&
      !isOwnSize &&
      (spent >= dearNanoseconds || (expr.kind === 'call' && !merging.has(expr.name)))
    )
      this.behindJoinSteps.add(rows, fan, spent);
    if (spent > this.#dearestNanoseconds) [this.dearest, this.#dearestNanoseconds] = [expr, spent];
  }

  /** The result of `estimate`, whose steps of filled rows are not added. */
  withoutFilled<Result>(estimate: () => Result): Result {
    const [joinedSteps, dearest, dearestNanoseconds] = [this.joinedSteps, this.dearest, this.#dearestNanoseconds];
    this.joinedSteps = new Steps();
    const result = estimate();
    [this.joinedSteps, this.dearest, this.#dearestNanoseconds] = [joinedSteps, dearest, dearestNanoseconds];
    return result;
  }
}
