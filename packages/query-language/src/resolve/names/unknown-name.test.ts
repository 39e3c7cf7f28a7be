import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../../compile.ts';
import { QueryError } from '../../query-error.ts';
import { schemaOf } from '../../testing/schema-of.ts';

function errorOf(text: string, given: object = {}): QueryError {
  try {
    compileQuery({ text, rowsMax: 1, ...given });
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error(`Compiled: ${text}`);
}

describe('what was meant by a name that nothing has', () => {
  test.each([
    // A text without its quotes.
    ['select 1 from events where event = paid', "'paid'"],
    ['select 1 from events where distinct_id != user_7', "'user_7'"],
    ['select 1 from events where properties.plan = pro', "'pro'"],
    ['select 1 from events where event in (paid, free)', "'paid'"],
    ['select 1 from events e join persons p on p.id = e.person_id where event = paid', "'paid'"],
    ['select 1 from (select event from events) where event = paid', "'paid'"],
    // No text: the words are nearly known, are ordered, or meet something else.
    ['select 1 from events where distinct_id = evnt', 'event'],
    ['select 1 from events where properties.price > cost', 'properties.cost'],
    ['select 1 from events where timestamp = paid', 'properties.paid'],
    // In what belongs to the row.
    ["select properties.email from persons where distinct_id = 'user_7'", 'pdi.distinct_id'],
    ["select 1 from persons p join groups g on g.key = p.properties.a where distinct_id = 'b'", 'p.pdi.distinct_id'],
    ['select $session_duration from events', 'session.$session_duration'],
    ['select id from events', 'properties.id'],
    // A table of that name is missing.
    ['select e.event from events', 'events.event'],
    ['select e.properties.plan from events ev', 'ev.properties.plan'],
    ['select e.event from (select event from events)', 'event'],
    ['select x.event from events e join persons p on p.id = e.person_id', 'e.event'],
    ['select x.created_at from events e join persons p on p.id = e.person_id', undefined],
    ['select company.properties.name from events', 'group_0.properties.name'],
    // Names of other products.
    ['select time from events', 'timestamp'],
    ['select 1 from events where Date > now()', 'timestamp'],
    ['select ts from events', 'timestamp'],
    ['select created from events', 'timestamp'],
    ['select created from persons', 'created_at'],
    ['select event_name from events', 'event'],
    ['select event_timestamp from events', 'timestamp'],
    ['select user_id, count() from events group by user_id', 'distinct_id'],
    ['select user from events', 'distinct_id'],
    ['select uid from events', 'distinct_id'],
    ['select user_id from persons', 'pdi.distinct_id'],
    ['select e.event from events e join persons p on p.id = e.person_id where user_id = 1', 'e.distinct_id'],
    ['select person_properties.plan from events', 'person.properties.plan'],
    ['select user_properties.plan from persons', 'properties.plan'],
    ['select user.properties.plan from events', 'person.properties.plan'],
    ['select person_properties.`a b` from events', 'person.properties.`a b`'],
    ['select event_properties.plan from events', 'properties.plan'],
    ['select event, count() from events group by event order by count desc', 'count()'],
    ['select event, count() from events group by event having count > 5', 'count()'],
    ['select event from events where count > 5', 'properties.count'],
    // An alias that is nearly written so comes before them.
    ['select 1 as usr_id from events where user_id = 5', 'usr_id'],
    // No table has them, or several.
    ['select a.event from events a join events b on a.uuid = b.uuid where ts > now()', undefined],
  ])('%s: %s', (text, suggestion) => expect(errorOf(text).suggestion).toBe(suggestion));

  test('the error says why', () => {
    expect(errorOf('select 1 from events where event = paid').message).toContain('a text is written in single quotes');
    expect(errorOf('select e.event from events').message).toContain('no table is named "e"');
  });

  test('a property that the project has is meant before anything else', () => {
    const schema = schemaOf({ event: { paid: 'Boolean', e: null, $channel_type: 'String' } });
    expect(errorOf('select e.event from events', { schema }).suggestion).toBe('properties.e.event');
    const own = schemaOf({ event: { user_id: 'String', count: 'Numeric' } });
    expect(errorOf('select user_id from events', { schema: own }).suggestion).toBe('properties.user_id');
    expect(errorOf('select event from events order by count', { schema: own }).suggestion).toBe('properties.count');
    expect(errorOf('select $channel_type from events', { schema }).suggestion).toBe('properties.$channel_type');
    expect(errorOf('select 1 from events where event = paid', { schema }).suggestion).toBe('properties.paid');
  });
});
