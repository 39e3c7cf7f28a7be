import type { DateSpan } from '../dates/date-span.ts';
import { daysOf, labelsOf } from '../dates/interval-texts.ts';
import { labelOf } from '../definition/series-label.ts';
import type { Row } from '../insight-kind.ts';

/** Actors of one status by interval (contract/insights 8.2). */
interface LifecycleResult {
  status: Status;
  label: string;
  action: { id: string | null; name: string; type: 'events'; order: 0; math: 'total' };
  count: number;
  data: number[];
  days: readonly string[];
  labels: readonly string[];
}

type Status = 'new' | 'returning' | 'resurrecting' | 'dormant';

/** Actors of an interval: all, and two parts of them. */
interface Active {
  all: number;
  returning: number;
  new: number;
}

const nobody: Active = { all: 0, returning: 0, new: 0 };

const figures: readonly [Status, (active: Active, before: Active) => number][] = [
  ['new', (active) => active.new],
  ['returning', (active) => active.returning],
  ['resurrecting', (active) => active.all - active.returning - active.new],
  // Each actor of the interval before either returns or is dormant now. Zero has no sign in JSON.
  ['dormant', (active, before) => 0 - (before.all - active.returning)],
];

/** Results of the rows of `buildLifecycle`. Pure. */
export function shapeLifecycle(
  rows: readonly Row[],
  { event, span, timeZone }: { event: string | null; span: DateSpan; timeZone: string },
): LifecycleResult[] {
  const active = new Map<number, Active>();
  for (const [interval, all, returning, created] of rows as [number, number, number, number][])
    active.set(interval, { all, returning, new: created });
  const of = (interval: number): Active => active.get(interval) ?? nobody;
  const [days, labels] = [daysOf(span, timeZone), labelsOf(span, timeZone)];
  const name = labelOf(event);
  return figures.map(([status, figure]) => {
    const data = span.starts.map((_, interval) => figure(of(interval), of(interval - 1)));
    return {
      status,
      label: `${name} - ${status}`,
      action: { id: event, name, type: 'events', order: 0, math: 'total' },
      count: data.reduce((sum, number) => sum + number, 0),
      data,
      days,
      labels,
    };
  });
}
