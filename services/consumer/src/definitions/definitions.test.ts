import { expect, test } from '@jest/globals';
import { isLearnedProperty, learnedPairsMax, unlearnedNames, valueKinds } from '@millrace/contracts/property-types.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { processedDraft, testProject } from '../test/drafts.ts';
import { learner, noRetry, storeInMemory } from '../test/definitions-rig.ts';
import { ProjectDefinitions } from './project-definitions.ts';
import { createUnwritten } from './unwritten.ts';
import { kindOf } from './value-kind.ts';

interface RigOptions {
  namesMax?: number;
  fails?: () => boolean;
  everyMs?: number;
  sizeMax?: number;
}

function rig({ namesMax, fails, ...options }: RigOptions = {}) {
  const stored = storeInMemory({ ...(namesMax !== undefined && { namesMax }), ...(fails !== undefined && { fails }) });
  return { ...stored, ...learner(stored.store, options) };
}

test('values are told apart by their JSON type; ISO dates and times are texts of their own', () => {
  const kinds = (value: unknown): string | undefined => valueKinds.at(kindOf('x', value));
  for (const time of [
    '2026-05-04',
    '2026-05-04T10:00',
    '2026-05-04 10:00:00',
    '2026-05-04T10:00:00.123456Z',
    '2026-05-04T10:00:00+02:00',
    '1900-01-01',
    '2299-12-31T23:59:59Z',
  ])
    expect([time, kinds(time)]).toEqual([time, 'times']);
  for (const text of ['', '12', 'true', '2026', '2026-13-01', '2026-05-04T25:00', '4 May 2026', '2026-05-04x'])
    expect([text, kinds(text)]).toEqual([text, 'texts']);
  // ClickHouse has no such years; zero times and ends of all time are written so.
  for (const text of ['0001-01-01T00:00:00Z', '1899-12-31', '2300-01-01', '9999-12-31T23:59:59Z'])
    expect([text, kinds(text)]).toEqual([text, 'texts']);
  expect([1, -0.5, true, [], {}].map(kinds)).toEqual(['numbers', 'numbers', 'booleans', 'lists', 'objects']);
  expect(kindOf('x', null)).toBe(-1);
  expect(kindOf('utm_campaign', 2026)).toBe(valueKinds.indexOf('texts'));
  expect(kindOf('$feature/new-checkout', true)).toBe(valueKinds.indexOf('texts'));
  for (const id of ['$ai_trace_id', '$ai_group_id', '$ai_id'])
    for (const value of [7, '2026-05-04', true]) expect(kindOf(id, value)).toBe(valueKinds.indexOf('texts'));
  expect(kindOf('$ai_latency', 7)).toBe(valueKinds.indexOf('numbers'));
});

test('events, properties, what carries what, and the values of each type are learned', async () => {
  const { definitions, counts, events, pairs, send } = rig();
  send('paid', { amount: 12.5, gift: true, plan: 'pro', when: '2026-05-04', tags: ['a'], nothing: null, o: { a: 1 } });
  send('paid', { amount: 3, plan: 'free' });
  send('viewed', { plan: 'pro' });
  await definitions.written(noRetry);
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
  const { definitions, counts, send, sendGroup } = rig();
  send('seen', { $set: { plan: 'pro', age: 7 }, $set_once: { first: '2026-05-04' }, $browser: 'Firefox' });
  sendGroup(1, { seats: 5 });
  await definitions.written(noRetry);
  expect(counts('person.plan')).toEqual({ texts: 1 });
  expect(counts('person.age')).toEqual({ numbers: 1 });
  expect(counts('person.first')).toEqual({ times: 1 });
  expect(counts('person.$browser')).toEqual({ texts: 1 });
  expect(counts('person.$initial_browser')).toEqual({ texts: 1 });
  expect(counts('group1.seats')).toEqual({ numbers: 1 });
  expect(counts('event.$set')).toBeUndefined();
});

