import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import type { LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import { checkQuery, prepareChecked, type CheckedQuery } from './check-query.ts';
import { compileTable } from './compile-table.ts';
import { createCompileThread, type CompileThread } from './compile-thread.ts';
import { prepareTable } from './prepare-table.ts';
import { createQueryCompiler } from './query-compiler.ts';
import { previewMaterialization } from './preview-materialization.ts';

const onEnded = jest.fn<(reason: 'time' | 'memory') => void>();
const limitsOfTests = { taskMsMax: 60_000, restFactor: 0 };
const thread = createCompileThread(onEnded, limitsOfTests);
const opened: CompileThread[] = [];
afterEach(() => {
  onEnded.mockClear();
});
afterAll(() => Promise.all([thread, ...opened].map((one) => one.close())));

const list = (count: number, part: (index: number) => string, separator = ', '): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(separator);
const hostile = `with w as (select ${list(2_000, (index) => `1 a${index}`)}) select * from w${' union all select * from w'.repeat(1_300)}`;
const where = list(1_000, (index) => `event = 'e${index}'`, ' OR ');
const long = `SELECT event, {variables.a} AS a FROM events WHERE ${where}`;
const definition = (query: string) => ({
  kind: 'HogQLQuery',
  query,
  variables: { id: { code_name: 'a', value: 'x' }, unused: { code_name: 'b' } },
});
const rows = { limit: 10, offset: undefined, rowsMax: 100 };
const filterContext = { nowMs: 0, timeZone: 'UTC', testAccounts: [] };
const calmed = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );

describe('a plan', () => {
  const alone = createQueryCompiler({} as CompileThread);
  const planOf = (query: string) => ({
    query: { kind: 'HogQLQuery', query, variables: { id: { code_name: 'a', value: 'x' } } },
    name: 'e',
    version: 1,
    bucketOverrides: null,
  });

  test('of a short query needs no thread', async () => {
    const short = planOf('SELECT count() FROM events WHERE event = {variables.a}');
    expect(alone.previewHere(short)).toEqual(previewMaterialization(short));
    expect(await alone.preview(short, 'acme')).toEqual(previewMaterialization(short));
  });

  test('of a long one, or of one that takes many units, is not made beside others', () => {
    const ctes = list(6, (at) => `w${at} AS (SELECT ${list(60, () => '*', ',')} FROM events)`);
    const stars = planOf(
      `WITH ${ctes} SELECT count() AS n FROM events JOIN w5 ON 1 = 1 WHERE events.event = {variables.a}`,
    );
    expect(previewMaterialization(stars)).toMatchObject({ can_materialize: true });
    for (const large of [planOf(`SELECT ${list(500, (at) => `event e${at}`)} FROM events`), stars])
      expect(alone.previewHere(large)).toBeNull();
  });
});

