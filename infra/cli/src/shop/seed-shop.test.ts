import { expect, test } from '@jest/globals';
import { CliError } from '../cli-error.ts';
import { seedShop, type ShopTarget } from './seed-shop.ts';
import { shopEventCount, shopEvents } from './shop-events.ts';

/** A fake project with these events. Sent events are visible one query later. */
function project(uuids: readonly string[] = [], { loses = 0 } = {}) {
  const seen = [...uuids];
  const arriving: string[] = [];
  const sent: string[] = [];
  const target: ShopTarget = {
    storedUuids: () => Promise.resolve([...seen]),
    send(events) {
      sent.push(...events.map(({ timestamp }) => timestamp.slice(0, 10)));
      arriving.push(...events.map(({ uuid }) => uuid));
      return Promise.resolve();
    },
    pause() {
      seen.push(...arriving.splice(0, arriving.length - loses));
      return Promise.resolve();
    },
  };
  return { target, sent };
}

const options = { lastDay: '2026-05-31', isChosen: false, onProgress: () => undefined };
const all = shopEvents('2026-05-31').map(({ uuid }) => uuid);

test('an empty project gets the shop, and the command ends when all events are visible', async () => {
  const { target, sent } = project();
  const told: [number, string][] = [];
  const shop = await seedShop(target, { ...options, onProgress: (done, _, what) => told.push([done, what]) });
  expect(sent).toHaveLength(shopEventCount);
  expect(shop).toMatchObject({ sent: shopEventCount, firstDay: '2026-04-02', lastDay: '2026-05-31' });
  expect(told.at(-1)).toEqual([shopEventCount, 'visible']);
});

test('a second run sends nothing, on a later day either', async () => {
  const { target, sent } = project(all);
  expect(await seedShop(target, { ...options, lastDay: '2026-07-09' })).toMatchObject({
    sent: 0,
    lastDay: '2026-05-31',
  });
  expect(sent).toEqual([]);
});

test('a partly sent shop is completed, with its own days', async () => {
  const { target, sent } = project(all.slice(0, 7_000));
  expect(await seedShop(target, { ...options, lastDay: '2026-06-01' })).toMatchObject({
    sent: 13_000,
    lastDay: '2026-05-31',
  });
  expect(sent.at(-1)).toBe('2026-05-31');
});

test.each([
  ['whose last day is another one than was chosen', all, 'whose last day is 2026-05-31'],
  ['of another release', ['01a0d6f5-17f8-7000-8000-963463da527c'], 'of another release'],
])('a shop %s is left alone', async (_, uuids, message) => {
  const { target, sent } = project(uuids);
  const seeding = seedShop(target, { ...options, lastDay: '2026-06-01', isChosen: true });
  await expect(seeding).rejects.toThrow(new RegExp(message));
  expect(sent).toEqual([]);
});

test('events that do not become visible end the wait with advice', async () => {
  const { target } = project([], { loses: 3 });
  const seeding = seedShop(target, options);
  await expect(seeding).rejects.toThrow(CliError);
  await expect(seeding).rejects.toThrow(/Only 19997 of 20000 events are visible.*millrace status/);
});
