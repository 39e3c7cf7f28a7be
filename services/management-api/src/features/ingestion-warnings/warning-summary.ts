import {
  Array as ArrayType,
  Integer,
  Literal,
  Object as ObjectType,
  Record as RecordType,
  String as StringType,
  Union,
  Unknown,
  type Static,
} from 'typebox';

const timestamp = StringType({ format: 'date-time' });

/** One warning as an example of its type and day. */
const WarningSample = ObjectType(
  {
    timestamp,
    source: StringType({ description: 'Who found it: `capture` or `consumer`.', examples: ['capture'] }),
    count: Integer({ description: 'Events that it concerns.' }),
    details: RecordType(StringType(), Unknown(), {
      description: 'What the type says about the event, such as `eventUuid` and `distinctId`.',
    }),
  },
  { title: 'IngestionWarningSample' },
);

/** The warnings of one type on one day (contract/capture 4.7). */
export const WarningSummary = ObjectType(
  {
    type: StringType({ examples: ['missing_event_name'] }),
    day: StringType({ format: 'date', description: 'Day in UTC.', examples: ['2026-01-02'] }),
    severity: Union([Literal('error'), Literal('warning'), Literal('info')], {
      description:
        '`error`: the events, or a part of what they asked for, were dropped; `warning`: they were changed, or are doubtful; `info`: neither.',
    }),
    category: StringType({ examples: ['event'] }),
    count: Integer({
      description: 'Events that the kept warnings concern. Of one type and distinct id one warning an hour is kept.',
    }),
    last_seen: timestamp,
    samples: ArrayType(WarningSample, {
      description: 'The newest warnings of this type and day, newest first, at most five.',
    }),
  },
  { title: 'IngestionWarningSummary' },
);
export type WarningSummary = Static<typeof WarningSummary>;

type Sample = [minusMicroseconds: number, timestamp: string, source: string, count: number, details: string];

/** A row of `warningSummaries` as ClickHouse returns it. */
export type WarningRow = [
  type: string,
  day: string,
  severity: WarningSummary['severity'],
  category: string,
  count: number,
  lastSeen: string,
  samples: Sample[],
];

/** Pure. @throws {SyntaxError} when stored details are not JSON, which the consumer never writes. */
export function renderSummary([type, day, severity, category, count, lastSeen, samples]: WarningRow): WarningSummary {
  return {
    type,
    day,
    severity,
    category,
    count,
    last_seen: lastSeen,
    samples: samples.map(([, timestamp, source, events, details]) => ({
      timestamp,
      source,
      count: events,
      details: JSON.parse(details) as Record<string, unknown>,
    })),
  };
}