describe('a large query', () => {
  const compiler = createQueryCompiler(thread);

  test('is checked and compiled in the thread as it would be here', async () => {
    const here = checkQuery(definition(long));
    const checked = await compiler.check(definition(long), [], 'acme');
    expect(checked).toEqual(here);
    const prepared = compiler.prepare(checked.query, 'acme');
    expect(prepared.variables).toEqual(prepareChecked(here.query).variables);
    expect(await prepared.compile({ a: 'y' }, rows, filterContext)).toEqual(
      prepareChecked(here.query).compile({ a: 'y' }, rows, filterContext),
    );
  });

  test('is refused in the same words, with the place that editors show', async () => {
    const wrong = `${long} AND evnt = 1`;
    const error = await calmed(compiler.check(definition(wrong), [], 'acme'));
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ status: 400, details: { attr: 'query' }, cause: expect.any(QueryError) });
    expect((error as AppError).cause).toMatchObject({
      code: 'unknown_column',
      suggestion: 'event',
      position: { start: wrong.indexOf('evnt') },
    });
    expect(() => checkQuery(definition(wrong))).toThrow((error as AppError).message);
  });

  test('costs the calling thread next to nothing, however large it is', async () => {
    await compiler.check(definition(long), [], 'acme');
    const before = process.threadCpuUsage();
    const refused = await Promise.all(
      Array.from({ length: 20 }, () => calmed(compiler.check(definition(hostile), [], 'acme'))),
    );
    const { user, system } = process.threadCpuUsage(before);
    expect(refused.filter((error) => error instanceof AppError && error.code === 'query_too_large')).toHaveLength(20);
    // Each takes 30 to 50 ms there.
    expect((user + system) / 1_000).toBeLessThan(200);
  });

  test('is planned as a table in the thread, as it would be here', async () => {
    const previewed = {
      query: checkQuery(definition(`SELECT count() FROM events WHERE event = {variables.a} AND (${where})`)).query,
      name: 'e',
      version: 1,
      bucketOverrides: null,
    };
    const sent = jest.spyOn(thread, 'preview');
    const planned = await compiler.preview(previewed, 'acme');
    expect(planned.can_materialize).toBe(true);
    expect(planned).toEqual(previewMaterialization(previewed));
    expect(sent).toHaveBeenCalledTimes(1);
    sent.mockRestore();
  });

  test('is compiled once for runs of the same query', async () => {
    const print = jest.spyOn(thread, 'print');
    const { query } = await compiler.check(definition(long), [], 'acme');
    const prepared = compiler.prepare(query, 'acme');
    const [first, second] = [
      await prepared.compile({ a: 'y' }, rows, filterContext),
      await prepared.compile({ a: 'y' }, rows, filterContext),
    ];
    expect(second).toBe(first);
    expect(print).toHaveBeenCalledTimes(1);
    await prepared.compile({ a: 'z' }, rows, filterContext);
    expect(print).toHaveBeenCalledTimes(2);
    // Its days are others in another time zone.
    await prepared.compile({ a: 'z' }, rows, { ...filterContext, timeZone: 'Asia/Tokyo' });
    expect(print).toHaveBeenCalledTimes(3);
    print.mockRestore();
  });
});

describe('a large query of a project with many names', () => {
  const compiler = createQueryCompiler(thread);
  const names: LearnedNames = {
    events: [...Array.from({ length: 9_000 }, (_, at) => `e${at}`), 'signed up'],
    properties: Object.fromEntries(
      (['event', 'person', 'group_0', 'group_1', 'group_2', 'group_3', 'group_4'] as const).map((owner) => [
        owner,
        [...Array.from({ length: 9_990 }, (_, at) => `p${at}`), 'revenue'].map((name) => ({ name, type: 'Numeric' })),
      ]),
    ),
    isComplete: true,
  };
  const query = `${long} AND properties.revenue + properties[{variables.a}] + properties.ravenue > 0 OR event = 'signedup'`;

  test('is compiled as it would be here, warnings with suggestions too, though the thread gets few of them', async () => {
    const sent = jest.spyOn(thread, 'print');
    const checked = await compiler.check(definition(query), [], 'acme', names);
    expect(checked).toEqual(checkQuery(definition(query), [], { names }));
    const apart = await compiler.prepare(checked.query, 'acme').compile({ a: 'p17' }, rows, filterContext, names);
    expect(apart).toEqual(
      prepareChecked(checked.query as CheckedQuery).compile({ a: 'p17' }, rows, filterContext, names),
    );
    expect(apart.properties).toContainEqual({ owner: 'event', name: 'p17', type: 'Numeric' });
    expect(apart.warnings.map(({ message }) => message)).toContainEqual(expect.stringContaining('`revenue` has'));
    expect(sent.mock.lastCall?.[0].names?.properties.event).toHaveLength(2);
    sent.mockRestore();
  });

  test('has no warning of unknown names, and is compiled once, when it keeps types of its own', async () => {
    const sent = jest.spyOn(thread, 'print');
    const { query: checked, types } = await compiler.check(definition(query), [], 'acme', names);
    const prepared = compiler.prepare(checked, 'acme', types);
    const first = await prepared.compile({ a: 'x' }, rows, filterContext, names);
    expect(await prepared.compile({ a: 'x' }, rows, filterContext, { ...names })).toBe(first);
    expect(sent).toHaveBeenCalledTimes(1);
    expect(first.warnings).toEqual([]);
    const here = prepareChecked(checked as CheckedQuery, { kept: types }).compile(
      { a: 'x' },
      rows,
      filterContext,
      names,
    );
    expect({ ...first, warnings: here.warnings }).toEqual(here);
    sent.mockRestore();
  });

  test('costs the calling thread next to nothing', async () => {
    const { query: checked } = await compiler.check(definition(query), [], 'acme', names);
    const prepared = compiler.prepare(checked, 'acme');
    const texts = Array.from({ length: 20 }, (_, at) => String(at));
    await prepared.compile({ a: 'x' }, rows, filterContext, names);
    const before = process.threadCpuUsage();
    await Promise.all(texts.map(async (a) => await prepared.compile({ a }, rows, filterContext, names)));
    const { user, system } = process.threadCpuUsage(before);
    // All names, cloned, would take 85 ms each.
    expect((user + system) / 1_000).toBeLessThan(800);
  });
});

