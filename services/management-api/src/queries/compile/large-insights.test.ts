import { afterAll, expect, jest, test } from '@jest/globals';
import type { LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import { insightKindOf } from '../insights/insight-kinds.ts';
import type { CheckedInsight, InsightKind } from '../insights/insight-kind.ts';
import { createCompileThread, type CompileThread } from './compile-thread.ts';
import { checkInsight, prepareInsight } from './prepare-insight.ts';
import { createQueryCompiler } from './query-compiler.ts';

// An insight that takes more units than the event loop can spare is compiled where large SQL is.
const thread = createCompileThread(() => undefined, { taskMsMax: 60_000, restFactor: 0 });
const compiler = createQueryCompiler(thread);
afterAll(() => thread.close());

const names: LearnedNames = {
  events: ['view'],
  properties: {
    event: ['revenue', 'plan', 'unread'].map((name) => ({ name, type: 'Numeric' })),
    person: [],
    group_0: [],
    group_1: [],
    group_2: [],
    group_3: [],
    group_4: [],
  },
  isComplete: true,
};
const series = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    kind: 'EventsNode',
    event: at === 0 ? 'veiw' : 'view',
    math: 'hogql',
    math_hogql: 'sum(properties.revenue)',
  }));
const trendsOf = (count: number): CheckedInsight => ({
  kind: 'TrendsQuery',
  series: series(count),
  breakdownFilter: { breakdowns: ['plan', 'b', 'c'].map((property) => ({ property, type: 'event' })) },
});
const large = trendsOf(26);
const kind = insightKindOf(large) as InsightKind;
const rows = { limit: undefined, offset: undefined, rowsMax: 100 };
const context = { nowMs: Date.UTC(2026, 0, 10), timeZone: 'Europe/Berlin', testAccounts: [] };
const here = prepareInsight(kind, large);

test('is checked in the thread as it would be here, with the names that its statement has', async () => {
  const sent = jest.spyOn(thread, 'check');
  const checked = await compiler.check(large, [], 'acme', names);
  expect(checked).toEqual(checkInsight(kind, large, { names }));
  expect(checked.types).toMatchObject({ event: { revenue: 'Numeric' } });
  expect(checked.warnings.map(({ message }) => message)).toContainEqual(expect.stringContaining('`view` is one'));
  expect(sent.mock.lastCall?.[0].names?.properties.event).toHaveLength(2);
  sent.mockRestore();
});

test('is compiled in the thread as it would be here, with its values and its override', async () => {
  const sent = jest.spyOn(thread, 'print');
  const prepared = compiler.prepare(large, 'acme');
  const override = { date_from: '2026-01-02', properties: [{ key: 'b', value: 'x' }] };
  for (const [apart, expected] of [
    [prepared, here],
    [prepared.insight?.overridden(override), here.insight.overridden(override)],
  ] as const) {
    const { shape, ...compiled } = (await apart?.compile({ plan: '7' }, rows, context, names)) ?? {};
    const { shape: shapeHere, ...compiledHere } = await expected.compile({ plan: '7' }, rows, context, names);
    expect(compiled).toEqual(compiledHere);
    expect(shape?.([])).toEqual(shapeHere?.([]));
  }
  expect(sent).toHaveBeenCalledTimes(2);
  sent.mockRestore();
});

test('is refused by the thread in the same words', async () => {
  const properties = Array.from({ length: 200 }, (_, at) => ({ key: `k${at}`, value: 'x' }));
  const refused = { ...large, properties };
  const apart = await compiler.check(refused, [], 'acme').catch((error: unknown) => error);
  expect(apart).toMatchObject({ code: 'query_too_large', details: { attr: 'query' } });
  expect(() => checkInsight(kind, refused)).toThrow((apart as Error).message);
});

test('needs no thread when it is small', async () => {
  const alone = createQueryCompiler({} as CompileThread);
  const { query } = await alone.check(trendsOf(1), [], 'acme', names);
  expect(alone.prepare(query, 'acme').compile({}, rows, context, names)).toMatchObject({
    sql: expect.stringContaining('SELECT'),
    shape: expect.any(Function),
  });
});
