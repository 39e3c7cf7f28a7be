import { describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { prepareQuery } from '@millrace/query-language/compile.ts';
import { hostileTexts } from '@millrace/query-language/testing/hostile-corpus.ts';
import { schemaOf } from '@millrace/query-language/testing/schema-of.ts';
import { areGiven, readFilters } from './filters.ts';

const filterContext = {
  nowMs: Date.parse('2026-03-30T10:20:30Z'),
  timeZone: 'Europe/Berlin',
  testAccounts: [{ key: 'email', operator: 'not_icontains', value: '@us.example', type: 'person' }],
};
const read = (filters: Record<string, unknown>) => readFilters(filters, filterContext);
const printed = (filters: Record<string, unknown>, text = 'SELECT event FROM events WHERE {filters}') =>
  prepareQuery(text).print({ filters: read(filters) }, { rowsMax: 10 });
const property = (filter: object) => printed({ properties: [{ key: 'k', type: 'event', ...filter }] });

describe('filters of a query (contract/endpoints 2.1)', () => {
  test.each([
    {},
    { dateRange: null },
    { dateRange: { date_from: null, date_to: null } },
    { properties: [] },
    { filterTestAccounts: false },
    { dateRange: { date_from: '' }, breakdownFilter: null },
  ])('%j gives nothing, and {filters} is true', (filters) => {
    expect(areGiven(filters)).toBe(false);
    expect(printed(filters).sql).toContain('WHERE true');
  });

  test('a range holds for the time of the table, days by the zone of the project', () => {
    const { sql, params } = printed({ dateRange: { date_from: '2026-03-29', date_to: '2026-03-29' } });
    expect(sql).toContain('`timestamp`');
    expect(Object.values(params)).toEqual(['2026-03-28 23:00:00.000000', '2026-03-29 21:59:59.999999']);
    expect(printed({ dateRange: { date_from: 'all', date_to: '-1d' } }).params).toEqual({
      p0: '2026-03-29 10:20:30.000000',
    });
    expect(printed({ dateRange: { date_from: '-1d' } }, 'SELECT id FROM persons WHERE {filters}').sql).toContain(
      '`created_at`',
    );
  });

  test('with several tables it is the events that they hold for', () => {
    const { sql } = printed(
      { properties: [{ key: 'k', value: 'v' }] },
      'SELECT 1 FROM persons p JOIN events e ON e.person_id = p.id WHERE {filters} AND p.is_identified',
    );
    expect(sql).toContain('in(`__t1`.');
  });

  test('those for test accounts are the project’s own, and hold beside the others', () => {
    const { sql, params } = printed({ filterTestAccounts: true, properties: [{ key: 'k', value: 'v' }] });
    expect(sql).toContain("person_properties`['email']");
    expect(Object.values(params).flat()).toEqual(expect.arrayContaining(['v', '@us.example']));
  });

  test('groups nest', () => {
    const any = {
      type: 'OR',
      values: [
        {
          type: 'AND',
          values: [
            { key: 'a', value: 1 },
            { key: 'b', operator: 'is_set' },
          ],
        },
        { key: 'c', operator: 'is_not_set' },
      ],
    };
    expect(printed({ properties: any }).sql).toMatch(/or\(and\(.*isNotNull\(.*isNull\(/s);
  });

  test.each<[object, RegExp]>([
    [{ type: 'person' }, /person_properties`\['k'\]/],
    [{ type: 'group', group_type_index: 2 }, /group_2/],
    [{ type: 'session', key: '$session_duration', operator: 'gt', value: '10' }, /greater\(.*10\)/s],
    [{ type: 'event_metadata', key: 'event' }, /`event`/],
    [{ type: 'feature' }, /`properties`\['k'\]/],
    [{ type: 'element', key: 'tag_name' }, /match\(.*`elements_chain`/s],
    [{ type: 'element', key: 'text' }, /arrayExists\(.*`elements_chain`/s],
    [{ type: 'hogql', key: 'distinct_id = event' }, /equals\(`__t0`.`distinct_id`, `__t0`.`event`\)/],
    [{ type: 'empty' }, /WHERE true/],
  ])('%j reads from the place of its type', (filter, sql) =>
    expect(property({ value: 'v', ...filter }).sql).toMatch(sql),
  );

  test.each<[string, Record<string, unknown>, string]>([
    ['a filter of another kind', { breakdownFilter: { breakdown: 'x' } }, 'breakdownFilter'],
    ['a cohort', { properties: [{ key: 'id', value: 1, type: 'cohort' }] }, 'cohort'],
    ['a sub-query', { properties: [{ key: '1 in (select 1)', type: 'hogql' }] }, 'query.filters.properties is no'],
    ['an unknown operator', { properties: [{ key: 'k', value: 'v', operator: 'looks_like' }] }, 'looks_like'],
    ['a text to be less than', { properties: [{ key: 'k', value: 'v1', operator: 'gt' }] }, 'needs a number, not "v1"'],
    ['no range of numbers', { properties: [{ key: 'k', value: ['x', 'y'], operator: 'between' }] }, 'needs a number'],
    ['no version', { properties: [{ key: 'k', value: 'v', operator: 'semver_eq' }] }, 'a version such as 1.2.3'],
    ['no pattern', { properties: [{ key: 'k', value: 'a(', operator: 'regex' }] }, 'a ( is never closed'],
    ['an empty list', { properties: [{ key: 'k', value: [] }] }, 'needs 1 to 1000 values'],
    ['an operator of all objects', { properties: [{ key: 'k', value: 'v', operator: 'constructor' }] }, 'constructor'],
    ['no value', { properties: [{ key: 'k' }] }, 'needs a value'],
    ['an object as value', { properties: [{ key: 'k', value: { a: 1 } }] }, 'needs a value'],
    ['no key', { properties: [{ value: 'v' }] }, 'key'],
    ['half a range', { properties: [{ key: 'k', operator: 'between', value: [1] }] }, 'two values'],
    ['a group of no type', { properties: { values: [{ key: 'k', value: 'v' }] } }, 'AND or OR'],
    ['too deep a group', { properties: nested(20) }, 'levels deep'],
    ['too many', { properties: Array.from({ length: 201 }, () => ({ key: 'k', value: 'v' })) }, '200'],
    ['a time that is none', { dateRange: { date_from: "2026' OR 1" } }, 'is not a time'],
    ['no object', { dateRange: 'x' }, 'object'],
    ['a list of texts', { properties: ['x'] }, 'object'],
    ['test accounts as text', { filterTestAccounts: 'yes' }, 'true or false'],
  ])('%s is a 400, never left out', (_what, filters, words) => {
    expect(() => printed(filters)).toThrow(expect.objectContaining({ message: expect.stringContaining(words) }));
    expect(() => printed(filters)).toThrow(AppError);
  });

  test.each<[object, string | undefined]>([
    [
      { dateRange: { date_from: '-1M' } },
      'minutes -1M is 1 minute ago: M counts minutes, m months. For months write -1m',
    ],
    [{ dateRange: { date_from: '-90M', date_to: '-30M' } }, 'minutes -30M is 30 minutes ago'],
    [{ dateRange: { date_from: '-90M' } }, undefined],
    [{ dateRange: { date_from: '-1m' } }, undefined],
    [{ properties: [{ key: 'n', operator: 'gt', value: '5' }] }, undefined],
    [
      { properties: [{ type: 'hogql', key: "properties.plann = 'pro'" }] },
      'unknown_property No event has the property `plann`; `plan` has',
    ],
    [{ properties: [{ key: 'event', operator: 'gt', value: 'a', type: 'event_metadata' }] }, undefined],
    [
      { properties: [{ key: 'properties.plan', value: 'pro' }] },
      'unknown_property No event has the property `properties.plan`; `plan` has',
    ],
  ])('%j: the run warns where it is hardly meant', (filters, warning) => {
    const { warnings } = prepareQuery('SELECT count() FROM events WHERE {filters}').print(
      {
        filters: read(filters as Record<string, unknown>),
        schema: schemaOf({ event: { plan: 'String', n: null, v: null } }),
      },
      { rowsMax: 1 },
    );
    const found = warnings.map(({ code, message }) => `${code} ${message}`);
    expect(found).toEqual(warning === undefined ? [] : [expect.stringContaining(warning)]);
  });

  test.each([
    ['op', 'gt', 'operator'],
    ['operatr', 'gt', 'operator'],
    ['Operator', 'gt', 'operator'],
    ['comparator', 'gt', 'operator'],
    ['negate', true, 'operator with a negative one, such as is_not'],
    ['negated', true, 'operator with a negative one, such as is_not'],
    ['tpye', 'person', 'type'],
    ['propertyType', 'person', 'type'],
    ['groupTypeIndex', 1, 'group_type_index'],
  ])('a field %s would change nothing, and is a 400 that names the right one', (name, value, meant) =>
    expect(() => property({ value: 'v', [name]: value })).toThrow(
      expect.objectContaining({ message: `${JSON.stringify(name)} is not a field of a filter. Write ${meant}.` }),
    ),
  );

  test('what builders of dashboards write beside the condition is ignored', () =>
    expect(
      property({ value: 'v', label: 'Plan', cohort_name: null, negation: false, group_key_names: {}, id: 'x' }).sql,
    ).toBe(property({ value: 'v' }).sql));

  test.each([
    [{ plan: 'pro' }, 'Write each condition as {"key": "plan", "operator": "exact"'],
    [{ property: 'plan', value: 'pro' }, 'Write key.'],
    [[{ name: 'plan', value: 'pro' }], 'Write each condition as {"key": "plan", "operator": "exact"'],
  ])('%j is no condition, and the answer shows one', (properties, words) =>
    expect(() => printed({ properties })).toThrow(expect.objectContaining({ message: expect.stringContaining(words) })),
  );

  test('an unknown column, or a table that does not fit, is the compiler’s to refuse', () => {
    expect(() => property({ type: 'event_metadata', key: 'team_id', value: '1' })).toThrow(/team_id/);
    expect(() => printed({ properties: [{ key: 'k', value: 'v' }] }, 'SELECT id FROM persons WHERE {filters}')).toThrow(
      /does not fit/,
    );
    expect(() => printed({ properties: [{ key: 'k', value: 'v' }] }, 'SELECT {filters}')).toThrow(/needs a table/);
  });

  test('no text of a filter gets into the SQL but as a quoted key: values are bound', () => {
    for (const text of hostileTexts) {
      for (const operator of ['exact', 'is_not', 'icontains', 'not_icontains_multi']) {
        const { sql, params } = property({ operator, value: text });
        expect(sql).not.toContain(text);
        // A letter beyond ASCII is looked for by a pattern.
        const folded = `(?i)${text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)}`;
        expect([text, folded]).toEqual(expect.arrayContaining([Object.values(params).flat()[0]]));
      }
      const timestamp = { type: 'event_metadata', key: 'event' };
      for (const filter of [
        { key: text, value: 'v' },
        { ...timestamp, operator: 'gt', value: text },
        { ...timestamp, operator: 'between', value: [text, text] },
        { type: 'element', key: 'text', value: text },
        { type: 'element', key: 'href', operator: 'icontains', value: text },
        { type: 'element', key: 'selector', value: `a[x="${text.replaceAll(/["\\]/g, '')}"]` },
        { type: 'hogql', key: `event = '${text.replaceAll(/['\\]/g, String.raw`\$&`)}'` },
        { type: 'hogql', key: `event = properties.\`${text.replaceAll('`', '')}\`` },
      ]) {
        const { sql } = property(filter);
        expect(sql.replaceAll(/'(?:[^'\\]|\\.)*'/g, '')).not.toMatch(/union|sleep|file|drop|--|;|\\/i);
      }
    }
  });
});

function nested(depth: number): object {
  return depth === 0 ? { key: 'k', value: 'v' } : { type: 'AND', values: [nested(depth - 1)] };
}
