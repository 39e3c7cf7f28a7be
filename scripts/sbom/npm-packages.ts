import { parse } from 'yaml';
import type { Part } from './part.ts';

interface Needs {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

type Importer = Record<
  'dependencies' | 'optionalDependencies' | 'devDependencies',
  Record<string, { version: string }> | undefined
>;

interface Lock {
  importers: Record<string, Importer>;
  packages: Record<string, { resolution: { integrity?: string }; os?: string[] }>;
  snapshots: Record<string, Needs>;
  patchedDependencies?: Record<string, unknown>;
}

/** Folders whose dependencies run. The dependencies of other folders, and all `devDependencies`, are for checks and tests. */
const running = /^(?:services|packages|infra)\//;
/** Packages that only tests use. */
const forTests = new Set(['packages/testkit']);

/** `pkg:npm/%40scope/name@1.0.0` of `@scope/name@1.0.0`. */
const npmPurl = (id: string): string => `pkg:npm/${id.replace(/^@/, '%40')}`;

/**
 * The packages of a pnpm lock, each with the hash that pnpm checks. Pure.
 * `licenseOf` answers the licence of `name@version`, undefined when it is not known.
 * @throws {Error} when a package has no SHA-512
 */
export function npmPackages(lockText: string, licenseOf: (id: string) => string | undefined): Part[] {
  const lock = parse(lockText) as Lock;
  const required = reachable(lock);
  const direct = new Set(
    Object.values(lock.importers).flatMap((own) =>
      namedKeys(own.dependencies, own.optionalDependencies, own.devDependencies).map(idOf),
    ),
  );
  const needsOf = Map.groupBy(Object.entries(lock.snapshots), ([key]) => idOf(key));
  return Object.entries(lock.packages).map(([id, { resolution, os }]) => {
    const at = id.lastIndexOf('@');
    const needs = (needsOf.get(id) ?? []).flatMap(([, snapshot]) => keysOf(snapshot).map(idOf));
    return {
      kind: 'library',
      purl: npmPurl(id),
      ...splitName(id.slice(0, at)),
      version: id.slice(at + 1),
      license: licenseOf(id),
      hashes: { sha512: sha512Of(id, resolution.integrity) },
      scope: required.has(id) ? 'required' : 'excluded',
      isDirect: direct.has(id),
      needs: [...new Set(needs)].filter((each) => each in lock.packages).map(npmPurl),
      properties: {
        ...(lock.patchedDependencies?.[id] !== undefined && { patched: 'true' }),
        ...(os !== undefined && { os: os.join(',') }),
      },
    };
  });
}

function splitName(name: string): { group?: string; name: string } {
  const [first = '', second] = name.split('/');
  return second === undefined ? { name: first } : { group: first, name: second };
}

function sha512Of(id: string, integrity = ''): string {
  const [, base64] = /^sha512-(\S+)$/.exec(integrity) ?? [];
  if (base64 === undefined) throw new Error(`${id} has no SHA-512 in the lock`);
  return Buffer.from(base64, 'base64').toString('hex');
}

/** `name@version` of a key that names peers and patches too: `name@version(peer@version)`. */
const idOf = (key: string): string => key.split('(', 1).join();

/** Keys of snapshots; what is linked (`link:`) is ours. An alias names its package itself. */
function keysOf({ dependencies = {}, optionalDependencies = {} }: Needs): string[] {
  return Object.entries({ ...dependencies, ...optionalDependencies })
    .filter(([, version]) => !version.startsWith('link:'))
    .map(([name, version]) => (/^(?:@[^/]+\/)?[^@(]+@/.test(version) ? version : `${name}@${version}`));
}

function reachable({ importers, snapshots }: Lock): Set<string> {
  const waiting = Object.entries(importers)
    .filter(([folder]) => running.test(folder) && !forTests.has(folder))
    .flatMap(([, own]) => namedKeys(own.dependencies, own.optionalDependencies));
  const seen = new Set<string>();
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    waiting.push(...keysOf(snapshots[key] ?? {}));
  }
  return new Set([...seen].map(idOf));
}

/** Keys of snapshots that an importer names. */
function namedKeys(...groups: (Record<string, { version: string }> | undefined)[]): string[] {
  const dependencies = Object.fromEntries(
    groups.flatMap((group) => Object.entries(group ?? {}).map(([name, { version }]) => [name, version])),
  );
  return keysOf({ dependencies });
}
