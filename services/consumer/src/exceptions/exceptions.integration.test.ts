import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openFiles } from '@millrace/object-storage/create-storage.ts';
import type { ObjectFiles } from '@millrace/object-storage/object-storage.ts';
import { systemClock } from '@millrace/runtime/clock.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { readBundle, type PrintedFrame } from '@millrace/symbolication/testing/bundles.ts';
import { containerOf, scriptAndMap } from '@millrace/symbolication/testing/containers.ts';
import { mappingsOf, mapText } from '@millrace/symbolication/testing/map-texts.ts';
import { createApp } from '../app.ts';
import { createHarness, type Harness } from '../test/harness.ts';

// contract/orgs-errors 5, contract/decisions 102, 106, 120: with real engines, from the log to the row.

const bundle = readBundle('esbuild');
const container = containerOf(scriptAndMap(bundle.bundle, bundle.map));
const [scenario, printed] = Object.entries(bundle.stacks)[0] as [string, PrintedFrame[]];
const original = bundle.expected[scenario]?.[0] as PrintedFrame;
/** Engines print the class before the name of a method. */
const functionName = original.function.replace('Cart.', '');

let harness: Harness;
let files: ObjectFiles;
let app: ReturnType<typeof createApp>;
beforeAll(async () => {
  harness = await createHarness();
  files = openFiles(harness.config.storage, {
    clock: systemClock,
    logger: createLogger('test', 'silent'),
  }) as ObjectFiles;
  app = createApp(harness.config);
  await app.start();
}, 60_000);
afterAll(async () => {
  await app?.stop();
  await harness?.close();
}, 30_000);
let chunk: string;
beforeEach(() => void (chunk = randomUUID()));

/** Stores a set with a file; answers its id. */
async function makeSet(bytes: Buffer): Promise<string> {
  const [id, key] = [randomUUID(), `symbolsets/${randomUUID()}`];
  await files.put(key, bytes);
  await harness.sql.query(
    `INSERT INTO symbol_sets (id, project_id, ref, storage_key, content_hash) VALUES ($1, $2, $3, $4, 'h')
      ON CONFLICT (project_id, ref) DO UPDATE SET storage_key = excluded.storage_key, content_hash = 'h'`,
    [id, harness.teamId, chunk, key],
  );
  return id;
}

/** Sends an exception whose frames are those of the bundle; the entry may be of another chunk. */
async function send(type = 'TypeError', more: object = {}, entryChunk = chunk): Promise<string> {
  const frames = printed.toReversed().map(({ function: name, line, column }, index) => ({
    platform: 'web:javascript',
    filename: 'https://shop.example/app.js',
    function: name,
    lineno: line,
    colno: column,
    chunk_id: index === 0 ? entryChunk : chunk,
    in_app: true,
  }));
  const properties = {
    ...more,
    $lib: 'web',
    $exception_list: [{ type, value: 'v', stacktrace: { type: 'raw', frames } }],
  };
  const event = { event: '$exception', properties: JSON.stringify(properties) };
  const [uuid] = await harness.send([event], { lane: 'exceptions' });
  return uuid as string;
}

interface Stored {
  $exception_list: { stacktrace: { frames: Record<string, unknown>[] } }[];
  $exception_functions: string[];
  $exception_fingerprint: string;
  $exception_releases?: object;
}

async function stored(uuid: string): Promise<Stored> {
  let found: { properties: string }[] = [];
  await eventually(
    async () => {
      found = await harness.rows(
        `SELECT properties_text AS properties FROM analytics.events WHERE team_id = {team:Int64} AND uuid = '${uuid}'`,
      );
      expect(found).toHaveLength(1);
    },
    { deadlineMs: 30_000 },
  );
  return JSON.parse(found[0]?.properties ?? '') as Stored;
}
const crashOf = ({ $exception_list: [first] }: Stored) => first?.stacktrace.frames.at(-1);
const query = async (text: string): Promise<unknown[]> =>
  (await harness.sql.query<Record<string, unknown>>(text, [harness.teamId])).rows;

