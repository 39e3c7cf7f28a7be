import { expect, test } from '@jest/globals';
import { exceptionParts } from '../test/exception-parts.ts';
import type { LateStatement, StoredException } from './late-sql.ts';
import type { Pass, PassProgress } from './pass-store.ts';
import type { LateParts } from './resolve-page.ts';
import { runTurn, type TurnOptions } from './run-pass.ts';

const startedAt = new Date('2026-11-20T12:00:00Z');
const pass: Pass = {
  id: 'p',
  projectId: 1,
  frames: Buffer.alloc(6),
  sets: 1,
  tries: 0,
  startedAt,
  day: null,
  oldest: null,
  after: [],
  found: 0,
};

/** Exceptions of days, none of which has a list that can be resolved anew. */
function stored(counts: Record<string, number>, isCutAfter = Infinity) {
  const asked: string[] = [];
  const progress: PassProgress[] = [];
  const exception = (place: number): StoredException => ({
    uuid: String(place),
    distinctId: '',
    place: [String(place), '0'],
    happenedAt: '',
    receivedAt: '',
    text: '{}',
  });
  const parts: LateParts = {
    clickhouse: {
      rows: <Row>({ sql, params }: LateStatement) => {
        if (sql.includes('count()'))
          return Promise.resolve([{ count: String(counts[params['day'] ?? ''] ?? 0) }] as Row[]);
        asked.push(`oldest of ${params['day']} but ${params['offset']}`);
        return Promise.resolve([{ oldest: 'some time' }] as Row[]);
      },
      exceptions({ params }, _bytesMax) {
        const { day = '', first = 0, max = 0, oldest } = params;
        asked.push(`${day} after ${first}${oldest === 'some time' ? ' since some time' : ''}`);
        const left = (counts[day] ?? 0) - Number(first);
        const read = Math.min(left, Number(max), isCutAfter);
        const exceptions = Array.from({ length: read }, (_, index) => exception(Number(first) + index + 1));
        return Promise.resolve({ exceptions, isCut: read === isCutAfter });
      },
      store: () => Promise.reject(new Error('nothing is new')),
      run: () => Promise.reject(new Error('nothing is new')),
      close: () => Promise.resolve(),
    },
    passes: {
      count: () => Promise.reject(new Error('unused')),
      begin: () => Promise.resolve(),
      next: () => Promise.resolve(null),
      advance: (_, now) => Promise.resolve(void progress.push(now)),
      postpone: () => Promise.resolve(),
      end: () => Promise.resolve(),
      lowerFirstSeen: () => Promise.resolve(),
      rawFrames: () => Promise.resolve(new Map()),
    },
    sets: () => exceptionParts().sets,
    frames: exceptionParts().frames,
    exceptions: exceptionParts(),
    onFault: (error) => expect(error).toBeUndefined(),
    assertHeld: () => Promise.resolve(),
  };
  const turn = (from: Pass = pass, options: Partial<TurnOptions> = {}) =>
    runTurn(parts, from, { signal: new AbortController().signal, pageMax: 2, ...options });
  return { asked, progress, turn };
}

test('days are read from tomorrow back to a week ago, page by page, those without exceptions not at all', async () => {
  const { asked, progress, turn } = stored({ '2026-11-20': 3, '2026-11-18': 1, '2026-11-12': 1 });
  expect(await turn()).toEqual({ events: 0, found: 4, isOver: true });
  expect(asked).toEqual(['2026-11-20 after 0', '2026-11-20 after 2', '2026-11-18 after 0']);
  expect(progress.map(({ day }) => day).at(0)).toBe('2026-11-20');
  expect(progress.at(-1)).toEqual({ day: '2026-11-12', oldest: null, after: [], found: 4 });
});

test('of the day that has more than are left the newest count', async () => {
  const { asked, turn } = stored({ '2026-11-20': 3, '2026-11-19': 9 });
  expect(await turn(pass, { foundMax: 5 })).toMatchObject({ found: 5, isOver: true });
  expect(asked).toEqual([
    '2026-11-20 after 0',
    '2026-11-20 after 2',
    'oldest of 2026-11-19 but 1',
    '2026-11-19 after 0 since some time',
  ]);
});

test('a page that was cut by its bytes is not the last', async () => {
  const { asked, turn } = stored({ '2026-11-20': 3 }, 1);
  expect(await turn()).toMatchObject({ found: 3, isOver: true });
  expect(asked).toEqual(['2026-11-20 after 0', '2026-11-20 after 1', '2026-11-20 after 2', '2026-11-20 after 3']);
});

test('a turn ends after its time, and the next one goes on there', async () => {
  const { asked, progress, turn } = stored({ '2026-11-20': 3 });
  expect(await turn({ ...pass, day: '2026-11-20' }, { turnMs: -1 })).toEqual({ events: 0, found: 2, isOver: false });
  expect(progress).toEqual([{ day: '2026-11-20', oldest: null, after: ['2', '0'], found: 2 }]);
  await turn({ ...pass, ...progress[0] }, { turnMs: -1 });
  expect(asked).toEqual(['2026-11-20 after 0', '2026-11-20 after 2']);
});
