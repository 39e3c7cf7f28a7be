import { setImmediate } from 'node:timers/promises';

const sliceSize = 500;

/** `items.map(work)`, letting timers and sockets have their turn every 500 items. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < items.length; index++) {
    if (index > 0 && index % sliceSize === 0) await setImmediate();
    results.push(work(items[index] as Item, index));
  }
  return results;
}
