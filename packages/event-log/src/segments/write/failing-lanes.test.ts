import { expect, test } from '@jest/globals';
import { LogUnavailableError, OutcomeUnknownError } from '../../event-log.ts';
import { FailingLanes } from './failing-lanes.ts';
import { messageOf } from '../files/files.ts';

test('a log is unhealthy when appends to one lane failed one after the other, until one succeeds', () => {
  const failing = new FailingLanes();
  failing.failed('main', new LogUnavailableError('first'));
  failing.failed('overflow', new LogUnavailableError('other lane'));
  expect([failing.unhealthyReason, failing.lanes()]).toEqual([null, ['main', 'overflow']]);
  failing.failed('main', new OutcomeUnknownError('second'));
  expect(failing.unhealthyReason).toBe('second');
  failing.succeeded('main');
  failing.failed('main', new LogUnavailableError('first again'));
  expect(failing.unhealthyReason).toBeNull();
});

test('an invalid append does not make the log unhealthy', () => {
  const failing = new FailingLanes();
  for (let time = 0; time < 3; time++) failing.failed('main', new RangeError('no partition 99'));
  expect([failing.unhealthyReason, failing.lanes()]).toEqual([null, []]);
});

test.each(['ENOSPC', 'EDQUOT'])('%s has a sentence of its own', (code) => {
  expect(messageOf(Object.assign(new Error(`${code}: write`), { code }))).toBe('the disk is full');
});
