import { describe, expect, test } from '@jest/globals';
import { issueIdParts } from '@millrace/contracts/issues.ts';
import { uuidV5 } from '@millrace/runtime/ids.ts';
import { type Found, settleExceptions, type StoredException } from './settle-exceptions.ts';

// The ledger's rules for exceptions. Their set has a file since second 10, and another since second 30.

const own = uuidV5(...issueIdParts(1, 'f'));
const sets = [
  {
    projectId: 1,
    ref: 'chunk',
    versions: [
      { source: 'v1', begunMs: 8_000, finishedMs: 10_000 },
      { source: 'v2', begunMs: 25_000, finishedMs: 30_000 },
      { source: 'v3', begunMs: 50_000, finishedMs: null },
    ],
  },
];
const exception = (more: Partial<StoredException> = {}): StoredException => ({
  uuid: 'e',
  projectId: 1,
  ref: 'chunk',
  firstSentMs: 20_000,
  insertedMs: 21_000,
  fingerprint: 'f',
  issueId: own,
  source: 'v1',
  ...more,
});
const issue = { projectId: 1, id: own, occurrences: 1, fingerprints: ['f'] };
const settle = (one: StoredException, more: Partial<Found> = {}) =>
  settleExceptions({ exceptions: [one], sets, issues: [issue], outages: [], isLate: false, ...more });

describe('the file that a frame shows', () => {
  test.each<[string, Partial<StoredException>]>([
    ['the one that was finished before', {}],
    ['none before the first takes effect', { source: null, firstSentMs: 14_999 }],
    ['a newer one, finished or not', { source: 'v3', insertedMs: 50_001 }],
    ['none of a set that nobody uploaded', { ref: 'other', source: null }],
  ])('may be %s', (_name, more) => {
    expect(settle(exception(more)).wrong).toEqual([]);
  });

  test.each<[string, Partial<StoredException>, string]>([
    ['none', { source: null }, 'do not show the file that was finished before them'],
    ['an old one', { firstSentMs: 40_000, insertedMs: 41_000 }, 'do not show the file that was finished before them'],
    ['one whose upload had not begun', { source: 'v2' }, 'show a file that their set never had'],
    ['that of another set', { source: 'v9' }, 'show a file that their set never had'],
  ])('must not be %s', (_name, more, what) => {
    expect(settle(exception(more)).wrong).toEqual([`1 exceptions ${what}, such as e`]);
  });

  test('may be none while the storage is away, and shortly after', () => {
    const away = (fromMs: number, untilMs: number) =>
      settle(exception({ source: null }), { outages: [{ fromMs, untilMs }] });
    expect([away(20_500, 20_600), away(10_000, 14_000)].map(({ late, wrong }) => [late, wrong])).toEqual([
      [['e'], []],
      [['e'], []],
    ]);
    expect(away(22_000, 23_000).wrong).toHaveLength(1);
    expect(away(10_000, 13_999).wrong).toHaveLength(1);
  });
});

describe('the file that a frame shows after all were resolved anew', () => {
  const late = (more: Partial<StoredException>, away: Found['outages'] = []) => {
    const { wrong, late: older } = settle(exception(more), { isLate: true, outages: away });
    return [wrong, older];
  };

  test('is there, if its set has one, whenever it came', () => {
    const missing = [['1 exceptions are unresolved, though their set has a file, such as e'], []];
    expect(late({ source: null, firstSentMs: 1_000, insertedMs: 2_000 })).toEqual(missing);
    expect(late({ source: null }, [{ fromMs: 20_500, untilMs: 20_600 }])).toEqual(missing);
    expect(late({ source: null, ref: 'other' })).toEqual([[], []]);
    expect(late({ source: 'v2', firstSentMs: 1_000, insertedMs: 2_000 })).toEqual([[], []]);
    expect(late({ source: 'v9' })[0]).toHaveLength(1);
  });

  test('may be an older one still that it showed before', () => {
    const shown = { firstSentMs: 40_000, insertedMs: 41_000 };
    expect(late(shown)[0]).toHaveLength(1);
    expect(late(shown, [{ fromMs: 40_500, untilMs: 40_600 }])).toEqual([[], ['e']]);
  });
});

describe('the issue of a fingerprint', () => {
  test('is one, and counts its events; merged into another, it may be named as before', () => {
    const merged = { ...issue, id: 'other', fingerprints: ['f', 'g'] };
    expect(settle(exception(), { issues: [merged] }).wrong).toEqual([]);
    expect(settle(exception({ issueId: 'other' }), { issues: [merged] }).wrong).toEqual([]);
  });

  test.each<[string, Partial<StoredException>, Found['issues'], string[]]>([
    ['is missing', { fingerprint: 'g' }, [], ['1 exceptions have a fingerprint without an issue, such as e']],
    [
      'is that of another project',
      {},
      [{ ...issue, projectId: 2, occurrences: 0 }],
      ['1 exceptions have a fingerprint without an issue, such as e'],
    ],
    [
      'is two',
      {},
      [issue, { ...issue, id: 'two' }],
      ['1 exceptions have a fingerprint with several issues, such as e'],
    ],
    ['is not named', { issueId: null }, [issue], ['1 exceptions name the issue of another fingerprint, such as e']],
    ['counts others', {}, [{ ...issue, occurrences: 2 }], [`issue ${own} counts 2 events, and 1 are stored`]],
    [
      'has no fingerprint',
      {},
      [issue, { ...issue, id: 'ghost', fingerprints: [] }],
      ['issue ghost has no fingerprint'],
    ],
  ])('%s: that is said', (_name, more, issues, wrong) => {
    expect(settle(exception(more), { issues }).wrong).toEqual(wrong);
  });
});