describe('a stack whose map was uploaded', () => {
  test('names function, file and line of the source; its frames are in their table, with the lines around', async () => {
    const setId = await makeSet(container);
    const event = await stored(await send());
    const { line, file } = original;
    expect(crashOf(event)).toMatchObject({
      resolved: true,
      resolved_name: functionName,
      line,
      source: expect.stringContaining(file),
    });
    expect(event.$exception_functions).toContain(functionName);
    const frames = await query(
      `SELECT symbol_set_id, resolved, context -> 'line' ->> 'number' AS number FROM stack_frames
        WHERE project_id = $1 AND symbol_set_ref = '${chunk}' AND contents ->> 'resolved_name' = '${functionName}'`,
    );
    expect(frames).toEqual([{ symbol_set_id: setId, resolved: true, number: String(line) }]);
    expect(
      await query(
        `SELECT last_used_at > now() - interval '1 minute' AS used FROM symbol_sets WHERE project_id = $1 AND ref = '${chunk}'`,
      ),
    ).toEqual([{ used: true }]);
  });

  test('after events that met none is resolved within seconds, and the record of its frames with it', async () => {
    const before = await stored(await send());
    expect(crashOf(before)).toMatchObject({
      resolved: false,
      resolve_failure: `no map uploaded for chunk id: ${chunk}`,
    });
    const list = `SELECT failure_reason FROM symbol_sets WHERE project_id = $1 AND ref = '${chunk}'`;
    expect(await query(list)).toEqual([{ failure_reason: `no map uploaded for chunk id: ${chunk}` }]);
    await makeSet(container);
    await eventually(
      async () => {
        const after = await stored(await send());
        expect([crashOf(after)?.['resolved'], after.$exception_fingerprint === before.$exception_fingerprint]).toEqual([
          true,
          false,
        ]);
      },
      { deadlineMs: 5_000 },
    );
    expect(
      await query(
        `SELECT resolved FROM stack_frames WHERE project_id = $1 AND symbol_set_ref = '${chunk}' AND NOT resolved`,
      ),
    ).toEqual([]);
  });

  test('and cannot be read says why, in its frames and in its list', async () => {
    await makeSet(Buffer.from('no container'));
    const reason = 'container data invalid: it does not begin as a container does';
    expect(crashOf(await stored(await send()))).toMatchObject({ resolved: false, resolve_failure: reason });
    await eventually(async () =>
      expect(await query(`SELECT failure_reason FROM symbol_sets WHERE project_id = $1 AND ref = '${chunk}'`)).toEqual([
        { failure_reason: reason },
      ]),
    );
  });
});

test('an alert names the frame of the source, and the release of its map before others of the event', async () => {
  const makeRelease = async (version: string): Promise<string> => {
    const id = randomUUID();
    const text = `INSERT INTO error_tracking_releases (id, project_id, hash_id, version, project) VALUES ($1, $2, $3, $3, 'shop')`;
    await harness.sql.query(text, [id, harness.teamId, version]);
    return id;
  };
  const makeSetOf = async (version: string): Promise<void> => {
    const ids = [await makeRelease(version), await makeSet(container)];
    await harness.sql.query('UPDATE symbol_sets SET release_id = $1 WHERE id = $2', ids);
  };
  await query(`INSERT INTO error_tracking_alert_settings (project_id, webhook_url) VALUES ($1, 'http://127.0.0.1/')`);
  await makeSetOf('1.4');
  const entryChunk = chunk;
  chunk = randomUUID();
  await makeSetOf('1.5');
  await stored(await send('AlertedError', { $release_id: await makeRelease('1.6') }, entryChunk));
  const alerts = await query(
    `SELECT issues -> 0 ->> 'name' AS name, issues -> 0 -> 'frame' AS frame, issues -> 0 -> 'release' AS release
      FROM error_tracking_alert_deliveries WHERE project_id = $1`,
  );
  const frame = { function: functionName, file: expect.stringContaining(original.file), line: original.line };
  expect(alerts).toEqual([{ name: 'AlertedError', frame, release: { version: '1.5', project: 'shop' } }]);
  await query('DELETE FROM error_tracking_alert_settings WHERE project_id = $1');
});

test('an event names the releases of its sets, and its own; those of other projects are none of them', async () => {
  const [ofSet, ofEvent, foreign] = [randomUUID(), randomUUID(), randomUUID()];
  const organization = randomUUID();
  await harness.sql.query(`INSERT INTO organizations (id, name) VALUES ($1, 'other')`, [organization]);
  const { rows } = await harness.sql.query<{ id: number }>(
    `INSERT INTO projects (uuid, organization_id, name, api_token) VALUES (gen_random_uuid(), $1, 'other', $2) RETURNING id`,
    [organization, `phc_${organization}`],
  );
  const release = `INSERT INTO error_tracking_releases (id, project_id, hash_id, version, project, metadata) VALUES ($1, $2, $3, '1.4', 'shop', '{"git": {}}')`;
  await harness.sql.query(release, [ofSet, harness.teamId, 'of-set']);
  await harness.sql.query(release, [ofEvent, harness.teamId, 'of-event']);
  await harness.sql.query(release, [foreign, rows[0]?.id, 'foreign']);
  await harness.sql.query('UPDATE symbol_sets SET release_id = $1 WHERE id = $2', [ofSet, await makeSet(container)]);
  const own = await stored(await send('TypeError', { $release_id: ofEvent }));
  const shown = { version: '1.4', project: 'shop', timestamp: expect.stringMatching(/^2/), metadata: { git: {} } };
  expect(own.$exception_releases).toEqual({ 'of-set': shown, 'of-event': shown });
  const others = await stored(await send('TypeError', { $release_id: foreign }));
  expect(others.$exception_releases).toEqual({ 'of-set': shown });
});