// A table is read where a query of its length would be compiled: the event loop of all projects stays free (contract/endpoints 6.5).
describe('the read of a table', () => {
  const compiler = createQueryCompiler(thread);
  const kept = {};
  const tableOf = (query: string) => {
    const { query: checked } = checkQuery({ ...definition(query), variables: { id: { code_name: 'a', value: 'x' } } });
    const { plan } = compileTable({ query: checked, kept, bucketOverrides: null, filterContext });
    return { plan, view: 'v', query: checked, kept };
  };
  const counts = (count: number, length: number, alias = ''): string =>
    list(count, (at) => `countIf(event = '${String(at).padStart(length, '0')}')${alias && ` AS ${alias}${at}`}`);
  const large = tableOf(`SELECT ${counts(60, 400)} FROM events WHERE event LIKE {variables.a}`);

  test('that is long is compiled in the thread, as it would be here, once for runs with the same values', async () => {
    expect(large.plan.read.length).toBeGreaterThan(20_000);
    const sent = jest.spyOn(thread, 'read');
    const prepared = compiler.prepareTable(large, 'acme');
    expect(prepared.serves({ a: 'y' })).toBe(true);
    const first = await prepared.compile({ a: 'y' }, rows, filterContext);
    expect(first).toEqual(prepareTable(large).compile({ a: 'y' }, rows));
    expect(await prepared.compile({ a: 'y' }, rows, { ...filterContext, nowMs: 1 })).toBe(first);
    expect(sent).toHaveBeenCalledTimes(1);
    await prepared.compile({ a: 'z' }, rows, filterContext);
    expect(sent).toHaveBeenCalledTimes(2);
    sent.mockRestore();
  });

  test('that is long costs the calling thread next to nothing, prepared anew each time', async () => {
    await compiler.prepareTable(large, 'acme').compile({ a: 'x' }, rows, filterContext);
    const before = process.threadCpuUsage();
    for (let at = 0; at < 20; at++) compiler.prepareTable({ ...large, view: `v${at}` }, 'acme');
    const { user, system } = process.threadCpuUsage(before);
    // Parsing it takes 10 ms each time.
    expect((user + system) / 1_000).toBeLessThan(100);
  });

  test('that is short is compiled at once, without warnings: places in it are none of the query', () => {
    const short = tableOf('SELECT count() FROM events WHERE event = {variables.a}');
    const compiled = compiler.prepareTable(short, 'acme').compile({ a: 'y' }, rows, filterContext);
    expect(compiled).toMatchObject({ sql: expect.stringContaining('materialized'), warnings: [] });
  });

  test('has the columns of the query by name, also those whose text no alias can have', () => {
    const sql = "SELECT count(), countIf(event = 'e'), 1 AS one FROM events WHERE event = {variables.a}";
    const { columns } = prepareTable(tableOf(sql)).compile({ a: 'y' }, rows);
    expect(columns.map(({ name }) => name)).toEqual(['count()', "countIf(event = 'e')", 'one']);
  });

  test('that is short and would take long is left to the thread', () => {
    const short = tableOf('SELECT count() FROM events WHERE event = {variables.a}');
    expect(() => prepareTable(short, 1).compile({ a: 'y' }, rows)).toThrow(
      expect.objectContaining({ code: 'query_too_large' }),
    );
  });

  test('that this release cannot parse is an error of the set-up, where it is parsed', async () => {
    const broken = (read: string) =>
      compiler.prepareTable({ ...large, view: 'broken', plan: { ...large.plan, read } }, 'acme');
    expect(() => broken('SELEC 1')).toThrow(expect.objectContaining({ code: 'error' }));
    expect(() => broken(' '.repeat(70_000))).toThrow(expect.objectContaining({ code: 'error' }));
    const apart = broken(`SELEC ${'1 '.repeat(10_000)}`);
    expect(await calmed(Promise.resolve(apart.compile({ a: 'x' }, rows, filterContext)))).toMatchObject({
      code: 'error',
    });
  });

  test('that could not be parsed is refused when the table is planned', () => {
    expect(() => tableOf(`SELECT ${counts(154, 400)} FROM events WHERE event LIKE {variables.a}`)).toThrow(
      /query on its table/,
    );
  });
});

