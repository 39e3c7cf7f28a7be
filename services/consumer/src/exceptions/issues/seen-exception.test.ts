import { expect, test } from '@jest/globals';
import { seenException } from './seen-exception.ts';

type Properties = Record<string, unknown>;

const event = (properties: Properties) => ({
  project: { id: 7 },
  head: { timestamp: '2026-11-01T10:00:00.000000Z', receivedAt: '2026-11-01T10:00:01.000000Z' },
  properties: { get: (name: string) => properties[name] },
});
const frame = (name: string, more: object = {}) => ({
  ...{ raw_id: `${name}/0`, mangled_name: 'e', resolved_name: name, source: `src/${name}.ts`, line: 12, in_app: true },
  ...more,
});
const thrown = (...stacks: object[][]): Properties => ({
  $exception_fingerprint: 'f',
  $exception_list: stacks.map((frames) => ({ type: 'E', value: 'v', stacktrace: { type: 'resolved', frames } })),
});
const frameOf = (properties: Properties) => seenException(event(properties), true)?.frame;
const releases = (...versions: string[]) => ({
  $exception_releases: Object.fromEntries(versions.map((version) => [`h${version}`, { version, project: 'shop' }])),
});

test('the frame is the last one of the application, of the first exception that has one', () => {
  const library = frame('library', { in_app: false });
  const shown = { function: 'top', file: 'src/top.ts', line: 12 };
  expect(frameOf(thrown([frame('entry'), frame('top'), library], [frame('cause')]))).toEqual(shown);
  expect(frameOf(thrown([library], [], [frame('top')]))).toEqual(shown);
  expect(frameOf(thrown([library]))).toBeNull();
  expect(frameOf({ ...thrown(), $exception_list: [{ type: 'E', value: 'v' }] })).toBeNull();
});

test('a frame without a map has the name and place that were sent, as far as they were', () => {
  const sent = { resolved_name: undefined, source: undefined, line: undefined };
  expect(frameOf(thrown([frame('f', sent)]))).toEqual({ function: 'e', file: null, line: null });
  expect(frameOf(thrown([frame('f', { ...sent, mangled_name: '' })]))).toMatchObject({ function: null });
});

test('the release is that of the map of the frame, else another of the event', () => {
  const properties = { ...thrown([frame('top')]), ...releases('1', '2') };
  const releaseOf = (found: { version: string; project: string } | null) =>
    seenException(event(properties), true, ({ raw_id }) => (raw_id === 'top/0' ? found : null))?.release;
  expect(releaseOf({ version: '2', project: 'shop' })).toEqual({ version: '2', project: 'shop' });
  expect(releaseOf(null)).toEqual({ version: '1', project: 'shop' });
  expect(seenException(event(thrown([frame('top')])), true)?.release).toBeNull();
});

test('texts of a megabyte are cut: of a path its end stays', () => {
  const long = '👍'.repeat(500_000);
  const properties = { ...thrown([frame('f', { resolved_name: long, source: `${long}/cart.ts` })]), ...releases(long) };
  const seen = seenException(event(properties), true);
  expect(seen?.frame?.function).toMatch(/^👍{99}.…$/u);
  expect(seen?.frame?.file).toMatch(/^….👍+\/cart\.ts$/u);
  expect(seen?.frame?.file).toHaveLength(200);
  expect(seen?.release?.version).toHaveLength(200);
  expect(JSON.stringify(seen)).not.toMatch(/\\ud[89a-f]/);
});