test('names are learned as the contract says, which warnings of unknown names go by', async () => {
  const { definitions, counts, events, send, sendGroup } = rig();
  const names = [
    ...Object.values(unlearnedNames).flatMap((all) => [...all]),
    ...['plan', '', '$group_5', 'é'.repeat(100), 'é'.repeat(101), 'x'.repeat(200), 'x'.repeat(201)],
  ];
  const instructions = ['$set', '$set_once', '$unset', '$groups', '$group_set'];
  send('seen', Object.fromEntries(names.map((name) => [name, instructions.includes(name) ? {} : 1])));
  send('seen', { $set: Object.fromEntries(names.map((name) => [name, 1])) });
  sendGroup(1, Object.fromEntries(names.map((name) => [name, 1])));
  send('é'.repeat(100), {});
  send('é'.repeat(101), {});
  await definitions.written(noRetry);
  const learned = (owner: string): string[] => names.filter((name) => counts(`${owner}.${name}`) !== undefined);
  expect(learned('event')).toEqual(names.filter((name) => isLearnedProperty('event', name)));
  expect(learned('person')).toEqual(names.filter((name) => isLearnedProperty('person', name)));
  expect(learned('group1')).toEqual(names.filter((name) => isLearnedProperty('group', name)));
  expect(learned('event')).toEqual(['$creator_event_uuid', 'plan', '', '$group_5', 'é'.repeat(100), 'x'.repeat(200)]);
  expect([...events]).toEqual(['seen', 'é'.repeat(100)]);
});

test('an anonymous event says nothing of a person', async () => {
  const { definitions, counts, send } = rig();
  send('seen', { $browser: 'Firefox', $process_person_profile: false });
  await definitions.written(noRetry);
  expect(counts('event.$browser')).toEqual({ texts: 1 });
  expect(counts('person.$browser')).toBeUndefined();
});

test('once the types of its properties are settled an event writes nothing; its values are counted each period', async () => {
  const { definitions, counts, statements, send } = rig();
  for (let at = 0; at < 20; at++) send('paid', { amount: at });
  await definitions.written(noRetry);
  statements.length = 0;
  for (let at = 0; at < 500; at++) send('paid', { amount: at });
  send('paid', { amount: 'none' });
  await definitions.written(noRetry);
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
  await definitions.written(noRetry);
  expect(counts('event.amount')).toEqual({ numbers: 19, texts: 1 });
});

test('texts of one shape that are no times are not taken for times while the type is open', async () => {
  const { definitions, counts, send } = rig();
  send('paid', { at: '2026-05-04' });
  send('paid', { at: '2026-abcd' });
  await definitions.written(noRetry);
  expect(counts('event.at')).toEqual({ times: 1, texts: 1 });
});

test('a failed write loses nothing: the values are due again, for whoever writes next', async () => {
  let isAway = false;
  const { definitions, counts, events, send } = rig({ fails: () => isAway });
  send('paid', {});
  await definitions.written(noRetry);
  isAway = true;
  send('paid', { amount: 1 });
  await expect(definitions.written(noRetry)).rejects.toThrow('away');
  send('paid', { amount: 2 });
  isAway = false;
  await definitions.written(noRetry);
  expect(counts('event.amount')).toEqual({ numbers: 2 });
  expect([...events]).toEqual(['paid']);
});

test('a batch does not wait for what others learn after it', async () => {
  let writes = 0;
  const stored = storeInMemory({
    // Another lane always has something due.
    onDone(statement) {
      if (statement === 'properties' && ++writes < 100) send('paid', { [`other ${writes}`]: 1 });
    },
  });
  const { definitions, send } = learner(stored.store);
  send('paid', { amount: 1 });
  await definitions.written(noRetry);
  expect(stored.counts('event.amount')).toEqual({ numbers: 1 });
  expect(writes).toBeLessThan(5);
});

test('a batch waits for the write of another batch that holds what it has learned, and repeats it when it fails', async () => {
  let failures = 0;
  const { definitions, counts, send } = rig({ fails: () => failures-- > 0 });
  send('paid', {});
  await definitions.written(noRetry);
  failures = 1;
  send('paid', { amount: 1 });
  const [first, second] = [definitions.written(noRetry), definitions.written(noRetry)];
  await expect(first).rejects.toThrow('away');
  await second;
  expect(counts('event.amount')).toEqual({ numbers: 1 });
});

