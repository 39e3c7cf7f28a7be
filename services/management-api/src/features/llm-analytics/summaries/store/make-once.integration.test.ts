import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@millrace/runtime/clock.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type TestApi } from '../../../../test/test-api.ts';
import type { Context } from '../../context.ts';
import { newId } from '../testing/summary-data.ts';
import { makeOnce, type MadeSummary } from './make-once.ts';
import type { SummaryKey } from './summary-store.ts';

let api: TestApi;
let projectId: number;
beforeAll(async () => {
  api = await startTestApi();
  ({ projectId } = await api.seed('Acme'));
});
afterAll(() => api?.stop());

const keyOf = (): SummaryKey => ({ projectId, type: 'trace', id: newId(), mode: 'minimal', model: null });
const made = (words: string): MadeSummary => ({ title: words, reply: Buffer.from(words) });

/** A request, with its statements that write, its looks, and the warnings. `write`: what Postgres says to the first. */
function request(
  key: SummaryKey,
  make: () => Promise<MadeSummary>,
  { isForced = false, write = (): void => undefined } = {},
) {
  const counts = { writes: 0, looks: 0 };
  const warnings: string[] = [];
  const context = {
    clock: systemClock,
    logger: { warn: (_: object, message: string) => warnings.push(message) },
    prisma: {
      async $executeRaw(...statement: Parameters<TestApi['prisma']['$executeRaw']>) {
        counts.writes++;
        write();
        return await api.prisma.$executeRaw(...statement);
      },
    },
    async runPrepared(_name: string, statement: Parameters<Context['runPrepared']>[1]) {
      counts.looks++;
      return await api.prisma.$queryRaw(statement);
    },
  } as unknown as Context;
  const { signal } = new AbortController();
  const reply = makeOnce(context, key, { isForced, signal }, make).then((bytes) => Buffer.from(bytes).toString());
  return { reply, counts, warnings };
}

/** Something that is being made until `finish` is called. */
function making(words: string) {
  const { promise, resolve } = Promise.withResolvers<MadeSummary>();
  let isBegun = false;
  const make = (): Promise<MadeSummary> => {
    isBegun = true;
    return promise;
  };
  return {
    make,
    finish: () => resolve(made(words)),
    hasBegun: async () => await eventually(() => expect(isBegun).toBe(true)),
  };
}

test('a forced request gets no summary whose data was read before it', async () => {
  const key = keyOf();
  const old = making('old');
  const first = request(key, old.make);
  await old.hasBegun();
  const begunMs = Date.now();
  // The times of both are apart.
  await eventually(() => expect(Date.now()).toBeGreaterThan(begunMs));
  const [forced, usual] = [
    request(key, () => Promise.resolve(made('new')), { isForced: true }),
    request(key, () => Promise.resolve(made('never'))),
  ];
  await eventually(() => expect(Math.min(forced.counts.looks, usual.counts.looks)).toBeGreaterThan(0));
  old.finish();
  expect(await Promise.all([first.reply, forced.reply])).toEqual(['old', 'new']);
  expect(['old', 'new']).toContain(await usual.reply);
});

test('forced requests that come together get one summary', async () => {
  const key = keyOf();
  const old = making('old');
  const first = request(key, old.make);
  await old.hasBegun();
  let count = 0;
  const forced = Array.from({ length: 3 }, () =>
    request(key, () => Promise.resolve(made(`new ${++count}`)), { isForced: true }),
  );
  await eventually(() => expect(Math.min(...forced.map(({ counts }) => counts.looks))).toBeGreaterThan(0));
  old.finish();
  await first.reply;
  expect(await Promise.all(forced.map(({ reply }) => reply))).toEqual(['new 1', 'new 1', 'new 1']);
});

test('a request that waits writes nothing, and looks less often the longer it waits', async () => {
  const key = keyOf();
  const slow = making('slow');
  const first = request(key, slow.make);
  await slow.hasBegun();
  const begunMs = performance.now();
  const second = request(key, () => Promise.resolve(made('never')));
  await eventually(() => expect(second.counts.looks).toBe(7));
  // 50, 75, 112, … ms
  expect(performance.now() - begunMs).toBeGreaterThan(1_000);
  expect(second.counts.writes).toBe(0);
  slow.finish();
  expect(await Promise.all([first.reply, second.reply])).toEqual(['slow', 'slow']);
});

test('what cannot be stored, or given back, changes neither a reply nor an error', async () => {
  let isAway = false;
  const write = (): void => {
    if (isAway) throw new Error('Postgres is away');
  };
  const goesAway = (outcome: () => MadeSummary) => () => {
    isAway = true;
    return Promise.resolve().then(outcome);
  };
  const fails = (): never => {
    throw new Error('of the model');
  };
  const replied = request(
    keyOf(),
    goesAway(() => made('made')),
    { write },
  );
  expect([await replied.reply, replied.warnings]).toEqual([
    'made',
    ['a summary was not stored, or others are too many', 'a claim on a summary was not given back'],
  ]);
  isAway = false;
  const failed = request(keyOf(), goesAway(fails), { write });
  await expect(failed.reply).rejects.toThrow('of the model');
  expect(failed.warnings).toHaveLength(1);
});
