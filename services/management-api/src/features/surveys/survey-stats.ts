import { Integer, Number as NumberType, Object as ObjectType, String as StringType, type Static } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { withoutEnd } from '@millrace/runtime/without-end.ts';

const seen = nullable(StringType({ format: 'date-time' }));

const EventStats = ObjectType(
  {
    total_count: Integer({ minimum: 0 }),
    unique_persons: Integer({
      minimum: 0,
      description: 'Of those who dismissed: without those who also answered a survey.',
    }),
    first_seen: seen,
    last_seen: seen,
    unique_persons_only_seen: Integer({
      minimum: 0,
      description: 'Persons who neither dismissed nor answered; 0 but for `survey shown`.',
    }),
    total_count_only_seen: Integer({ minimum: 0, description: 'As `unique_persons_only_seen`, of events.' }),
  },
  { title: 'SurveyEventStats' },
);
type EventStats = Static<typeof EventStats>;

const rate = (description: string) =>
  NumberType({ minimum: 0, description: `${description}, in percent; 0 when nothing was shown.` });

/** Statistics over all surveys of a project (contract/llm-surveys 9.2). */
export const SurveyStats = ObjectType(
  {
    stats: ObjectType({ 'survey shown': EventStats, 'survey dismissed': EventStats, 'survey sent': EventStats }),
    rates: ObjectType({
      response_rate: rate('Responses by shown'),
      dismissal_rate: rate('Dismissed by shown'),
      unique_users_response_rate: rate('Persons who answered by persons who were shown one'),
      unique_users_dismissal_rate: rate('Persons who only dismissed by persons who were shown one'),
    }),
  },
  { title: 'SurveyStats' },
);

/** A row of `eventTotals` as ClickHouse returns it. */
export type TotalsRow = [event: string, total: number, persons: number, first: string, last: string];

/** Pure. `both`: the persons who dismissed and answered. */
export function renderStats(rows: readonly TotalsRow[], both: number): Static<typeof SurveyStats> {
  const of = (name: string): EventStats => eventStats(rows.find(([event]) => event === name));
  const [shown, dismissed, sent] = [of('survey shown'), of('survey dismissed'), of('survey sent')];
  dismissed.unique_persons = Math.max(0, dismissed.unique_persons - both);
  shown.unique_persons_only_seen = Math.max(0, shown.unique_persons - dismissed.unique_persons - sent.unique_persons);
  shown.total_count_only_seen = Math.max(0, shown.total_count - dismissed.total_count - sent.total_count);
  const byCount = (part: EventStats): number => percent(part.total_count, shown.total_count);
  const byPersons = (part: EventStats): number => percent(part.unique_persons, shown.unique_persons);
  return {
    stats: { 'survey shown': shown, 'survey dismissed': dismissed, 'survey sent': sent },
    rates: {
      response_rate: byCount(sent),
      dismissal_rate: byCount(dismissed),
      unique_users_response_rate: byPersons(sent),
      unique_users_dismissal_rate: byPersons(dismissed),
    },
  };
}

function eventStats(row: TotalsRow | undefined): EventStats {
  const [, total = 0, persons = 0, first = null, last = null] = row ?? [];
  return {
    total_count: total,
    unique_persons: persons,
    first_seen: first && withoutZeros(first),
    last_seen: last && withoutZeros(last),
    unique_persons_only_seen: 0,
    total_count_only_seen: 0,
  };
}

const withoutZeros = (time: string): string => `${withoutEnd(withoutEnd(withoutEnd(time, 'Z'), '0'), '.')}Z`;

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100);