test('counts that could not be written are reported once and written later', async () => {
  let isAway = false;
  const { definitions, counts, lost, send } = rig({ fails: () => isAway, everyMs: 1 });
  for (let at = 0; at < 20; at++) send('paid', { amount: at });
  await definitions.written(noRetry);
  isAway = true;
  send('paid', { amount: 20 });
  definitions.start();
  await eventually(() => Promise.resolve(expect(lost).toHaveLength(1)));
  isAway = false;
  await definitions.stop();
  expect(counts('event.amount')).toEqual({ numbers: 21 });
});

test('random names end at the limit: later ones cost a look-up, are reported, and make no row', async () => {
  const { definitions, send, properties, statements } = rig({ namesMax: 50 });
  for (let at = 0; at < 60; at++) send('paid', { [`key ${at}`]: 1 });
  await definitions.written(noRetry);
  expect(properties.size).toBe(50);
  statements.length = 0;
  expect(send('paid', { 'another key': 1 })).toMatchObject({ leftOut: 1 });
  expect(send('paid', { 'key 1': 1 })).toBeNull();
  await definitions.written(noRetry);
  expect(properties.has('event.another key')).toBe(false);
});

test('a hundred thousand random keys stay within the bounds of memory and statements', async () => {
  const { clock, definitions, send, properties, statements } = rig();
  for (let at = 0; at < 100_000; at++) {
    clock.ms += 2;
    send(`event ${at % 20_000}`, { [`k${at}`]: at, plan: 'x' });
    if (at % 5_000 === 0) await definitions.written(noRetry);
  }
  await definitions.written(noRetry);
  expect(properties.size).toBeGreaterThan(1_000);
  expect(properties.size).toBeLessThanOrEqual(10_000);
  expect(statements.length).toBeLessThan(100);
});

test('names come late that come by the thousand; a shape is closed only when all of its names are learned', async () => {
  const { clock, counts, definitions, send } = rig();
  for (let at = 0; at < 600; at++) send('paid', { [`key ${at}`]: 1 });
  const late = (): void => void send('paid', { late: 1 });
  for (let at = 0; at < 100; at++) late();
  await definitions.written(noRetry);
  expect(counts('event.late')).toBeUndefined();
  expect(send('paid', { late: 1 })).toMatchObject({ putOff: 1 });
  clock.ms += 1_000;
  late();
  await definitions.written(noRetry);
  expect(counts('event.late')).toEqual({ numbers: 1 });
});

test('a project that memory has no room for is forgotten and learned again; no name is twice in one statement', async () => {
  const { clock, definitions, counts, lost, send } = rig({ sizeMax: 0, everyMs: 1 });
  definitions.start();
  for (let at = 0; at < 300; at++) {
    clock.ms += 100;
    send(`event ${at % 7}`, { plan: 'x', [`key ${at % 40}`]: at });
    if (at % 3 === 0) await definitions.written(noRetry);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  await definitions.written(noRetry);
  await definitions.stop();
  expect(lost).toEqual([]);
  expect(counts('event.plan')).toEqual({ texts: 300 });
});

test('of a project so many pairs of event and property are learned, and no more', async () => {
  const { clock, definitions, pairs, send } = rig();
  const properties = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`key ${at}`, at]));
  for (let at = 0; at < 80; at++) {
    clock.ms += 1_000;
    send(`event ${at}`, properties);
  }
  await definitions.written(noRetry);
  expect(pairs.size).toBe(learnedPairsMax);
  expect(send('event 80', { 'key 1': 1 })).toMatchObject({ pairs: 1 });
});

test('a property that the server adds is learned, although an event of the same name and number of properties came before', async () => {
  const { counts, definitions, send } = rig();
  for (let at = 0; at < 50; at++) send('paid', { amount: 1 }, { ip: '1.2.3.4' });
  await definitions.written(noRetry);
  send('paid', { amount: 1 }, { sentAt: '2026-05-04T10:00:00.000000Z' });
  await definitions.written(noRetry);
  expect(counts('event.$ip')).toEqual({ texts: 20 });
  expect(counts('event.$sent_at')).toEqual({ times: 1 });
});