describe('a short query', () => {
  const refusing: CompileThread = {
    check: () => Promise.reject(new Error('asked')),
    print: () => Promise.reject(new Error('asked')),
    preview: () => Promise.reject(new Error('asked')),
    rewrite: () => Promise.reject(new Error('asked')),
    table: () => Promise.reject(new Error('asked')),
    read: () => Promise.reject(new Error('asked')),
    close: () => Promise.resolve(),
  };

  test('is compiled at once', async () => {
    const compiler = createQueryCompiler(refusing);
    const { query } = await compiler.check(definition('SELECT {variables.a} FROM events'), [], 'acme');
    expect(compiler.prepare(query, 'acme').compile({ a: 'x' }, rows, filterContext)).toMatchObject({
      sql: expect.stringContaining('SELECT'),
    });
  });

  test('that would take long goes to the thread', async () => {
    const wide = `with w as (select ${list(300, (index) => `1 a${index}`, ',')}) select * from w${' union all select * from w'.repeat(30)}`;
    expect(wide.length).toBeLessThan(8_192);
    await expect(createQueryCompiler(refusing).check(definition(wide), [], 'acme')).rejects.toThrow('asked');
    expect(await calmed(createQueryCompiler(thread).check(definition(wide), [], 'acme'))).toBeDefined();
  });

  test('that is too long to be read is refused unread', async () => {
    await expect(createQueryCompiler(refusing).check(definition(' '.repeat(70_000)), [], 'acme')).rejects.toThrow();
  });
});

