import { hash } from 'node:crypto';
import { createLeastRecentlyUsed } from '../../least-recently-used.ts';
import { createCounts } from './counts.ts';

/** A running query. The caller calls `ended` or `failed`, once. */
interface QueryTurn {
  /** The query may overtake long ones. */
  isShort: boolean;
  /** The query succeeded after this many seconds. */
  ended: (seconds: number) => void;
  /** The query was cancelled, refused or failed after this many seconds. */
  failed: (seconds: number) => void;
}

/** Predicts which queries are short, from their former runs. */
export interface ShortQueries {
  begin(teamId: number, sql: string): QueryTurn;
}

/** Longest duration of a short query. */
const secondsMax = 0.25;
/** Short queries of one project at a time: many of them load the engine as much as a long one. */
const shortAtATimeMax = 2;
/** Texts with a remembered duration; the least recently used is forgotten first. */
const textsMax = 20_000;

/**
 * Remembers a duration for each project and text of a query, without values of variables. A query is short while that duration is at most
 * a quarter of a second. Each run sets the duration to its own, but at least to half of the former one. An unknown text is not short: the
 * first run of a heavy query loads the engine as much as the second. A failure can only raise the duration: a query that failed early may
 * have done no work.
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
