import type { Statement } from '../../tree/statements.ts';
import { actorEvents } from './actor-events.ts';
import { entryWalk } from './entry-walk.ts';
import { eventCodes } from './event-codes.ts';
import { forwardWalk, wayTime } from './forward-walk.ts';
import { binsStatement, stepsStatement, trendsStatement } from './funnel-results.ts';
import type { FunnelPlan } from './funnel-plan.ts';
import { doneTime, unorderedWalk } from './unordered-walk.ts';

/**
 * Statement of a funnel. With a breakdown its first columns are the value and whether it stands for those beyond `valuesMax`. Behind them, for steps:
 * counts of the steps, then mean and median microseconds to all but the first, null for none. For trends: start of an interval in seconds since 1970, actors
 * that entered in it, and of these the ones that converted; with a breakdown a list of these three. For times: a bin counted from 0, actors in it, and in all rows
 * the second that the bins begin with, their width in seconds, their number, and the mean microseconds. Pure.
 */
export function buildFunnel(plan: FunnelPlan): Statement {
  const codes = eventCodes(plan);
  const layers = actorEvents(plan, codes);
  if (plan.result.kind === 'trends') {
    entryWalk(plan, codes, layers, plan.result);
    return trendsStatement(plan, layers);
  }
  if (plan.order === 'unordered') unorderedWalk(plan, codes, layers);
  else forwardWalk(plan, codes, layers);
  const timeOf = plan.order === 'unordered' ? doneTime : wayTime;
  return plan.result.kind === 'steps'
    ? stepsStatement(plan, layers, timeOf)
    : binsStatement(plan.result, layers, timeOf);
}
