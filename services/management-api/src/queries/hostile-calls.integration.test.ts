import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';
import { runTimed, secondsMax } from '../test/timed-statement.ts';

// The engine checks the time between blocks of rows, never inside a call: each of these would run for seconds to days beside its limit.
const team = randomTeamId();

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  const at = '2026-01-02 03:04:05.678901';
  const properties = { url: `https://a.example/?${'a'.repeat(8_000)}`, tags: JSON.stringify(['a', 'b']), n: '3' };
  const row = {
    team_id: team,
    uuid: crypto.randomUUID(),
    event: 'paid',
    distinct_id: 'somebody',
    timestamp: at,
    created_at: at,
    $session_id: 's1',
    person_id: crypto.randomUUID(),
    person_mode: 'full',
    person_properties_text: '{}',
    person_properties: {},
    properties_text: JSON.stringify(properties),
    properties,
  };
  await tenant.insert({ events: [row] });
});
afterAll(() => tenant.close());

describe('a hostile call ends near its limit, and its ordinary neighbour answers', () => {
  const text = "repeat('a', 100000)";
  const neighbours: [hostile: string, says: RegExp, ordinary: string, answer: string][] = [
    [`select countMatches(${text}, 'a.*b|a')`, /at most 4,096 bytes/, "select countMatches('abcab', 'a.*b|a')", '1'],
    [
      `select length(extractAll(${text}, '(a.*b)?a'))`,
      /at most 4,096 bytes/,
      "select extractAll('k=1&l=22', '[0-9]+')",
      "['1','22']",
    ],
    [
      `select length(replaceRegexpAll(${text}, 'a.*b|a', ''))`,
      /at most 4,096 bytes/,
      "select replaceRegexpAll('/users/12/x', '[0-9]+', ':id')",
      '/users/:id/x',
    ],
    [
      `select length(splitByRegexp('a.*b|a', ${text}))`,
      /at most 4,096 bytes/,
      "select splitByRegexp('[,;] *', 'a, b;c')",
      "['a','b','c']",
    ],
    [
      String.raw`select countMatches(repeat('a', 100000), '\\Q[\\E|a.*b|a|]')`,
      /at most 4,096 bytes/,
      String.raw`select countMatches('a[b[', '\\Q[\\E')`,
      '2',
    ],
    [
      `select countMatches(splitByChar(',', ${text})[1], 'a.*b|a')`,
      /at most 4,096 bytes/,
      "select countMatches(splitByChar(',', 'b,ab')[2], 'a.*b|a')",
      '1',
    ],
    [
      `select countMatches(map('k', ${text})['k'], 'a.*b|a')`,
      /at most 4,096 bytes/,
      "select countMatches(map('k', 'ab')['k'], 'a.*b|a')",
      '1',
    ],
    [
      `select position(${text}, splitByChar(',', concat(${text}, 'b'))[1])`,
      /at most 1,000 bytes/,
      "select position('abc', splitByChar(',', 'b,c')[2])",
      '3',
    ],
    [
      "select countMatches(properties.url, 'a.*b|a') from events",
      /at most 4,096 bytes/,
      "select countMatches(properties.url, '[a-z]+') from events",
      '4',
    ],
    [`select match(${text}, 'x*(a?b?){500}c')`, /more than 1000 steps/, "select match('abc', '^(a|b){2}c$')", '1'],
    [
      "select match('x', properties.url) from events",
      /computed pattern of \w+ has at most 250 bytes/,
      'select match(event, distinct_id) from events',
      '0',
    ],
    [
      "select length(repeat(repeat('a', 10000), 10000))",
      /more than 1,048,576 bytes/,
      "select length(repeat(repeat('a', 100), 100))",
      '10000',
    ],
    [
      "select length(repeat('a', length(event) * 1000000)) from events",
      /more than 1,048,576 bytes/,
      "select repeat('ab', length(event)) from events",
      'abababab',
    ],
    [
      "select length(arrayStringConcat(arrayMap(x -> mapValues(map('a', repeat('x', 100000)))[1], range(1000))))",
      /more than 1,048,576 bytes/,
      "select mapValues(map('a', 'x'))[1]",
      'x',
    ],
    [
      'select length(range(1000000))',
      /more than 1,048,576 bytes/,
      'select length(range(100000)), range(toInt(properties.n)) from events',
      '100000\t[0,1,2]',
    ],
    [
      "select length(leftPad('a', toInt(properties.n) * 1000000, 'b')) from events",
      /more than 1,048,576 bytes/,
      "select leftPad('7', toInt(properties.n), '0') from events",
      '007',
    ],
    [
      'select hasAny(range(100000), arrayMap(x -> x + 1000000, range(100000)))',
      /4,000,000 pairs/,
      "select hasAny(properties.tags, ['b', 'c']) from events",
      '1',
    ],
    [
      'select length(arrayFilter(x -> has(range(100000), x + 1), range(100000)))',
      /too much for a single row/,
      'select length(arrayFilter(x -> has(range(100), x + 1), range(100)))',
      '99',
    ],
    [
      `select position(${text}, materialize('x'))`,
      /Unknown function/,
      "select position(event, distinct_id), position(event, 'ai') from events",
      '0\t2',
    ],
    [
      "select sum(position(repeat('a', 100000), concat(repeat('a', 20000 + number % 2), 'b'))) from numbers(1000)",
      /at most 1,000 bytes/,
      "select sum(position('xyz', toString(number))) from numbers(10)",
      '0',
    ],
    ["select length(ngrams(repeat('ab', 100), 150))", /from 1 to 100/, "select ngrams('abcd', 3)", "['abc','bcd']"],
    [
      `select JSON_VALUE(concat('[', repeat('1,', 400000), '1]'), '$[*].a')`,
      /at most 32,768 bytes/,
      `select JSON_VALUE('{"a":[{"b":7}]}', '$.a[*].b')`,
      '7',
    ],
    [
      "select count() from numbers(countMatches(repeat('a', 1000000), 'a.*b|a'))",
      /is not possible in numbers/,
      "select count() from numbers(countMatches('abcab', 'a.*b|a') + dateDiff('day', toDate('2026-01-01'), toDate('2026-01-08')))",
      '8',
    ],
    [
      "select number from numbers(1) order by number with fill from countMatches(repeat('a', 1000000), 'a.*b|a') to 10",
      /is not possible in numbers/,
      "select count() from (select number from numbers(1) order by number with fill from 0 to length('abcdefghij'))",
      '10',
    ],
    [
      "select number, 1 as x from numbers(1) order by number with fill from 0 to 10 interpolate (x as countMatches(concat(repeat('a', 1000000), toString(x)), 'a.*b|a'))",
      /too much for a single row/,
      "select sum(x) from (select number, 1 as x from numbers(1) order by number with fill from 0 to 10 interpolate (x as countMatches(concat('ab', toString(x)), 'a.*b|a')))",
      '10',
    ],
    [
      "select windowFunnel(1000000000, 'strict_once', 'strict_increase')(toDateTime(number), number % 2 = 0, number % 2 = 1) from numbers(1000000)",
      /cannot be used together/,
      "select windowFunnel(1000000000, 'strict_once')(toDateTime(number), number % 2 = 0, number % 2 = 1) from numbers(10)",
      '2',
    ],
    [
      'select max(x) from (select uniqExact(number) over (order by number rows between 200000 preceding and current row) as x from numbers(1000000))',
      /Timeout exceeded/,
      'select max(x) from (select uniqExact(number) over (order by number rows between 6 preceding and current row) as x from numbers(1000000))',
      '7',
    ],
    [
      'select max(x) from (select uniqExact(number) over (order by number range between 200000 preceding and current row) as x from numbers(1000000))',
      /Timeout exceeded/,
      'select max(x) from (select uniqExact(number) over (order by number range between 6 preceding and current row) as x from numbers(100000))',
      '7',
    ],
    [
      'select max(x) from (select uniqExact(number) over (order by number rows between current row and unbounded following) as x from numbers(1000000))',
      /reverse the ORDER BY/,
      'select count(x), max(y) from (select lead(if(number % 2 = 0, number, null)) ignore nulls over (order by number) as x, uniqExact(number) over (order by number desc rows between unbounded preceding and current row) as y from numbers(100000))',
      '99998\t100000',
    ],
    [
      "select number, 1 as x from numbers(1) order by number with fill from 0 to 1000000 interpolate (x as countMatches(concat(repeat('a', 4000), toString(x)), 'a.*b|a'))",
      /too much for a single row/,
      "select max(x) from (select number, 1 as x from numbers(1) order by number with fill from 0 to 10000 interpolate (x as countMatches(concat('ab', toString(x)), '[ab]+')))",
      '1',
    ],
    [
      "select number as k, 'ab' as x from numbers(1) order by k with fill from 0 to 100000 interpolate (x as concat(x, x))",
      /longer with each row/,
      "select max(length(x)) from (select number as k, 'ab' as x from numbers(1) order by k with fill from 0 to 10 interpolate (x as substring(concat(x, x), 1, 100)))",
      '100',
    ],
    [
      "select number as k, [1] as x, 'a' as y from numbers(1) order by k with fill from 0 to 100000 interpolate (x as arrayConcat(x, x), y as upper(y))",
      /longer with each row/,
      "select max(length(x)), max(y) from (select number as k, [1] as x, 'a' as y from numbers(1) order by k with fill from 0 to 10 interpolate (x as arraySlice(arrayConcat(x, x), 1, 5), y as upper(y)))",
      '5\ta',
    ],
    [
      String.raw`select length(replaceRegexpOne(repeat('a', 500000), '.*', '\\0\\0\\0\\0\\0'))`,
      /more than 1,048,576 bytes/,
      String.raw`select replaceRegexpOne('ab', '(a)(b)', '\\2\\1'), replaceRegexpAll('a1b22', '[0-9]+', '<\\0>')`,
      'ba\ta<1>b<22>',
    ],
    [
      "select length(base64Encode(base64Encode(base64Encode(repeat('a', 1000000)))))",
      /more than 1,048,576 bytes/,
      'select base64Encode(base64Encode(event)) from events',
      'Y0dGcFpBPT0=',
    ],
    [
      "select length(concat(mapConcat(map('a', repeat('x', 1000000)), map('b', 'c'))['a'], repeat('x', 1000000)))",
      /more than 1,048,576 bytes/,
      "select mapConcat(map('a', event), map('b', 'c'))['a'] from events",
      'paid',
    ],
    [
      "select length(replaceAll(properties.url, 'a', properties.url)) from events",
      /more than 33,554,432 bytes/,
      "select replaceAll(event, 'a', distinct_id), replaceRegexpAll(event, '[ai]+', distinct_id) from events",
      'psomebodyid\tpsomebodyd',
    ],
    [
      `select length(format('${'{0}'.repeat(5_000)}', properties.url)) from events`,
      /more than 33,554,432 bytes/,
      `select length(format('${'{0}'.repeat(500)}', event)) from events`,
      '2000',
    ],
    [
      'select length(hex(hex(hex(hex(hex(hex(hex(hex(hex(hex(hex(hex(hex(properties.url)))))))))))))) from events',
      /more than 33,554,432 bytes/,
      'select length(hex(hex(hex(hex(hex(hex(hex(event)))))))) from events',
      '512',
    ],
    [
      `select length(replaceRegexpOne(properties.url, '.*', '${String.raw`\\0`.repeat(3_000)}')) from events`,
      /more than 33,554,432 bytes/,
      `select length(replaceRegexpOne(event, '.*', '${String.raw`\\0`.repeat(300)}')) from events`,
      '1200',
    ],
    [
      `select length(replaceAll(${text}, repeat('a', 2000), 'x'))`,
      /at most 1,000 bytes/,
      "select replaceAll(event, 'id', 'b') from events",
      'pab',
    ],
    [
      `select length(replaceOne(${text}, repeat('a', 2000), 'x'))`,
      /at most 1,000 bytes/,
      "select replaceOne(event, 'id', 'b') from events",
      'pab',
    ],
    [
      `select length(replaceAll(${text}, substring(properties.url, 1, 2000), 'x')) from events`,
      /at most 1,000 bytes/,
      "select replaceAll(event, distinct_id, ''), replaceOne(event, substring(event, 1, 2), 'm') from events",
      'paid\tmid',
    ],
    [
      `select multiSearchAny(${text}, ['x', repeat('a', 2000)])`,
      /at most 1,000 bytes/,
      `select multiSearchAny(event, ['x', 'ai']), multiSearchFirstIndex(event, ['x', '${'b'.repeat(1_000)}', 'ai']), multiSearchAnyCaseInsensitive(event, ['PAID', distinct_id]) from events`,
      '1\t3\t1',
    ],
    [
      'select multiSearchAnyCaseInsensitive(properties.url, [substring(properties.url, 1, 1001)]) from events',
      /at most 1,000 bytes/,
      "select multiSearchAny(event, [event, distinct_id]), multiSearchAny(event, splitByChar(',', 'x,ai')) from events",
      '1\t1',
    ],
    [
      `select positionCaseInsensitive(repeat('a', 1000000), '${'a'.repeat(999)}b')`,
      /too much for a single row/,
      `select positionCaseInsensitive(properties.url, '${'A'.repeat(999)}') from events`,
      '20',
    ],
    [
      `select positionCaseInsensitive(arrayStringConcat(arrayMap(x -> properties.url, range(100))), '${'A'.repeat(999)}') from events`,
      /lengths multiply to at most/,
      `select event ilike '%${'A'.repeat(900)}%' or event ilike 'P%d' from events`,
      '1',
    ],
    [
      `select repeat('a', 1000000) ilike '%${'a'.repeat(900)}b%'`,
      /too much for a single row/,
      "select event like '%ai%', event not like 'p_x%', event ilike concat('%', distinct_id, '%'), event not ilike 'PAI_' from events",
      '1\t1\t0\t0',
    ],
    [
      `select event like '%${'a_'.repeat(600)}%' from events`,
      /at most 1,000 bytes/,
      `select properties.url like '%${'a'.repeat(900)}%', properties.url like '%${'a_'.repeat(400)}%' from events`,
      '1\t1',
    ],
    [
      'select event like properties.url from events',
      /computed pattern of \w+ has at most 250 bytes/,
      'select event like event from events',
      '1',
    ],
    [
      "select countIf(match(concat(hex(SHA512(concat(e.event, toString(n.number)))), 'x'), '[A-D].{50}[A-D].{50}[z]')) from events e cross join numbers(1000000) n",
      /sub-queries of one table/,
      "select countIf(match(concat(e.event, toString(n.number)), '^paid[0-9]+$')) from events e cross join numbers(100000) n",
      '100000',
    ],
    [
      `select ${Array.from({ length: 400 }, (_, index) => `sum(length(upper(concat(e.event, toString(n.number + ${index}))))) as c${index}`).join(', ')} from events e cross join numbers(2000000) n`,
      /sub-queries of one table/,
      "select max(length(path(concat('http://a.b/', e.event, toString(n.number))))), sum(cityHash64(concat(e.event, toString(n.number))) % 2) < 11 from events e cross join numbers(10) n",
      '6\t1',
    ],
    [
      "select countIf(match(concat(hex(SHA512(toString(arrayJoin(range(100000))))), 'x'), '[A-D].{50}[A-D].{50}[z]')) from numbers(10)",
      /too much for a single row/,
      "select countIf(match(hex(SHA512(toString(arrayJoin(range(1000))))), '[A-D].{5}A')) > 0 from numbers(10)",
      '1',
    ],
    [
      "select countIf(match(concat(hex(SHA512(toString(x))), 'x'), '[A-D].{50}[A-D].{50}[z]')) from (select range(100000) as r from numbers(10)) array join r as x",
      /too much for a single row/,
      "select countIf(match(toString(x), '^[0-9]{3}$')) from (select range(10000) as r from numbers(10)) array join r as x",
      '9000',
    ],
    [
      'select sum(length(arrayFilter(x -> countEqual(l, x) > 1, l))) from (select groupArray(concat(e.event, toString(n.number))) as l from events e cross join numbers(100000) n)',
      /too much for a single row/,
      'select length(arrayFilter(x -> countEqual(l, x) = 1, l)) from (select groupArray(concat(e.event, toString(n.number))) as l from events e cross join numbers(1000) n)',
      '1000',
    ],
    [
      `select formatDateTime(now(), repeat('%Y', 100000))`,
      /at most 250 bytes/,
      "select formatDateTime(toDateTime('2026-01-02 00:00:00'), '%Y-%m')",
      '2026-01',
    ],
  ];

  test.each(neighbours)('%s', async (hostile, says, ordinary, reply) => {
    const bad = await runTimed(tenant, team, hostile);
    expect(bad.reply).toMatch(/^(?:refused|failed)/);
    expect(bad.reply).toMatch(says);
    expect(bad.seconds).toBeLessThan(secondsMax);
    expect(await runTimed(tenant, team, ordinary)).toMatchObject({ reply });
  });
});