describe('the thread', () => {
  function opening(limits: Parameters<typeof createCompileThread>[1] = {}): CompileThread {
    const made = createCompileThread(onEnded, { ...limitsOfTests, ...limits });
    opened.push(made);
    return made;
  }
  const task = { kind: 'check', definition: definition(long), shared: [] } as const;

  test('is ended when a task takes too long, and there is another for the next', async () => {
    const slow = opening({ taskMsMax: 1 });
    for (const reason of ['time', 'time'] as const) {
      expect(await calmed(slow.check(task, 'acme'))).toMatchObject({
        code: 'query_too_large',
        message: expect.stringContaining('too long'),
      });
      expect(onEnded).toHaveBeenLastCalledWith(reason);
    }
    expect(onEnded).toHaveBeenCalledTimes(2);
  });

  test('has its start for itself: a short first task is in time', async () => {
    const short = opening({ taskMsMax: 500 });
    await expect(short.check({ ...task, definition: definition('select 1') }, 'acme')).resolves.toBeDefined();
  });

  test('that was ended returns no result to another task', async () => {
    const late = opening({ taskMsMax: 2_000 });
    await late.check(task, 'first');
    const [ended, next] = [
      calmed(late.check(task, 'acme')),
      late.check({ ...task, definition: definition(`${long} AND event = 'next'`) }, 'other'),
    ];
    // The event loop stands still until the time is over and the response is there. From here on timers come first.
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_300);
    expect(await ended).toMatchObject({ code: 'query_too_large' });
    expect(String((await next).query['query']).endsWith("'next'")).toBe(true);
  });

  test('alone ends when its memory does not suffice', async () => {
    expect(await calmed(opening({ heapMbMax: 4 }).check(task, 'acme'))).toMatchObject({
      code: 'query_too_large',
      message: expect.stringContaining('memory'),
    });
    expect(onEnded).toHaveBeenLastCalledWith('memory');
  });

  test('needs less than 64 MB for what is worst', async () => {
    const small = opening({ heapMbMax: 64 });
    const texts = [
      hostile,
      `select [${'1,'.repeat(20_000)} 1]`,
      `select ${list(2_500, (index) => `range(9)[length(event) in (1, ${index}):2]`)} from events`,
      `select ${'(select * from events), '.repeat(2_700)} 1`,
    ];
    for (const text of [...texts, ...texts])
      await calmed(small.check({ kind: 'check', definition: definition(text), shared: [] }, 'acme'));
    expect(onEnded).not.toHaveBeenCalled();
  });

  // A message that meets the heap limit while it is read would end the whole process.
  test.each([
    ['empty objects', () => ({})],
    ['objects of a key of their own', (at: number) => ({ [`k${at}`]: 1 })],
    ['empty lists', () => []],
    ['numbers', (at: number) => at / 10],
  ])('reads a request of a mebibyte of %s in less than 64 MB', async (_name, value) => {
    const item = JSON.stringify(value(100_000)).length + 1;
    const values = Array.from({ length: 1_048_576 / item }, (_, at) => value(at));
    const small = opening({ heapMbMax: 64 });
    await calmed(small.check({ ...task, definition: { ...definition(long), values } }, 'acme'));
    expect(onEnded).not.toHaveBeenCalled();
  });

  test('lets so many tasks of one organization wait, and serves others in turn', async () => {
    const few = opening({ waitingPerOwnerMax: 2, waitingMax: 3 });
    const sent = [1, 2, 3, 4].map(() => calmed(few.check(task, 'acme')));
    const other = calmed(few.check(task, 'other'));
    expect(await sent[3]).toMatchObject({ status: 429, details: { retryAfterS: 1 } });
    void calmed(few.check(task, 'third'));
    expect(await calmed(few.check(task, 'fourth'))).toMatchObject({ status: 503, details: { retryAfterS: 1 } });
    expect(await Promise.race([other.then(() => 'other'), sent[2] as Promise<unknown>])).toBe('other');
    expect(await Promise.all(sent.slice(0, 3))).toEqual(['done', 'done', 'done']);
  });

  // One organization would have a core of two for as long as it sends.
  test('lets nobody rest for its start', async () => {
    const fresh = createCompileThread(onEnded, { ...limitsOfTests, restFactor: 250 });
    opened.push(fresh);
    const task = {
      kind: 'check',
      definition: definition('SELECT event, {variables.a} FROM events'),
      shared: [],
    } as const;
    // A start takes 0.3 s and more, so the second would wait longer than a test may.
    for (const _ of [1, 2]) expect(await fresh.check(task, 'acme')).toMatchObject({ placeholders: ['variables.a'] });
  });

  test('lets an organization rest after its task, and serves others meanwhile', async () => {
    const resting = opening({ restFactor: 10_000 });
    await resting.check(task, 'acme');
    const second = calmed(resting.check(task, 'acme'));
    for (const other of ['b', 'c', 'd']) await resting.check(task, other);
    await resting.close();
    expect(await second).toMatchObject({ code: 'unavailable' });
  });

  test('goes on with an organization that has rested', async () => {
    const resting = opening({ restFactor: 1 });
    expect(await Promise.all([1, 2, 3].map(() => calmed(resting.check(task, 'acme'))))).toEqual([
      'done',
      'done',
      'done',
    ]);
  });

  test('that is closed leaves nothing waiting', async () => {
    const closing = opening();
    const waiting = [1, 2, 3].map(() => calmed(closing.check(task, 'acme')));
    await closing.close();
    expect(await Promise.all(waiting)).toEqual([1, 2, 3].map(() => expect.objectContaining({ code: 'unavailable' })));
    await expect(closing.check(task, 'acme')).rejects.toThrow(expect.objectContaining({ code: 'unavailable' }));
  });
});