test('what a rule drops is not stored, and is counted once; the rule acts within seconds', async () => {
  const ruleId = randomUUID();
  const filters = {
    type: 'AND',
    values: [{ key: '$exception_types', type: 'event', operator: 'exact', value: 'Dropped' }],
  };
  await stored(await send('Dropped'));
  await harness.sql.query('INSERT INTO suppression_rules (id, project_id, filters) VALUES ($1, $2, $3)', [
    ruleId,
    harness.teamId,
    filters,
  ]);
  const hits = `SELECT dropped::int FROM suppression_rule_hits h JOIN suppression_rules r ON r.id = h.rule_id WHERE r.project_id = $1`;
  await eventually(
    async () => {
      await send('Dropped');
      expect(await query(hits)).not.toEqual([]);
    },
    { deadlineMs: 5_000, intervalMs: 300 },
  );
  const [row] = (await query(hits)) as { dropped: number }[];
  const kept = await stored(await send('Kept'));
  expect([kept.$exception_list.length, (row?.dropped ?? 0) > 0]).toEqual([1, true]);
});

describe('events that were made to hold others up', () => {
  const hostile = 'a\0b\ud800c';
  const long = 'é'.repeat(3_000);
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  const frame = { platform: 'web:javascript', filename: 'https://a.example/a.js', lineno: 1, colno: 1, function: 'f' };
  const lists: [string, unknown][] = [
    ['texts that Postgres refuses', [{ type: hostile, value: hostile, module: hostile, [hostile]: hostile }]],
    [
      'references that Postgres refuses',
      [frame, { ...frame, chunk_id: hostile }, { ...frame, filename: `https://a/${hostile}` }],
    ],
    [
      'references that are too long',
      [
        { ...frame, chunk_id: long },
        { ...frame, filename: `https://a.example/${long}` },
      ],
    ],
    ['Java with them', [{ platform: 'java', map_id: hostile, module: hostile, function: hostile, lineno: 1 }]],
    [
      'members of all kinds',
      [null, 1, 'x', [], { ...frame, lineno: -1, colno: 1e300, function: 9 }, { ...frame, more: nested(110) }],
    ],
    [
      'frames that came resolved',
      [{ platform: 'python', raw_id: hostile, resolved_name: hostile, client_resolved: true }],
    ],
  ];

  test.each(lists)('%s: all is stored, and what comes after it', async (_name, list) => {
    const isFrames = !JSON.stringify(list).includes('"type"');
    const exceptions = isFrames ? [{ type: 'A', value: 'v', stacktrace: { type: 'raw', frames: list } }] : list;
    const properties = JSON.stringify({
      $lib: 'web',
      $exception_fingerprint: hostile,
      $release_id: hostile,
      $app_namespace: hostile,
      $app_version: hostile,
      $exception_list: exceptions,
    });
    const [uuid] = await harness.send([{ event: '$exception', properties }], { lane: 'exceptions' });
    const event = await stored(uuid as string);
    expect(event.$exception_list).toHaveLength(1);
    expect(await stored(await send('After'))).toMatchObject({ $exception_types: ['After'] });
  });

  test('a map of them', async () => {
    const map = mapText({
      mappings: mappingsOf([[[0, 0, 0, 0, 0]]]),
      names: [hostile],
      sources: [hostile],
      sourcesContent: [`${hostile}\n${hostile}`],
    });
    await makeSet(containerOf(scriptAndMap(`function a(){}`, map)));
    const raw = { ...frame, chunk_id: chunk, colno: 1 };
    const properties = JSON.stringify({ $exception_list: [{ type: 'A', value: '', stacktrace: { frames: [raw] } }] });
    const [uuid] = await harness.send([{ event: '$exception', properties }], { lane: 'exceptions' });
    expect(crashOf(await stored(uuid as string))).toMatchObject({ resolved: true });
    const rows = await query(
      `SELECT contents ->> 'source' AS source, context -> 'line' ->> 'line' AS line FROM stack_frames WHERE project_id = $1 AND symbol_set_ref = '${chunk}'`,
    );
    expect(rows).toEqual([{ source: expect.stringContaining('\ufffd'), line: expect.stringContaining('\ufffd') }]);
  });
});
