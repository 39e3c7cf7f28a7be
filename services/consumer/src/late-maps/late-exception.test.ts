import { describe, expect, test } from '@jest/globals';
import { fingerprintOf } from '@millrace/symbolication/exceptions/fingerprint.ts';
import { readExceptions } from '@millrace/symbolication/exceptions/read-exceptions.ts';
import { resolveExceptions } from '@millrace/symbolication/exceptions/resolve-exceptions.ts';
import { failures, type ResolveFailure } from '@millrace/symbolication/frames/failures.ts';
import { completeAgain, readLateException, type LateException } from './late-exception.ts';

const hash = 'a'.repeat(128);
const raw = {
  platform: 'web:javascript',
  filename: 'https://a.example/a.js',
  function: 'f',
  lineno: 1,
  colno: 400,
  chunk_id: 'c',
};
const frame = {
  raw_id: `${hash}/0`,
  mangled_name: 'f',
  in_app: true,
  lang: 'javascript',
  resolved: false,
  resolve_failure: failures.noMapForChunk('c').text,
  synthetic: false,
  suspicious: false,
};
const list = [{ type: 'Error', value: 'v', stacktrace: { type: 'resolved', frames: [frame] } }];

const storedWith = (properties: object) => ({
  uuid: 'u',
  distinctId: 'd',
  place: ['1', '2'] as [string, string],
  happenedAt: '2026-11-20T00:00:00.000000Z',
  receivedAt: '2026-11-20T00:00:01.000000Z',
  text: JSON.stringify(properties),
});
const given = (failure: ResolveFailure) => ({ find: () => failure, releases: [], rawFrameOf: () => raw });

describe('a stored exception', () => {
  test('with a frame that failed is read, with the hashes of such frames', () => {
    expect(readLateException(storedWith({ $exception_list: list }))?.hashes).toEqual([hash]);
  });

  test.each<[string, unknown]>([
    ['that has no list', undefined],
    ['whose list could not be read', 'none'],
    ['whose list is as the client sent it', [{ type: 'Error', stacktrace: { type: 'raw', frames: [frame] } }]],
    ['whose frames are none', [{ type: 'Error', stacktrace: { type: 'resolved', frames: [1] } }]],
    [
      'of which no frame failed',
      [{ ...list[0], stacktrace: { type: 'resolved', frames: [{ raw_id: 'x/0', resolved: true }] } }],
    ],
  ])('%s is left alone', (_, $exception_list) => {
    expect(readLateException(storedWith({ $exception_list }))).toBeNull();
  });
});

describe('resolving anew', () => {
  const read = (properties: object): LateException =>
    readLateException(storedWith({ $exception_list: list, ...properties })) as LateException;

  test('says what is wrong with the map now; properties of the client keep their bytes', () => {
    const ours = fingerprintOf(list as never, undefined);
    const event = read({ $exception_fingerprint: ours, exact: 1, $exception_releases: { old: { version: '1' } } });
    event.properties.replace('big', 1);
    expect(completeAgain(event, given(failures.otherKind))).toHaveLength(1);
    const after = JSON.parse(event.properties.text) as Record<string, unknown>;
    expect(after).toMatchObject({ exact: 1, $exception_releases: { old: { version: '1' } } });
    expect(JSON.stringify(after['$exception_list'])).toContain(failures.otherKind.text);
    expect(after['$exception_fingerprint']).toMatch(/^[0-9a-f]{128}$/);
  });

  test('keeps a fingerprint that is not ours', () => {
    const event = read({ $exception_fingerprint: 'mine' });
    expect(completeAgain(event, given(failures.otherKind))).not.toBeNull();
    expect(event.properties.get('$exception_fingerprint')).toBe('mine');
  });

  test('changes nothing when symbols are late again', () => {
    const event = read({});
    const before = event.properties.text;
    expect(completeAgain(event, given(failures.late))).toBeNull();
    expect(event.properties.text).toBe(before);
  });

  test('a second time finds nothing new', () => {
    const event = read({});
    completeAgain(event, given(failures.otherKind));
    const again = readLateException(storedWith(event.properties.values)) as LateException;
    expect(completeAgain(again, given(failures.otherKind))).toBeNull();
  });

  test('finds nothing new in what the lane has stored', () => {
    const sent = [{ type: 'Error', value: 'v', module: 'm', stacktrace: { frames: [raw] } }];
    const { exceptions, records } = resolveExceptions(
      readExceptions(sent, 'web', '1').exceptions,
      () => failures.otherKind,
    );
    const event = read({ $exception_list: exceptions });
    expect(event.hashes).toEqual(records.map(({ hash: own }) => own));
    expect(completeAgain(event, given(failures.otherKind))).toBeNull();
  });

  test('leaves frames without a record as they are', () => {
    expect(completeAgain(read({}), { ...given(failures.otherKind), rawFrameOf: () => undefined })).toBeNull();
  });
});
