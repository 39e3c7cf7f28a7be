import type { Change, News } from '@millrace/postgres/change.ts';
import { createLeastRecentlyUsed } from './least-recently-used.ts';

/** When what is in memory counts, and how much of it there may be. */
export interface RememberedOptions {
  /** Whether changes are heard just now: what is in memory counts only then. */
  isHearing: () => boolean;
  /** Most things in memory. */
  max: number;
  /** Most characters of all of them together, as JSON: one that alone has more is looked up each time. */
  charsMax: number;
  /** The net under the news: nothing is believed for longer. */
  ageMsMax: number;
}

/** Things of the database in memory, for as long as their changes are heard. */
export interface Remembered<Thing> {
  /** What is remembered under the name, else what `look` finds; that is remembered unless it is null or not `isWorth` it. */
  find(name: string, look: () => Promise<Thing | null>, isWorth?: (thing: Thing) => boolean): Promise<Thing | null>;
  /** Forgets what the news are about, and does not believe what is being looked up just now; `staleBy` undefined: they are about nothing of this. */
  hear(news: News, staleBy: (changes: readonly Change[]) => ((thing: Thing) => boolean) | undefined): void;
  /** The same with everything: this process has changed something, and has not heard itself yet. */
  forget(): void;
}

/** While changes are not heard, everything is looked up each time. */
export function createRemembered<Thing>({ isHearing, max, charsMax, ageMsMax }: RememberedOptions): Remembered<Thing> {
  const entries = createLeastRecentlyUsed<string, { thing: Thing; untilMs: number }>(max, { weightMax: charsMax, weightOf: ({ thing }) => JSON.stringify(thing).length });
  // What was looked up before a change and comes back after its news would be believed for ever.
  let timesForgotten = 0;
  function forget(isStale: (thing: Thing) => boolean): void {
    timesForgotten++;
    entries.deleteWhere(({ thing }) => isStale(thing));
  }
  return {
    async find(name, look, isWorth = () => true) {
      if (!isHearing()) return await look();
      const known = entries.get(name);
      const nowMs = performance.now();
      if (known !== undefined && nowMs < known.untilMs) return known.thing;
      const before = timesForgotten;
      const thing = await look();
      if (thing !== null && isWorth(thing) && before === timesForgotten) entries.set(name, { thing, untilMs: nowMs + ageMsMax });
      return thing;
    },
    hear(news, staleBy) {
      const isStale = news === 'everything' ? () => true : staleBy(news);
      if (isStale !== undefined) forget(isStale);
    },
    forget: () => forget(() => true),
  };
}