test("a person's property is learned, although events of the same shape left it out before because a server sent them", async () => {
  const { counts, definitions, send } = rig();
  for (const isServer of [true, false]) {
    for (let at = 0; at < 50; at++) send('paid', { $is_server: isServer, $os: 'Linux', $os_name: 'Linux' });
    await definitions.written(noRetry);
  }
  expect(counts('person.$os_name')).toEqual({ texts: 20 });
  expect(counts('person.$os')).toEqual({ texts: 20 });
});

test('after a restart names that Postgres has are learned at once, and a text of an open property is met', async () => {
  const stored = storeInMemory();
  const first = learner(stored.store);
  first.send('paid', {});
  await first.definitions.written(noRetry);
  const names = Array.from({ length: 1_600 }, (_, at) => `key ${at}`);
  for (const name of names) {
    first.clock.ms += 1_000;
    first.send('paid', { [name]: 1 });
  }
  for (let at = 0; at < 18; at++) first.send('paid', { price: at });
  await first.definitions.written(noRetry);
  const { definitions, send } = learner(stored.store);
  for (const name of names) send('paid', { [name]: 1 });
  send('paid', { price: 'none' });
  send('paid', { price: 7 });
  await definitions.written(noRetry);
  expect(stored.counts('event.price')).toEqual({ numbers: 19, texts: 1 });
  expect(stored.properties.get('event.price')?.type).toBe('numbers texts');
});

test('values of an open property are met while new names come too fast', async () => {
  const { counts, definitions, send } = rig();
  send('paid', { price: 1 });
  for (let at = 0; at < 600; at++) send('paid', { [`key ${at}`]: 1 });
  for (let at = 0; at < 10; at++) send('paid', { price: at, [`late ${at}`]: 1 });
  send('paid', { price: 'none', late: 1 });
  await definitions.written(noRetry);
  expect(counts('event.price')).toEqual({ numbers: 11, texts: 1 });
});

test('a project is complete from its first event, unless it has names or stored events already', async () => {
  const first = rig();
  first.send('paid', {});
  await first.definitions.written(noRetry);
  expect([...first.complete]).toEqual([testProject.id]);
  const other = storeInMemory();
  const { definitions, send } = learner(other.store, { stored: new Set([testProject.id]) });
  send('paid', {});
  await definitions.written(noRetry);
  expect([...other.complete]).toEqual([]);
  const next = learner(other.store);
  next.send('paid', {});
  await next.definitions.written(noRetry);
  expect([...other.complete]).toEqual([]);
});

test('events of too many shapes are reported, as their names may be missing', async () => {
  const { definitions, send } = rig();
  const keys = Array.from({ length: 13 }, (_, at) => `key ${at}`);
  const of = (shape: number): object =>
    Object.fromEntries(keys.filter((_, at) => (shape >> at) & 1).map((key) => [key, 1]));
  for (let shape = 0; shape < 5_000; shape++) send('paid', of(shape));
  await definitions.written(noRetry);
  const learned = Array.from({ length: 16 }, (_, at) => send('paid', of(6_000 + at)));
  expect(learned.filter((one) => one !== null)).toHaveLength(15);
  expect(learned).toContainEqual(expect.objectContaining({ skipped: 1 }));
});

test('memory counts what its shapes hold: a project of many wide shapes is forgotten first', () => {
  const project = new ProjectDefinitions(testProject.id, createUnwritten(), { nowMs: () => 0 });
  project.read([]);
  const keys = Array.from({ length: 100 }, (_, at) => `key ${at}`);
  for (let without = 0; without < 50; without++) {
    const properties = Object.fromEntries(keys.filter((_, at) => at !== without).map((key) => [key, 1]));
    project.learn(processedDraft({ event: 'paid' }, JSON.stringify(properties), testProject));
  }
  const pairsAndNames = 100 + 100 + 1;
  expect(project.size).toBe(pairsAndNames + 50 * (1 + 99));
});
