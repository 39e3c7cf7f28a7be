import { expect, test } from '@jest/globals';
import type { EventDraft } from '../events/event-draft.ts';
import { entryRange, processedDraft, testEntry, testProject } from '../test/drafts.ts';
import { createLeaving } from './leaving-events.ts';
import { movesMax, type Moves } from '../stream/moves.ts';
import { createProjectShares } from './project-shares.ts';

const other = { ...testProject, id: 8 };

function draftAt(offset: bigint, project = testProject): EventDraft {
  return { ...processedDraft({}, '{}'), project, position: entryRange(testEntry(), offset) };
}

function rig({ known = null, takes = true }: { known?: Moves | null; takes?: boolean } = {}) {
  const done: unknown[] = [];
  const leaving = createLeaving({
    shares: createProjectShares({ perSecond: 1, burst: 10_000 }),
    arePartsMany: false,
    known,
    record: (moves) => Promise.resolve(void done.push(['note', [...moves.keys()]])),
    append: (left) => Promise.resolve((done.push(['append', left.map(({ position }) => position.offset)]), takes)),
  });
  return { leaving, done };
}

test('ordinary events are charged nothing, however many; what is beyond is, and then all later events of that project leave', async () => {
  const { leaving, done } = rig();
  for (let at = 0n; at < 10_000n; at++) leaving.charge(draftAt(at), 8_192);
  expect(leaving.leaves(draftAt(10_000n), false)).toBe(false);
  leaving.charge(draftAt(10_000n), 1_200_000);
  const [first, second] = [draftAt(10_001n), draftAt(10_002n)];
  const requested = [first, draftAt(10_001n, other), second].map((draft) => leaving.leaves(draft, false));
  expect(requested).toEqual([true, false, true]);
  await expect(leaving.settle([first, second], false)).resolves.toBe(true);
  expect(done).toEqual([
    ['note', [7]],
    ['append', [10_001n, 10_002n]],
  ]);
  // Once, in however many tries.
  await leaving.settle([first, second], false);
  expect(done).toHaveLength(2);
});

test('a large event is charged, however its own size explains what is written for it; one of 32 KiB is not', () => {
  const { leaving } = rig();
  const sized = (bytes: number): EventDraft => ({
    ...draftAt(1n),
    position: Object.assign(entryRange(testEntry(), 1n), { headStart: 0, end: bytes }),
  });
  leaving.charge(sized(32_768), 139_264);
  expect(leaving.leaves(draftAt(2n), false)).toBe(false);
  leaving.charge(sized(600_000), 1_200_000);
  expect(leaving.leaves(draftAt(3n), false)).toBe(true);
});

test('an event that is folded again, because others came between, is charged once', () => {
  const { leaving } = rig();
  const draft = draftAt(1n);
  for (let round = 0; round < 24; round++) leaving.charge(draft, 12_000);
  expect(leaving.leaves(draftAt(2n), false)).toBe(false);
});

test('what is done beside rows is charged once a person; merges of few distinct ids are not', () => {
  const { leaving } = rig();
  for (let person = 0; person < 10_000; person++) leaving.chargeExtra(draftAt(1n), `few-${person}`, 8_192);
  for (let round = 0; round < 24; round++) leaving.chargeExtra(draftAt(1n), 'one', 12_000);
  expect(leaving.leaves(draftAt(2n), false)).toBe(false);
  leaving.chargeExtra(draftAt(2n), 'another', 32_000_000);
  expect([leaving.leaves(draftAt(3n), false), leaving.leaves(draftAt(3n, other), false)]).toEqual([true, false]);
});

test('of more projects beyond their share than a commit has room for, 50 leave; the others stay, and nothing of them is lost', async () => {
  const { leaving, done } = rig();
  const projects = Array.from({ length: movesMax + 1 }, (_, at) => ({ ...testProject, id: 100 + at }));
  for (const project of projects) leaving.charge(draftAt(1n, project), 1_200_000);
  const later = projects.map((project, at) => draftAt(2n + BigInt(at), project));
  expect(later.map((draft) => leaving.leaves(draft, false))).toEqual([
    ...Array.from({ length: movesMax }, () => true),
    false,
  ]);
  await expect(leaving.settle(later.slice(0, movesMax), false)).resolves.toBe(true);
  expect(done).toEqual([
    ['note', projects.slice(0, movesMax).map(({ id }) => id)],
    ['append', later.slice(0, movesMax).map(({ position }) => position.offset)],
  ]);
  expect(leaving.leaves(later[movesMax] as EventDraft, false)).toBe(false);
});

test('an event whose changes of persons are written stays: it is in no other lane', () => {
  const { leaving } = rig();
  leaving.charge(draftAt(1n), 1_200_000);
  expect([leaving.leaves(draftAt(2n), true), leaving.leaves(draftAt(3n), false)]).toEqual([false, true]);
});

test('a project that is alone has the main lane for itself', () => {
  const { leaving } = rig();
  const alone = { ...testProject, hasNeighbours: false };
  leaving.charge(draftAt(1n, alone), 1_200_000);
  expect(leaving.leaves(draftAt(2n, alone), false)).toBe(false);
});

test('a batch that is begun again decides what was decided, appends again unless its persons are written, and decides nothing else', async () => {
  const known: Moves = new Map([[7, { offset: 5n, index: 0 }]]);
  const { leaving, done } = rig({ known });
  leaving.charge(draftAt(1n, other), 1_200_000);
  expect([4n, 5n, 6n].map((offset) => leaving.leaves(draftAt(offset), offset === 6n))).toEqual([false, true, true]);
  expect(leaving.leaves(draftAt(6n, other), false)).toBe(false);
  await expect(leaving.settle([draftAt(5n)], true)).resolves.toBe(true);
  expect(done).toEqual([]);
  await expect(leaving.settle([draftAt(5n)], false)).resolves.toBe(true);
  expect(done).toEqual([['append', [5n]]]);
});

test('when the log takes nothing they stay: a log that is full is emptied by going on', async () => {
  const { leaving, done } = rig({ takes: false });
  leaving.charge(draftAt(1n), 1_200_000);
  const draft = draftAt(2n);
  expect(leaving.leaves(draft, false)).toBe(true);
  await expect(leaving.settle([draft], false)).resolves.toBe(false);
  expect(done).toEqual([
    ['note', [7]],
    ['append', [2n]],
    ['note', []],
  ]);
  expect(leaving.leaves(draft, false)).toBe(false);
});
