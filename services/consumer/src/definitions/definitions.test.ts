import { expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { processedDraft, testProject } from '../test/drafts.ts';
import type { Retry } from '../stream/retry.ts';
import type { DefinitionStore } from './definition-store.ts';
import { createDefinitions } from './definitions.ts';
import { kindOf, valueKinds } from './value-kind.ts';

const retry: Retry = (_, work) => work(0, () => undefined);

/** Postgres refuses a statement that writes one row twice. */
function refuseTwice(keys: readonly string[]): void {
  if (new Set(keys).size < keys.length) throw new Error('a row is twice in one statement');
}

/** A store in memory that settles as Postgres does, and the statements that it got. */
function rig({ namesMax = 100_000, fails = (): boolean => false, everyMs = 3_600_000, sizeMax = 300_000 } = {}) {
  const clock = { ms: Date.UTC(2026, 4, 4), nowMs: () => clock.ms };
  const values = new Map<string, number[]>();
  const events = new Set<string>();
  const pairs = new Set<string>();
  const statements: string[] = [];
  const reach = async (statement: string): Promise<void> => {
    await Promise.resolve();
    statements.push(statement);
    if (fails()) throw new Error('away');
  };
  const store: DefinitionStore = {
    async writeEvents(given) {
      await reach('events');
      refuseTwice(given.map(({ name }) => name));
      for (const { name } of given) events.add(name);
      return new Set(given);
    },
    async writeProperties(given) {
      await reach('properties');
      refuseTwice(given.map(({ property: { owner, name } }) => `${owner} ${name}`));
      const stored = new Map();
      for (const { property, counts } of given) {
        const key = `${property.owner}${property.groupTypeIndex === -1 ? '' : property.groupTypeIndex}.${property.name}`;
        const before = values.get(key);
        if (before === undefined && values.size >= namesMax) continue;
        values.set(
          key,
          counts.map((count, index) => count + (before?.[index] ?? 0)),
        );
        stored.set(property, (values.get(key) ?? []).reduce((sum, count) => sum + count, 0) >= 20);
      }
      return stored;
    },
    async writePairs(given) {
      await reach('pairs');
      for (const { event, property } of given) pairs.add(`${event} ${property}`);
    },
    settleOld: () => Promise.resolve(),
  };
  const lost: unknown[] = [];
  const definitions = createDefinitions(store, { clock, everyMs, sizeMax, onLost: (error) => lost.push(error) });
  const counts = (key: string): Record<string, number> | undefined => {
    const found = values.get(key);
    return found && Object.fromEntries(valueKinds.flatMap((kind, at) => (found[at] ? [[kind, found[at]]] : [])));
  };
  const send = (event: string, properties: unknown, head = {}): boolean =>
    definitions.learn(processedDraft({ event, ...head }, JSON.stringify(properties), testProject));
  return { clock, definitions, counts, events, pairs, statements, lost, send, values };
}

test('values are told apart by their JSON type; ISO dates and times are texts of their own', () => {
  const kinds = (value: unknown): string | undefined => valueKinds.at(kindOf('x', value));
  for (const time of [
    '2026-05-04',
    '2026-05-04T10:00',
    '2026-05-04 10:00:00',
    '2026-05-04T10:00:00.123456Z',
    '2026-05-04T10:00:00+02:00',
  ])
    expect([time, kinds(time)]).toEqual([time, 'times']);
  for (const text of ['', '12', 'true', '2026', '2026-13-01', '2026-05-04T25:00', '4 May 2026', '2026-05-04x'])
    expect([text, kinds(text)]).toEqual([text, 'texts']);
  expect([1, -0.5, true, [], {}].map(kinds)).toEqual(['numbers', 'numbers', 'booleans', 'lists', 'objects']);
  expect(kindOf('x', null)).toBe(-1);
  expect(kindOf('utm_campaign', 2026)).toBe(valueKinds.indexOf('texts'));
  expect(kindOf('$feature/new-checkout', true)).toBe(valueKinds.indexOf('texts'));
});

test('events, properties, what carries what, and the values of each type are learned', async () => {
  const { definitions, counts, events, pairs, send } = rig();
  send('paid', { amount: 12.5, gift: true, plan: 'pro', when: '2026-05-04', tags: ['a'], nothing: null, o: { a: 1 } });
  send('paid', { amount: 3, plan: 'free' });
  send('viewed', { plan: 'pro' });
  await definitions.written(retry);
  expect([...events].sort()).toEqual(['paid', 'viewed']);
  expect(counts('event.amount')).toEqual({ numbers: 2 });
  expect(counts('event.plan')).toEqual({ texts: 3 });
  expect(counts('event.gift')).toEqual({ booleans: 1 });
  expect(counts('event.when')).toEqual({ times: 1 });
  expect(counts('event.tags')).toEqual({ lists: 1 });
  expect(counts('event.o')).toEqual({ objects: 1 });
  expect(counts('event.nothing')).toEqual({});
  expect(pairs).toContain('paid amount');
  expect(pairs).not.toContain('viewed amount');
});

test('properties of persons come from $set and $set_once and from what an event says of its person, those of groups from $groupidentify', async () => {
  const { definitions, counts, send } = rig();
  send('seen', { $set: { plan: 'pro', age: 7 }, $set_once: { first: '2026-05-04' }, $browser: 'Firefox' });
  definitions.learnGroup(testProject.id, 1, { seats: 5 });
  await definitions.written(retry);
  expect(counts('person.plan')).toEqual({ texts: 1 });
  expect(counts('person.age')).toEqual({ numbers: 1 });
  expect(counts('person.first')).toEqual({ times: 1 });
  expect(counts('person.$browser')).toEqual({ texts: 1 });
  expect(counts('person.$initial_browser')).toEqual({ texts: 1 });
  expect(counts('group1.seats')).toEqual({ numbers: 1 });
  expect(counts('event.$set')).toBeUndefined();
});

test('an anonymous event says nothing of a person', async () => {
  const { definitions, counts, send } = rig();
  send('seen', { $browser: 'Firefox', $process_person_profile: false });
  await definitions.written(retry);
  expect(counts('event.$browser')).toEqual({ texts: 1 });
  expect(counts('person.$browser')).toBeUndefined();
});

test('once the types of its properties are settled an event writes nothing; its values are counted each period', async () => {
  const { definitions, counts, statements, send } = rig();
  for (let at = 0; at < 20; at++) send('paid', { amount: at });
  await definitions.written(retry);
  statements.length = 0;
  for (let at = 0; at < 500; at++) send('paid', { amount: at });
  send('paid', { amount: 'none' });
  await definitions.written(retry);
  expect(statements).toEqual([]);
  definitions.start();
  await definitions.stop();
  expect(counts('event.amount')).toEqual({ numbers: 520, texts: 1 });
});

test('a text among the first values is met, whatever the shapes of the events before it', async () => {
  const { definitions, counts, send } = rig();
  for (let at = 0; at < 10; at++) send('paid', { amount: at, coupon: 'x' });
  send('paid', { amount: '', coupon: 'x' });
  for (let at = 0; at < 10; at++) send('paid', { amount: at, coupon: 'x' });
  await definitions.written(retry);
  expect(counts('event.amount')).toEqual({ numbers: 19, texts: 1 });
});

test('texts of one shape that are no times are not taken for times while the type is open', async () => {
  const { definitions, counts, send } = rig();
  send('paid', { at: '2026-05-04' });
  send('paid', { at: '2026-abcd' });
  await definitions.written(retry);
  expect(counts('event.at')).toEqual({ times: 1, texts: 1 });
});

test('a failed write loses nothing: the values are due again, for whoever writes next', async () => {
  let isAway = true;
  const { definitions, counts, events, send } = rig({ fails: () => isAway });
  send('paid', { amount: 1 });
  await expect(definitions.written(retry)).rejects.toThrow('away');
  send('paid', { amount: 2 });
  isAway = false;
  await definitions.written(retry);
  expect(counts('event.amount')).toEqual({ numbers: 2 });
  expect([...events]).toEqual(['paid']);
});

test('a batch waits for the write of another batch that holds what it has learned, and repeats it when it fails', async () => {
  let failures = 1;
  const { definitions, counts, send } = rig({ fails: () => failures-- > 0 });
  send('paid', { amount: 1 });
  const [first, second] = [definitions.written(retry), definitions.written(retry)];
  await expect(first).rejects.toThrow('away');
  await second;
  expect(counts('event.amount')).toEqual({ numbers: 1 });
});

test('counts that could not be written are reported once and written later', async () => {
  let isAway = false;
  const { definitions, counts, lost, send } = rig({ fails: () => isAway, everyMs: 1 });
  for (let at = 0; at < 20; at++) send('paid', { amount: at });
  await definitions.written(retry);
  isAway = true;
  send('paid', { amount: 20 });
  definitions.start();
  await eventually(() => Promise.resolve(expect(lost).toHaveLength(1)));
  isAway = false;
  await definitions.stop();
  expect(counts('event.amount')).toEqual({ numbers: 21 });
});

test('random names end at the limit: later ones cost a look-up, are reported, and make no row', async () => {
  const { definitions, send, values, statements } = rig({ namesMax: 50 });
  for (let at = 0; at < 60; at++) send('paid', { [`key ${at}`]: 1 });
  await definitions.written(retry);
  expect(values.size).toBe(50);
  statements.length = 0;
  expect(send('paid', { 'another key': 1 })).toBe(true);
  expect(send('paid', { 'key 1': 1 })).toBe(false);
  await definitions.written(retry);
  expect(values.has('event.another key')).toBe(false);
});

test('a hundred thousand random keys stay within the bounds of memory and statements', async () => {
  const { clock, definitions, send, values, statements } = rig();
  for (let at = 0; at < 100_000; at++) {
    clock.ms += 2;
    send(`event ${at % 20_000}`, { [`k${at}`]: at, plan: 'x' });
    if (at % 5_000 === 0) await definitions.written(retry);
  }
  await definitions.written(retry);
  expect(values.size).toBeGreaterThan(1_000);
  expect(values.size).toBeLessThanOrEqual(10_000);
  expect(statements.length).toBeLessThan(100);
});

test('names come late that come by the thousand; a shape is closed only when all of its names are learned', async () => {
  const { clock, counts, definitions, send } = rig();
  for (let at = 0; at < 600; at++) send('paid', { [`key ${at}`]: 1 });
  const late = (): void => void send('paid', { late: 1 });
  for (let at = 0; at < 100; at++) late();
  await definitions.written(retry);
  expect(counts('event.late')).toBeUndefined();
  clock.ms += 1_000;
  late();
  await definitions.written(retry);
  expect(counts('event.late')).toEqual({ numbers: 1 });
});

test('a project that memory has no room for is forgotten and learned again; no name is twice in one statement', async () => {
  const { clock, definitions, counts, lost, send } = rig({ sizeMax: 0, everyMs: 1 });
  definitions.start();
  for (let at = 0; at < 300; at++) {
    clock.ms += 100;
    send(`event ${at % 7}`, { plan: 'x', [`key ${at % 40}`]: at });
    if (at % 3 === 0) await definitions.written(retry);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  await definitions.written(retry);
  await definitions.stop();
  expect(lost).toEqual([]);
  expect(counts('event.plan')).toEqual({ texts: 300 });
});

test('of a project so many pairs of event and property are learned, and no more', async () => {
  const { clock, definitions, pairs, send } = rig();
  const properties = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`key ${at}`, at]));
  for (let at = 0; at < 200; at++) {
    clock.ms += 1_000;
    send(`event ${at}`, properties);
  }
  await definitions.written(retry);
  expect(pairs.size).toBe(20_000);
});
