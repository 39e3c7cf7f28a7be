import { expect, test } from '@jest/globals';
import { isoMicroseconds } from '@millrace/runtime/clock.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { foldEvents } from '../identity/fold-events.ts';
import { PersonProperties } from '../persons/person.ts';
import { entryRange, processedDraft, testEntry, testProject } from '../test/drafts.ts';
import { createLeaving } from './leaving-events.ts';
import { createProjectShares } from './project-shares.ts';

function draftIn(month: number, at: number, project = testProject): EventDraft {
  const timestamp = isoMicroseconds(Date.UTC(1900, month, 3));
  return { ...processedDraft({ timestamp }, '{}'), project, position: entryRange(testEntry(), BigInt(at)) };
}

const person = { properties: new PersonProperties({}) } as Awaited<ReturnType<typeof foldEvents>>['ofEvents'][number];

async function leftOf(drafts: readonly EventDraft[], arePartsMany = false): Promise<EventDraft[]> {
  const shares = createProjectShares({ perSecond: 8_000_000, burst: 32_000_000 });
  const leaving = createLeaving({
    shares,
    arePartsMany,
    known: null,
    record: () => Promise.resolve(),
    append: () => Promise.resolve(true),
  });
  return (
    await foldEvents(drafts, {
      fold: () => person,
      isWritten: () => false,
      extraBytes: () => 0,
      leaving,
      bytesMax: 128_000_000,
    })
  ).left;
}

test('events over 1,500 months leave main before they make a part in each; what others send at the same time stays', async () => {
  const other = { ...testProject, id: 8 };
  const drafts = Array.from({ length: 3_000 }, (_, at) =>
    at % 2 === 0 ? draftIn(at / 2, at) : draftIn(1_500, at, other),
  );
  const left = await leftOf(drafts);
  expect(new Set(left.map(({ project }) => project.id))).toEqual(new Set([testProject.id]));
  expect(1_500 - left.length).toBeGreaterThan(60);
  expect(1_500 - left.length).toBeLessThan(100);
});

test('while there are too many parts, events of more than two months leave main at once', async () => {
  const left = await leftOf(
    Array.from({ length: 300 }, (_, at) => draftIn(at % 30, at)),
    true,
  );
  expect(left.map(({ position }) => position.offset)).toEqual(Array.from({ length: 297 }, (_, at) => BigInt(at + 3)));
  expect(
    await leftOf(
      Array.from({ length: 300 }, (_, at) => draftIn(at % 2, at)),
      true,
    ),
  ).toEqual([]);
});

test('an import of five years, however its events are mixed, is charged nothing', async () => {
  expect(await leftOf(Array.from({ length: 12_000 }, (_, at) => draftIn((at * 7) % 60, at)))).toEqual([]);
});
