import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { containerOf, scriptAndMap } from '@millrace/symbolication/testing/containers.ts';
import { mapText, mappingsOf } from '@millrace/symbolication/testing/map-texts.ts';
import { delay } from '@millrace/runtime/clock.ts';
import type { Project } from '../rig/projects.ts';
import type { BuiltSet, Version } from './settle-exceptions.ts';
import { symbolSetClient, type SymbolSetClient, type Upload } from './symbol-set-client.ts';

interface Built extends Version {
  bytes: Buffer;
  hash: string;
}

/** A set that a build uploads, again and again with other files. */
interface UploadedSet extends BuiltSet {
  client: SymbolSetClient;
  id: string | null;
  versions: Built[];
}

/** Builds of projects that upload symbol sets until they are stopped; each project has one, which does one set after the other. */
export interface Builds {
  readonly sets: readonly UploadedSet[];
  /** How many finishes were answered with 200. */
  readonly finished: number;
  /** Downloads all sets and compares. Answers what is wrong; whatever cannot be read now is passed over, unless all `mustAnswer`. */
  check(mustAnswer?: boolean): Promise<string[]>;
  /** Ends each upload that has begun, and makes the last ones. @throws when one cannot be ended within a minute, or was answered as it must not be */
  stop(): Promise<void>;
}

const padBytes = 200_000;
const retryMs = 200;
const giveUpMs = 60_000;

/**
 * @param refs sets of each project: `there` are uploaded once, at once; `later` again and again; `last` once, at the stop; of `begun` the file
 * is sent, and never finished
 */
export function startBuilds(
  apiUrl: string,
  projects: readonly Project[],
  { there, later, last, begun }: Readonly<Record<'there' | 'later' | 'last' | 'begun', readonly string[]>>,
): Builds {
  const stopping = new AbortController();
  let giveUpAtMs = Infinity;
  let finished = 0;
  const sets: UploadedSet[] = projects.flatMap((project) =>
    [...there, ...later, ...last, ...begun].map((ref) => ({
      projectId: project.id,
      ref,
      client: symbolSetClient(apiUrl, project),
      id: null,
      versions: [],
    })),
  );

  /** Until it is answered with 200, from the start again whenever something fails. */
  async function upload(set: UploadedSet, ends: boolean): Promise<void> {
    const version = versionOf(set.ref, set.versions.length + 1);
    set.versions.push(version);
    for (;;) {
      if (await uploadOnce(set, version, ends)) break;
      if (Date.now() > giveUpAtMs) throw new Error(`${set.ref} could not be uploaded within ${giveUpMs / 1_000} s`);
      await delay(retryMs);
    }
  }

  async function uploadOnce(set: UploadedSet, version: Built, ends: boolean): Promise<boolean> {
    const { client, ref } = set;
    const begins = await client.start(ref, version.hash);
    if (begins === null) return false;
    const started: Upload | undefined = begins[ref];
    // Not asked for: it is there already, since a finish whose answer was lost.
    if (started !== undefined) {
      set.id = started.symbol_set_id;
      if (!(await client.post(started, version.bytes))) return false;
    }
    if (!ends || set.id === null) return true;
    if (!(await client.finish(set.id, version.hash))) return false;
    version.finishedMs ??= Date.now();
    finished++;
    return await client.finish(set.id, version.hash);
  }

  async function build(own: readonly UploadedSet[]): Promise<void> {
    const of = (refs: readonly string[]): UploadedSet[] => own.filter(({ ref }) => refs.includes(ref));
    for (const set of of(there)) await upload(set, true);
    for (const set of of(begun)) await upload(set, false);
    while (!stopping.signal.aborted)
      for (const set of of(later)) {
        await delay(Math.random() * 1_500, stopping.signal);
        if (stopping.signal.aborted) break;
        await upload(set, true);
      }
    for (const set of of(last)) await upload(set, true);
  }

  const running = Promise.all(projects.map(({ id }) => build(sets.filter(({ projectId }) => projectId === id))));
  // An error is thrown at the stop.
  running.catch(() => undefined);
  return {
    sets,
    get finished() {
      return finished;
    },
    check: async (mustAnswer = false) => (await Promise.all(sets.map((set) => checkSet(set, mustAnswer)))).flat(),
    async stop() {
      giveUpAtMs = Date.now() + giveUpMs;
      stopping.abort();
      await running;
    },
  };
}

/** A finished set has a whole file: the last that was finished, or one whose finish was sent after it. One that was never finished has none. */
async function checkSet({ client, id, ref, versions }: UploadedSet, mustAnswer: boolean): Promise<string[]> {
  if (id === null) return [];
  const least = versions.findLastIndex(({ finishedMs }) => finishedMs !== null);
  const file = await client.download(id);
  if (file === undefined) return mustAnswer ? [`${ref} cannot be downloaded`] : [];
  if (file === null) return least === -1 ? [] : [`${ref} was finished, and has no file`];
  const found = versions.findIndex(({ bytes }) => bytes.equals(file));
  if (found === -1) return [`${ref} has ${file.length} bytes that nobody uploaded`];
  return found < least ? [`${ref} has file ${found + 1}, and file ${least + 1} was finished`] : [];
}

/** A file with a map, by which the frame of `exceptionOf` is in a source of this version. */
function versionOf(ref: string, number: number): Built {
  const source = `src/${ref}-${number}.ts`;
  const map = mapText({
    sources: [source],
    sourcesContent: ['export function crash() {\n  throw new Error();\n}\n'],
    names: ['crash'],
    mappings: mappingsOf([
      [
        [0, 0, 0, 16, 0],
        [13, 0, 1, 2],
      ],
    ]),
  });
  const script = `function a(){throw 1}//${randomBytes(padBytes).toString('base64')}${randomUUID()}`;
  const bytes = containerOf(scriptAndMap(script, map));
  const hash = createHash('sha512').update(bytes).digest('hex');
  return { source, begunMs: Date.now(), finishedMs: null, bytes, hash };
}
