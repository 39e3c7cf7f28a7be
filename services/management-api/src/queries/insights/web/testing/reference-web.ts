import { personOf, type World, type WorldEvent } from '../../testing/world.ts';

/** Sessions by loops over the events, as contract/insights 11.1 tells them. Events of one session never have the same time. */
export interface ReferenceSession {
  visitor: string;
  rows: WorldEvent[];
  seconds: number;
  isBounce: boolean | null;
  entryPath: string | null;
  exitPath: string | null;
  utmSource: string | null;
}

/** A range of moments as texts of the events, both inclusive. */
export interface ReferenceRange {
  from: string;
  to: string;
}

const text = (value: unknown): string | null =>
  value === undefined || value === null || value === ''
    ? null
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
const property = ({ properties = {} }: WorldEvent, name: string): string | null => text(properties[name]);
const secondsOf = (at: string): number => Math.floor(Date.parse(`${at.replace(' ', 'T')}Z`) / 1_000);

/** Sessions that begin in the range, with their rows that are looked at. */
export function sessionsOf(world: World, { from, to }: ReferenceRange, goal?: string): ReferenceSession[] {
  const bySession = Map.groupBy(
    world.events.filter(({ session }) => session !== undefined && session !== ''),
    ({ session }) => session as string,
  );
  const sessions: ReferenceSession[] = [];
  for (const unsorted of bySession.values()) {
    const events = [...unsorted].sort((one, other) => (one.at < other.at ? -1 : 1));
    const [first, last] = [events[0] as WorldEvent, events.at(-1) as WorldEvent];
    if (first.at < from || first.at > to) continue;
    const rows = events.filter(
      ({ event, at }) => at >= from && at <= to && (event === '$pageview' || event === '$screen' || event === goal),
    );
    const [visit] = rows;
    if (visit === undefined) continue;
    const seconds = secondsOf(last.at) - secondsOf(first.at);
    const steps = events.filter(({ event }) => ['$pageview', '$screen', '$autocapture'].includes(event)).length;
    const pages = events.filter((event) => (event.properties?.['$current_url'] ?? null) !== null);
    sessions.push({
      visitor: personOf(world, visit.who),
      rows,
      seconds,
      isBounce: steps === 0 ? null : steps === 1 && seconds < 10,
      entryPath: pages[0] ? property(pages[0], '$pathname') : null,
      exitPath: pages.length > 0 ? property(pages.at(-1) as WorldEvent, '$pathname') : null,
      utmSource: pages[0] ? property(pages[0], 'utm_source') : null,
    });
  }
  return sessions;
}

const mean = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const isView = ({ event }: WorldEvent): boolean => event === '$pageview' || event === '$screen';
const bouncesOf = (sessions: readonly ReferenceSession[]): number | null =>
  mean(sessions.flatMap(({ isBounce }) => (isBounce === null ? [] : [Number(isBounce)])));

/** Figures of the overview by key. */
export function referenceOverview(sessions: readonly ReferenceSession[], goal?: string): Record<string, number | null> {
  const visitors = new Set(sessions.map(({ visitor }) => visitor)).size;
  if (goal === undefined) {
    const bounces = bouncesOf(sessions);
    return {
      visitors,
      views: sessions.flatMap(({ rows }) => rows.filter(isView)).length,
      sessions: sessions.length,
      'session duration': mean(sessions.map(({ seconds }) => seconds)),
      'bounce rate': bounces === null ? null : bounces * 100,
    };
  }
  const converted = sessions.filter(({ rows }) => rows.some(({ event }) => event === goal));
  const people = new Set(converted.map(({ visitor }) => visitor)).size;
  return {
    visitors,
    'total conversions': sessions.flatMap(({ rows }) => rows.filter(({ event }) => event === goal)).length,
    'unique conversions': people,
    'conversion rate': visitors === 0 ? null : (people / visitors) * 100,
  };
}

/** Breakdowns that the reference knows. */
export type ReferenceBreakdown = 'Page' | 'InitialPage' | 'ExitPage' | 'Browser' | 'InitialUTMSource' | 'Viewport';

function valueOf(breakdown: ReferenceBreakdown, session: ReferenceSession, row: WorldEvent): string | null {
  if (breakdown === 'Page') return property(row, '$pathname');
  if (breakdown === 'Browser') return property(row, '$browser');
  if (breakdown === 'InitialPage') return session.entryPath;
  if (breakdown === 'ExitPage') return session.exitPath;
  if (breakdown === 'InitialUTMSource') return session.utmSource;
  const width = property(row, '$viewport_width');
  return width === null ? null : JSON.stringify([width, property(row, '$viewport_height')]);
}

/** Rows of the table by value: visitors, views, share of bounces. */
export function referenceTable(
  sessions: readonly ReferenceSession[],
  breakdown: ReferenceBreakdown,
): Map<string | null, { visitors: number; views: number; bounceRate: number | null }> {
  const found = new Map<string | null, { session: ReferenceSession; rows: WorldEvent[] }[]>();
  for (const session of sessions) {
    const byValue = Map.groupBy(session.rows, (row) => valueOf(breakdown, session, row));
    for (const [value, rows] of byValue) {
      if (value === null && !breakdown.startsWith('InitialUTM')) continue;
      found.set(value, [...(found.get(value) ?? []), { session, rows }]);
    }
  }
  const isOfEntry = breakdown === 'Page' || breakdown === 'InitialPage';
  return new Map(
    [...found].map(([value, parts]) => [
      value,
      {
        visitors: new Set(parts.map(({ session }) => session.visitor)).size,
        views: parts.flatMap(({ rows }) => rows.filter(isView)).length,
        bounceRate: bouncesOf(
          parts.map(({ session }) => session).filter(({ entryPath }) => !isOfEntry || entryPath === value),
        ),
      },
    ]),
  );
}
