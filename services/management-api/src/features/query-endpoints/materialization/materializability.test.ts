import { expect, jest, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { MaterializationPreview } from '../../../queries/compile/preview-materialization.ts';
import { createMaterializability } from './materializability.ts';

// No reply fails, or waits, because it says whether a version can be materialized (contract/endpoints 6.1).
const previewOf = (reason: string | null) => ({ reason, optional_variables: [] }) as unknown as MaterializationPreview;
const versionOf = (id: string, fields: object = {}) => ({
  id,
  query: { query: 'SELECT 1' },
  materialization: null,
  ...fields,
});
const notKnown = { canMaterialize: true, reason: expect.stringContaining('is being looked at') };

function opened(refusal: string | null = null) {
  const compiler = {
    previewHere: jest.fn<() => MaterializationPreview | null>(),
    preview: jest.fn<() => Promise<MaterializationPreview>>(),
  };
  const logger = { warn: jest.fn() };
  return { compiler, logger, materializability: createMaterializability({ compiler, refusal, logger }) };
}

test('a short query is looked at within the reply, once', () => {
  const { compiler, materializability } = opened();
  compiler.previewHere.mockReturnValueOnce(previewOf('a rule'));
  for (const _ of [1, 2])
    expect(materializability.verdictOf(versionOf('v'), 'acme')).toEqual({ canMaterialize: false, reason: 'a rule' });
});

test('a large one is looked at beside the replies, one of an organization at a time', async () => {
  const { compiler, materializability } = opened();
  const { promise, resolve } = Promise.withResolvers<MaterializationPreview>();
  compiler.previewHere.mockReturnValue(null);
  compiler.preview.mockReturnValue(promise);
  for (const id of ['a', 'b', 'a']) expect(materializability.verdictOf(versionOf(id), 'acme')).toEqual(notKnown);
  expect(compiler.preview).toHaveBeenCalledTimes(1);
  resolve(previewOf(null));
  await eventually(() =>
    expect(materializability.verdictOf(versionOf('a'), 'acme')).toEqual({ canMaterialize: true, reason: null }),
  );
});

test('one that could not be looked at is looked at again; one that is too large is not', async () => {
  const { compiler, logger, materializability } = opened();
  compiler.previewHere.mockReturnValue(null);
  compiler.preview.mockRejectedValueOnce(new AppError('throttled'));
  compiler.preview.mockRejectedValueOnce(new AppError('query_too_large'));
  expect(await materializability.verdictAfterLook(versionOf('v'), 'acme')).toEqual(notKnown);
  await eventually(() =>
    expect(materializability.verdictOf(versionOf('v'), 'acme')).toMatchObject({ canMaterialize: false }),
  );
  expect(compiler.preview).toHaveBeenCalledTimes(2);
  expect(logger.warn).not.toHaveBeenCalled();
});

test('a failure of ours is told to the operator, and to no caller', () => {
  const { compiler, logger, materializability } = opened();
  compiler.previewHere.mockImplementation(() => {
    throw new Error('ours');
  });
  expect(materializability.verdictOf(versionOf('v'), 'acme')).toEqual(notKnown);
  expect(logger.warn).toHaveBeenCalledTimes(1);
});

test('a version that is materialized can be, and is not looked at', () => {
  const { compiler, materializability } = opened();
  expect(materializability.verdictOf(versionOf('v', { materialization: {} }), 'acme')).toEqual({
    canMaterialize: true,
    reason: null,
  });
  expect(compiler.previewHere).not.toHaveBeenCalled();
});

test('freshness and server are no part of the verdict, and refuse a version that is to be materialized', () => {
  const { compiler, materializability } = opened('no tables here');
  compiler.previewHere.mockReturnValueOnce(previewOf(null));
  expect(materializability.verdictOf(versionOf('v'), 'acme')).toEqual({ canMaterialize: true, reason: null });
  expect(materializability.reasonBesideQuery(900)).toBe('no tables here');
  expect(opened().materializability.reasonBesideQuery(60)).toContain('at least 900');
  expect(opened().materializability.reasonBesideQuery(900)).toBeNull();
});
