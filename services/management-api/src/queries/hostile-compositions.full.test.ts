import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';
import { runTimed, secondsMax } from '../test/timed-statement.ts';

// Functions inside functions, over values that the query makes itself: nothing may stay in one block for long.
const team = randomTeamId();

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
});
afterAll(() => tenant.close());

const makers = [
  "repeat('a', 1000000)",
  "repeat('a', 1000 + number % 2)",
  "repeat('a', number % 100000)",
  "leftPad(toString(number), 1000, 'a')",
  "arrayStringConcat(arrayMap(x -> 'a', range(1000)), '')",
  "replaceAll(repeat('a', 1000), 'a', repeat('a', 100))",
  "concat(repeat('a', 4000), toString(number))",
];
const over = [
  (x: string) => `countMatches(${x}, 'a.*b|a')`,
  (x: string) => `length(lower(${x}))`,
  (x: string) => `length(extractAll(${x}, 'a'))`,
  (x: string) => `position(${x}, concat(repeat('a', 900), 'b', toString(number)))`,
  (x: string) => `length(splitByChar('a', ${x}))`,
  (x: string) => `match(${x}, '(a?b?){100}c')`,
  (x: string) => `editDistance(${x}, toString(number))`,
  (x: string) => `length(JSONExtractKeys(${x}))`,
];
const around = [
  (x: string) => `select sum(${x}) from numbers(10000000)`,
  (x: string) => `select sum(arraySum(arrayMap(i -> ${x} + i, range(1000)))) from numbers(10000)`,
  (x: string) => `select sum(v) from (select ${x} as v, arrayJoin(range(1000)) from numbers(100000))`,
  (x: string) => `select sum(${x.replaceAll('number', 'a.number')}) from numbers(1000) a cross join numbers(100000) b`,
  (x: string) =>
    `select ${Array.from({ length: 40 }, (_, index) => x.replaceAll('number', `(number + ${index})`)).join(' + ')} as v from numbers(1000000) order by v limit 1`,
];
const statements = around.flatMap((wrap) =>
  makers.flatMap((maker, index) => over.filter((_, at) => (at + index) % 3 === 0).map((call) => wrap(call(maker)))),
);

test('compositions without rows of tables end within seconds of their limit, or are refused', async () => {
  const late: { text: string; seconds: number; response: string }[] = [];
  for (const text of statements) {
    const { seconds, reply } = await runTimed(tenant, team, text);
    if (seconds > secondsMax) late.push({ text, seconds, response: reply.slice(0, 200) });
  }
  expect(late).toEqual([]);
}, 900_000);
