import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { request, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createPool, type Pool } from '@millrace/postgres/pool.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startApiProcess, type ApiProcess } from '../../../../test/api-process.ts';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';
import { sweepSymbolSets } from '../sweep/sweep-symbol-sets.ts';
import { postFile, uploadClient } from '../testing/upload-client.ts';

// Real processes, which are killed: no set is half there, and another process takes the upload on from where it was.

type Client = ReturnType<typeof uploadClient>;

let api: TestApi;
let pool: Pool;
let acme: Seed;
/** Clients of the process that is killed, and of one that lives. */
let client: Client;
let other: Client;
let dying: ApiProcess;

beforeAll(async () => {
  api = await startTestApi();
  pool = createPool(api.databaseUrl, { applicationName: 'holder', max: 2, onError: () => undefined });
}, 60_000);
beforeEach(async () => {
  acme = await api.seed('Acme');
  dying = await startApiProcess(api.environment);
  [client, other] = [uploadClient(api, acme, dying), uploadClient(api, acme)];
});
afterEach(async () => {
  await dying.kill();
  await api.prisma.symbolSet.deleteMany({ where: { projectId: acme.projectId } });
  await sweepInADay();
  expect(objects()).toEqual([]);
});
afterAll(async () => {
  await pool?.end();
  await api?.stop();
});

const sweepInADay = () =>
  sweepSymbolSets({
    prisma: api.prisma,
    storage: api.storage,
    clock: { nowMs: () => Date.now() + 25 * 3_600_000 },
    logger: createLogger('test', 'silent'),
  });
const filesIn = (folder: string): string[] => {
  const names = readdirSync(api.objectsFolder).includes(folder) ? readdirSync(join(api.objectsFolder, folder)) : [];
  return names.map((name) => join(api.objectsFolder, folder, name));
};
const objects = (): string[] => filesIn('symbolsets');
const hashOf = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('hex');

/** The process is killed when a statement of `call` waits to write into the activity log: it has written everything else, and committed nothing. */
async function killBeforeCommit(call: () => Promise<unknown>): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE activity_log IN SHARE MODE');
    const ended = Promise.allSettled([call()]);
    await eventually(async () => {
      const { rowCount } = await holder.query(
        "SELECT FROM pg_locks WHERE relation = 'activity_log'::regclass AND NOT granted",
      );
      if (rowCount === 0) throw new Error('the call has not come there');
    });
    await dying.kill();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected']);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

/** A set with a file, another upload of it, and an upload of a new set, neither of which is finished. */
async function uploadTwo() {
  const [old, next] = [randomBytes(1000), randomBytes(2000)];
  const id = await other.upload('old', old, hashOf(old));
  const hash = hashOf(next);
  const { body } = await client.start(
    ['old', 'new'].map((chunk_id) => ({ chunk_id, content_hash: hash })),
    { force: true },
  );
  for (const { presigned_url } of Object.values(body.id_map)) expect(await postFile(presigned_url, next)).toBe(204);
  const newId = body.id_map['new']?.symbol_set_id ?? '';
  return { id, newId, old, next, hashes: { [id]: hash, [newId]: hash } };
}

describe('while a file arrives', () => {
  /** Sends half of a file, of which the server has some when this resolves. */
  async function sendHalf(sent: ClientRequest, head: string, bytes: Buffer): Promise<void> {
    sent.on('error', () => undefined);
    sent.write(head);
    sent.write(bytes.subarray(0, bytes.length / 2));
    await eventually(() => {
      if (!filesIn('.arriving').some((file) => statSync(file).size > 0)) throw new Error('nothing has come');
    });
  }

  test.each<[string, (entry: Awaited<ReturnType<Client['begin']>>, bytes: Buffer) => Promise<void>]>([
    [
      'by PUT',
      ({ presigned_put_url: url = '' }, bytes) =>
        sendHalf(request(url, { method: 'PUT', headers: { 'content-length': bytes.length } }), '', bytes),
    ],
    [
      'by form',
      ({ presigned_url: { url, fields } }, bytes) => {
        const part = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"`;
        const parts = Object.entries(fields).map(([name, value]) => `${part(name)}\r\n\r\n${value}\r\n`);
        const headers = { 'content-type': 'multipart/form-data; boundary=b' };
        const head = `${parts.join('')}${part('file')}; filename="file"\r\n\r\n`;
        return sendHalf(request(url, { method: 'POST', headers }), head, bytes);
      },
    ],
  ])('%s: there is no object, and the same upload may be made again', async (_name, send) => {
    const bytes = randomBytes(2_000_000);
    const hash = hashOf(bytes);
    const entry = await client.begin({ chunk_id: 'a', content_hash: hash, content_length: bytes.length });
    const { symbol_set_id: id, presigned_url: form } = entry;
    await send(entry, bytes);
    await dying.kill();
    expect(objects()).toEqual([]);
    expect((await other.finish({ [id]: hash })).body.code).toBe('file_not_found');
    expect((await other.send('get', `/${id}`)).body.has_uploaded_file).toBe(false);
    expect(await postFile({ ...form, url: form.url.replace(dying.url, api.api.url) }, bytes)).toBe(204);
    expect((await other.finish({ [id]: hash })).status).toBe(200);
    expect((await other.download(id))?.equals(bytes)).toBe(true);
  });
});

