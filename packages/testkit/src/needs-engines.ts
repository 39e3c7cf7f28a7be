import { glob } from 'node:fs/promises';
import { matchesGlob, relative } from 'node:path';

/** Facts of a jest run before it begins. */
export interface PlannedRun {
  rootDir: string;
  /** Texts of the command line's path patterns; none: everything. */
  patterns: readonly string[];
  testMatch: readonly string[];
  testPathIgnorePatterns: readonly string[];
}

/**
 * Whether a test file works with the engines of the run. Tests of the whole system do not: it starts its own. Pure.
 */
export function fileNeedsEngines(path: string): boolean {
  return /\.(integration|full|alone)\.test\.ts$/.test(path);
}

/** Whether a run selects that file. Pure. */
export function isSelected(path: string, run: PlannedRun): boolean {
  if (run.testPathIgnorePatterns.some((pattern) => new RegExp(pattern).test(path))) return false;
  if (!run.testMatch.some((pattern) => matchesGlob(path, pattern))) return false;
  return run.patterns.length === 0 || run.patterns.some((pattern) => new RegExp(pattern, 'i').test(path));
}

/** Whether any selected file works with real engines: a run of pure tests does not wait for them. */
export async function runNeedsEngines(run: PlannedRun): Promise<boolean> {
  const folders = ['services', 'packages', 'infra', 'tests', 'scripts'];
  const exclude = (name: string): boolean => name.includes('node_modules');
  for await (const path of glob(
    folders.map((folder) => `${run.rootDir}/${folder}/**/*.test.ts`),
    { exclude },
  )) {
    if (fileNeedsEngines(relative(run.rootDir, path)) && isSelected(path, run)) return true;
  }
  return false;
}
