import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../compile.ts';
import { schemaOf } from '../testing/schema-of.ts';

const schema = schemaOf(
  {
    event: { revenue: 'Numeric', plan: 'String', $browser: 'String', 'a<b>': null },
    person: { email: 'String' },
    group_1: { seats: 'Numeric' },
  },
  ['signed up', '$pageview', 'purchase'],
);

const warningsOf = (text: string, given: object = { schema }): string[] =>
  compileQuery({ text, rowsMax: 1, ...given }).warnings.map(
    ({ code, message, start, end }) => `${code} ${text.slice(start, end)}: ${message.replace(/ \(line .*/, '')}`,
  );

describe('names that a project has never sent', () => {
  test.each([
    [
      'select properties.ravenue from events',
      ['unknown_property properties.ravenue: No event has the property `ravenue`; `revenue` has'],
    ],
    [
      "select properties['browser'] from events",
      ["unknown_property properties['browser']: No event has the property `browser`; `$browser` has"],
    ],
    [
      'select count() from events where properties.nothing.inside = 1',
      ['unknown_property properties.nothing.inside: No event has the property `nothing`'],
    ],
    [
      'select p.properties.emial, e.person.properties.emal from events e join persons p on p.id = e.person_id',
      [
        'unknown_property e.person.properties.emal: No person has the property `emal`; `email` has',
        'unknown_property p.properties.emial: No person has the property `emial`; `email` has',
      ],
    ],
    [
      'select group_1.properties.seat from events',
      ['unknown_property group_1.properties.seat: No group of type 1 has the property `seat`; `seats` has'],
    ],
    [
      'with all_events as (select * from events) select properties.plann from all_events',
      ['unknown_property properties.plann: No event has the property `plann`; `plan` has'],
    ],
    [
      "select 1 from events where event = 'signedup' or event in ('$pageview', 'purchases', 'x')",
      [
        "unknown_event 'signedup': No event is named `signedup`; `signed up` is one",
        "unknown_event 'purchases': No event is named `purchases`; `purchase` is one",
        "unknown_event 'x': No event is named `x`",
      ],
    ],
    [
      "select countIf(event = 'pageview') from events",
      ["unknown_event 'pageview': No event is named `pageview`; `$pageview` is one"],
    ],
  ])('%s', (text, expected) => expect(warningsOf(text).sort()).toEqual(expected.sort()));

  test.each([
    "select properties.revenue, properties.plan, person.properties.email from events where event = 'purchase'",
    // Nothing is learned of these owners, or the rows have several.
    'select group_0.properties.name from events',
    'select properties.name from groups',
    // Made of the names of flags and surveys.
    "select properties['$feature/new'], properties['$feature_enrollment/new'], properties['$survey_responded/1'], properties['$survey_dismissed/1'] from events",
    // Never learned: instructions, memberships, the mark of a person's first event, and what is too long.
    'select properties.$set.plan, properties.$set_once, properties.$unset, properties.$groups.company, properties.$group_set from events',
    'select properties.$group_0, properties.$group_4, person.properties.$creator_event_uuid from events',
    'select properties.$creator_event_uuid from persons',
    `select properties.\`${'x'.repeat(201)}\`, properties['a\\0b'] from events where event = '${'é'.repeat(101)}'`,
    // Texts beside other columns, and searches.
    "select 1 from events where distinct_id = 'signedup' or event like 'sign%' or event > 'a'",
    "select 1 from (select event from events) where event = 'signedup'",
  ])('no warning: %s', (text) => expect(warningsOf(text)).toEqual([]));

  test('no warning without a schema, with an empty one, or where the project may have more names than are learned', () => {
    const types = { event: { revenue: null } } as const;
    const text = "select properties.ravenue from events where event = 'signedup'";
    expect(warningsOf(text, {})).toEqual([]);
    expect(warningsOf(text, { schema: schemaOf({}) })).toEqual([]);
    expect(warningsOf(text, { schema: schemaOf(types, ['signed up'], true) }).length).toBe(2);
    expect(warningsOf(text, { schema: schemaOf(types, ['signed up'], false) })).toEqual([]);
    const names = Array.from({ length: 10_000 }, (_, index) => `n${index}`);
    const full = schemaOf({ event: Object.fromEntries(names.map((name) => [name, null])) }, names);
    expect(warningsOf(text, { schema: full })).toEqual([]);
  });

  test('five of them are named, each with a suggestion: the other warnings of a statement have room', () => {
    const names = ['reveneu', 'revenu', 'ravenue', 'revvenue', 'rvenue', 'revenuee', 'revenues'];
    const unknown = `${names.map((name) => `properties.${name}`).join(', ')}, ${"event = 'x', ".repeat(30)}`;
    const warnings = warningsOf(`select ${unknown} 1 from events where person_id = 'user_5'`);
    expect(warnings.filter((warning) => warning.endsWith('`revenue` has')).length).toBe(5);
    expect(warnings.filter((warning) => !warning.startsWith('unknown_'))).toEqual([
      expect.stringContaining("no_uuid 'user_5'"),
    ]);
    expect(warnings.length).toBe(6);
  });

  test('names are shown without brackets and control characters, and short', () => {
    expect(warningsOf("select properties['<img src=x>\\n`y`'] from events").join()).toContain('`img src=xy`');
    expect(warningsOf('select properties.`a<b` from events').join()).toContain('`ab` has');
    expect(warningsOf(`select properties.${'x'.repeat(5_000)} from events`).join().length).toBeLessThan(5_200);
  });

  test('of a run that gives the name', () => {
    const text = 'select 1 from events where event = {variables.name}';
    expect(warningsOf(text, { schema, variables: { name: 'purchas' } })).toEqual([
      'unknown_event {variables.name}: No event is named `purchas`; `purchase` is one',
    ]);
  });
});
