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
  ])('%s: %s', (text, suggestion) => expect(errorOf(text).suggestion).toBe(suggestion));

  test('the error says why', () => {
    expect(errorOf('select 1 from events where event = paid').message).toContain('a text is written in single quotes');
    expect(errorOf('select e.event from events').message).toContain('no table is named "e"');
  });

  test('a property that the project has is meant before anything else', () => {
    const schema = schemaOf({ event: { paid: 'Boolean', e: null, $channel_type: 'String' } });
    expect(errorOf('select e.event from events', { schema }).suggestion).toBe('properties.e.event');
    expect(errorOf('select $channel_type from events', { schema }).suggestion).toBe('properties.$channel_type');
    expect(errorOf('select 1 from events where event = paid', { schema }).suggestion).toBe('properties.paid');
  });
});
