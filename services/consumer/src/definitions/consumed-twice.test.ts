import { expect, test } from '@jest/globals';
import { learner, noRetry, storeInMemory } from '../test/definitions-rig.ts';

const batch = [...Array.from({ length: 8 }, (_, at) => at), 'none', ...Array.from({ length: 10 }, (_, at) => at)];

test.each([0, 1, 2])(
  'a batch that was written %i times before a process committed it counts too high, and misses no kind',
  async (times) => {
    const { store, counts, properties } = storeInMemory();
    for (let process = 0; process <= times; process++) {
      const { definitions, send } = learner(store);
      for (const price of batch) send('paid', { price });
      await definitions.written(noRetry);
    }
    // This one is killed before it writes.
    learner(store).send('paid', { price: '2026-05-04' });
    const { definitions, send } = learner(store);
    send('paid', { price: 1 });
    await definitions.written(noRetry);
    expect(counts('event.price')).toEqual({ numbers: 18 * (times + 1) + 1, texts: times + 1 });
    expect(properties.get('event.price')?.type).toBe('numbers texts');
  },
);