describe('before its transaction ends', () => {
  test('a start: no set is there, and a start made again is the first', async () => {
    const sets = ['a', 'b'].map((chunk_id) => ({ chunk_id, content_hash: 'h' }));
    await killBeforeCommit(() => client.start(sets));
    const { status, body } = await other.start(sets);
    expect([status, Object.keys(body.id_map)]).toEqual([201, ['a', 'b']]);
    expect(await api.prisma.symbolSetUpload.count({ where: { symbolSet: { projectId: acme.projectId } } })).toBe(2);
  });

  test('a finish: each set has the file of before, or none, and a finish made again ends it', async () => {
    const { id, newId, old, next, hashes } = await uploadTwo();
    await killBeforeCommit(() => client.finish(hashes));
    expect([(await other.download(id))?.equals(old), await other.download(newId)]).toEqual([true, null]);
    expect((await other.finish(hashes)).status).toBe(200);
    for (const set of [id, newId]) expect((await other.download(set))?.equals(next)).toBe(true);
  });

  test('a deletion: the sets are there with their files', async () => {
    const { id, old } = await uploadTwo();
    await killBeforeCommit(() => client.send('delete', `/${id}`));
    expect((await other.download(id))?.equals(old)).toBe(true);
    expect((await other.send('delete', `/${id}`)).status).toBe(204);
  });

  test('an upload by an old client: its object is swept, and the upload may be made again', async () => {
    const post = async (url: string) => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(10)]), 'x');
      const headers = { authorization: `Bearer ${acme.key}` };
      return (await fetch(`${url}${client.path}?chunk_id=a`, { method: 'POST', body: form, headers })).status;
    };
    await killBeforeCommit(() => post(dying.url));
    expect([objects().length, (await other.send('get')).body.count]).toEqual([1, 0]);
    expect(await post(api.api.url)).toBe(201);
    await sweepInADay();
    expect([objects().length, (await other.send('get')).body.count]).toEqual([1, 1]);
  });
});

describe('at any moment of three builds that upload the same sets', () => {
  const refs = Array.from({ length: 8 }, (_, at) => `c${at}`);

  /** The whole way of all sets, with files of its own. `step` is told of each answer. */
  async function build(with_: Client, step: () => void): Promise<void> {
    const files = new Map(refs.map((ref) => [ref, randomBytes(100_000)]));
    const sets = [...files].map(([chunk_id, bytes]) => ({ chunk_id, content_hash: hashOf(bytes) }));
    const { body } = await with_.start(sets, { force: true });
    step();
    const hashes: Record<string, string> = {};
    await Promise.all(
      Object.entries(body.id_map).map(async ([ref, { presigned_url, symbol_set_id }]) => {
        const bytes = files.get(ref) ?? Buffer.alloc(0);
        hashes[symbol_set_id] = hashOf(bytes);
        await postFile(presigned_url, bytes);
        step();
      }),
    );
    await with_.finish(hashes);
    step();
  }

  test.each([1, 5, 14, 22, 28])('after answer %i: each set has one build’s whole file, or none', async (last) => {
    let steps = 0;
    let killed: Promise<void> | undefined;
    const step = (): void => {
      if (++steps === last) killed = dying.kill();
    };
    await Promise.allSettled(refs.slice(0, 3).map(() => build(client, step)));
    await killed;
    const expectWhole = async (): Promise<number> => {
      const sets = await api.prisma.symbolSet.findMany({ where: { projectId: acme.projectId } });
      const stored = sets.filter(({ storageKey }) => storageKey !== null);
      for (const { id, contentHash } of stored) {
        const bytes = await other.download(id);
        expect([bytes?.length, contentHash ?? hashOf(bytes ?? Buffer.alloc(0))]).toEqual([
          100_000,
          hashOf(bytes ?? Buffer.alloc(0)),
        ]);
      }
      return stored.length;
    };
    await expectWhole();
    await build(other, () => undefined);
    expect(await expectWhole()).toBe(refs.length);
    await sweepInADay();
    expect(objects()).toHaveLength(refs.length);
  });
});
