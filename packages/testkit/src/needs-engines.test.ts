import { describe, expect, test } from '@jest/globals';
import { fileNeedsEngines, isSelected } from './needs-engines.ts';

const everything = {
  rootDir: '/repo',
  patterns: [],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};

describe('which runs start engines', () => {
  test('pure tests never wait for one, nor do those of the whole system, which starts its own; integration tests and the slower tier do', () => {
    expect(fileNeedsEngines('packages/a/src/x.test.ts')).toBe(false);
    expect(fileNeedsEngines('packages/a/src/x.integration.test.ts')).toBe(true);
    expect(fileNeedsEngines('packages/a/src/x.full.test.ts')).toBe(true);
    expect(fileNeedsEngines('packages/a/src/x.alone.test.ts')).toBe(true);
    expect(fileNeedsEngines('tests/sdk-compat/x.system.test.ts')).toBe(false);
  });

  test('only files that the run selects count', () => {
    const path = '/repo/packages/a/src/x.integration.test.ts';
    expect(isSelected(path, everything)).toBe(true);
    expect(isSelected(path, { ...everything, patterns: ['packages/b'] })).toBe(false);
    expect(isSelected(path, { ...everything, patterns: ['packages/A'] })).toBe(true);
    expect(isSelected(path, { ...everything, testMatch: ['**/*.full.test.ts'] })).toBe(false);
    expect(isSelected(path, { ...everything, testPathIgnorePatterns: ['integration'] })).toBe(false);
  });
});
