import { hash } from 'node:crypto';
import { createLeastRecentlyUsed } from '../../least-recently-used.ts';
import { createCounts } from './counts.ts';

/** A query that runs, by what is known of those before it. */
interface QueryTurn {
  /** It may go before those that take long. */
  isShort: boolean;
  /** It was answered after so many seconds. Either this or `failed` is to be called, once. */
  ended: (seconds: number) => void;
  /** It was given up, refused or broken off after so many seconds. */
  failed: (seconds: number) => void;
}

/** Tells queries that are answered at once from those that keep the engine busy. */
export interface ShortQueries {
  begin(teamId: number, sql: string): QueryTurn;
}

/** What takes longer keeps the engine from others. */
const secondsMax = 0.25;
/** Short queries of one project at a time: many of them are as much in the way as a long one. */
const shortAtATimeMax = 2;
/** So many texts are remembered; of those beyond, the longest unused are as good as new. */
const textsMax = 20_000;

/**
 * By the text of the query, values of variables not included: short is what took less than a quarter of a second, and no longer than
 * that in half, a quarter … for each run since. What was never seen is not short: the first run of a heavy query is as much in the way
 * as the second. Nothing is learnt from how soon one failed, only from how late: it may have done nothing at all.
 */
export function createShortQueries(): ShortQueries {
  const secondsOf = createLeastRecentlyUsed<string, number>(textsMax);
  const shortOnes = createCounts<number>();
  return {
    begin(teamId, sql) {
      const key = `${teamId}:${hash('sha1', sql, 'base64')}`;
      const isShort = shortOnes.of(teamId) < shortAtATimeMax && (secondsOf.get(key) ?? Infinity) <= secondsMax;
      if (isShort) shortOnes.add(teamId);
      return {
        isShort,
        ended(seconds) {
          if (isShort) shortOnes.remove(teamId);
          secondsOf.set(key, Math.max(seconds, (secondsOf.get(key) ?? 0) / 2));
        },
        failed(seconds) {
          if (isShort) shortOnes.remove(teamId);
          if (seconds > (secondsOf.get(key) ?? Infinity)) secondsOf.set(key, seconds);
        },
      };
    },
  };
}
