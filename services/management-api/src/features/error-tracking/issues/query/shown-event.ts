import type { StoredEvent } from '../../../../queries/stream/read-stored-events.ts';

export const includable = [
  'exception',
  'stacktrace',
  'code_variables',
  'environment',
  'release',
  'navigation',
  'correlation',
  'diagnostics',
] as const;
export type Included = (typeof includable)[number];
export const includedUsually: readonly Included[] = ['exception', 'environment', 'navigation', 'correlation'];

const properties: Readonly<Record<Included, readonly string[]>> = {
  exception: [
    '$exception_types',
    '$exception_values',
    '$exception_fingerprint',
    '$exception_issue_id',
    '$exception_level',
    '$exception_handled',
  ],
  stacktrace: [],
  code_variables: [],
  environment: ['$lib', '$lib_version', '$browser', '$browser_version', '$os', '$os_version', '$app_version'],
  release: ['$exception_releases'],
  navigation: ['$current_url', '$pathname', '$screen_name'],
  correlation: ['$session_id', '$trace_id', '$span_id', '$ai_trace_id', '$ai_span_id'],
  diagnostics: ['$cymbal_errors'],
};

type JsonObject = Record<string, unknown>;
interface ShownFrames {
  frames: JsonObject[];
  frames_omitted: number;
}

/** Frames of a stack that are shown: those closest to the error. */
const framesMax = 50;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const propertiesOf = (stored: Buffer): JsonObject => JSON.parse(stored.toString()) as JsonObject;
const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Shows events of one page; a stack that was shown before is a reference to it. */
export function eventShower(include: ReadonlySet<Included>, onlyAppFrames: boolean) {
  const shownStacks = new Map<string, { same_as_event: string; same_as_exception: number }>();
  const withVariables = include.has('code_variables');

  function showStack(exception: JsonObject, uuid: string, index: number): unknown {
    const stack = exception['stacktrace'];
    if (!isObject(stack)) return null;
    const shown = framesOf(objectsOf(stack['frames']), { onlyAppFrames, withVariables });
    const key = JSON.stringify(shown);
    const before = shownStacks.get(key);
    if (before !== undefined) return before;
    shownStacks.set(key, { same_as_event: uuid, same_as_exception: index });
    return shown;
  }

  return ({ uuid, timestamp, properties: stored }: StoredEvent): JsonObject => {
    const all = propertiesOf(stored);
    const names = [...include].flatMap((group) => properties[group]);
    const shown = Object.fromEntries(names.filter((name) => name in all).map((name) => [name, all[name]]));
    const list = objectsOf(all['$exception_list']).map((exception, index) => {
      const { stacktrace: _left, ...others } = exception;
      const hasStacks = include.has('stacktrace') || withVariables;
      return hasStacks ? { ...others, stacktrace: showStack(exception, uuid, index) } : others;
    });
    return { uuid, timestamp, properties: { ...shown, $exception_list: list } };
  };
}

function framesOf(
  frames: readonly JsonObject[],
  { onlyAppFrames, withVariables }: { onlyAppFrames: boolean; withVariables: boolean },
): ShownFrames {
  const wanted = onlyAppFrames ? frames.filter((frame) => frame['in_app'] === true) : frames;
  const shown = wanted.slice(-framesMax).map(({ code_variables: variables, ...frame }) => ({
    ...frame,
    ...(withVariables && variables !== undefined && { code_variables: variables }),
  }));
  return { frames: shown, frames_omitted: wanted.length - shown.length };
}

/** The frame in the application that is closest to the error; null: there is none. Pure. */
export function topFrameOf({ properties: stored }: StoredEvent): JsonObject | null {
  const { $exception_list: list } = propertiesOf(stored);
  const stacks = objectsOf(list).map(({ stacktrace }) => (isObject(stacktrace) ? objectsOf(stacktrace['frames']) : []));
  const frame = stacks
    .map((frames) => frames.findLast((one) => one['in_app'] === true))
    .find((one) => one !== undefined);
  if (frame === undefined) return null;
  const { resolved_name: resolved, mangled_name: mangled, source = null, line = null, column = null } = frame;
  return { function: resolved ?? mangled ?? null, source, line, column };
}

/** The newest release that an event names; null: it names none. Pure. */
export function releaseOf({ properties: stored }: StoredEvent): JsonObject | null {
  const { $exception_releases: releases } = propertiesOf(stored);
  if (!isObject(releases)) return null;
  const found: JsonObject[] = Object.entries(releases).flatMap(([hash, release]) =>
    isObject(release) ? [{ hash_id: hash, ...release }] : [],
  );
  const at = ({ timestamp }: JsonObject): string => (typeof timestamp === 'string' ? timestamp : '');
  return found.sort((a, b) => (at(a) < at(b) ? 1 : -1))[0] ?? null;
}
