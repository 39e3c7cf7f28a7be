import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { insightKinds } from '../../../queries/insights/insight-kinds.ts';
import type { InsightKind } from '../../../queries/insights/insight-kind.ts';
import { definitionWith } from '../../../queries/insights/testing/definition-with.ts';
import { filtersWith, takesFilters } from '../../../queries/insights/testing/hostile-filters.ts';
import { hostileNames } from '../../../queries/insights/testing/hostile-names.ts';
import { textFieldsOf, type TextField } from '../../../queries/insights/testing/text-fields.ts';
import { typicalDefinitions } from '../../../queries/insights/testing/typical-definitions.ts';
import { rowsOfWorld, type WorldEvent } from '../../../queries/insights/testing/world.ts';
import { w1, w2 } from '../../../queries/insights/testing/worked-worlds.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// Every field of every kind that a text can stand in, with hostile texts, from outside: a 400 about the query, or the rows of the project
// alone, which are those of a project that has the same events and no neighbour with the same names.
const texts = [...hostileNames, '\0', 'a\0b', '\ud800', '\udc00\ud800', 'x'.repeat(5_000), "'".repeat(70_000)];
const secret = 'SECRET-OF-THE-OTHER';
let api: TestApi;
let own: Seed;
let alone: Seed;

const world: readonly WorldEvent[] = [...w1, ...w2];
const others = world.flatMap((event) => [
  event,
  { ...event, properties: { ...event.properties, plan: secret, $pathname: `/${secret}` } },
]);

async function insert({ projectId }: Seed, events: readonly WorldEvent[]): Promise<void> {
  for (const [table, values] of Object.entries(rowsOfWorld(projectId, { events })))
    if (values.length > 0) await api.writer.insert({ table: `analytics.${table}`, format: 'JSONEachRow', values });
}

beforeAll(async () => {
  api = await startTestApi();
  const seeds = [await api.seed('Own'), await api.seed('Alone'), await api.seed('Other')] as const;
  [own, alone] = seeds;
  await Promise.all([insert(own, world), insert(alone, world), insert(seeds[2], others)]);
});
afterAll(() => api?.stop());

interface Reply {
  results?: unknown;
  code?: string;
  attr?: string | null;
  detail?: string;
}

const send = async ({ projectId, key }: Seed, path: string, body: object) =>
  await api.as(key).send<Reply>('post', `/api/projects/${projectId}/${path}`).send(body);

/** Words of our statements and of the engine. */
const internal = /DB::|Exception|analytics\.|insight_[a-z]+|__t\d|\{p\d+:|team_id/;

/** Why a reply may not be given; undefined: it is right. `given`: the request, whose words may come back. */
function faultOf(
  { status, body, text }: { status: number; body: Reply; text: string },
  given: object,
  attr: RegExp,
): string | undefined {
  if (text.includes(secret)) return 'rows of the other project';
  if (status === 200 || status === 201) return undefined;
  const { attr: field, detail = '' } = body;
  if (status !== 400) return `${status} ${text}`;
  if (!attr.test(String(field))) return `about ${field}: ${detail}`;
  const [told] = internal.exec(detail) ?? [];
  return told === undefined || JSON.stringify(given).includes(told) ? undefined : `it tells ${told}: ${detail}`;
}

let made = 0;
// An error of the compiler names no field of a run: what it quotes is of the override.
const ofRun = /^(?:variables|filters_override|null)/;

/** Asks it, saves it, and runs what is saved. Returns how many were answered with results; each fault is a line of `faults`. */
async function attempt(definition: object, faults: unknown[]): Promise<number> {
  const query = JSON.parse(JSON.stringify(definition)) as object;
  const name = `hostile-${made++}`;
  const [asked, same, saved] = await Promise.all([
    send(own, 'query', { query }),
    send(alone, 'query', { query }),
    send(own, 'endpoints', { name, query }),
  ]);
  const ofQuery = /^query/;
  const replies = [asked, saved, ...(saved.status === 201 ? [await send(own, `endpoints/${name}/run`, {})] : [])];
  const fault =
    replies.map((reply) => faultOf(reply, query, ofQuery)).find((one) => one !== undefined) ??
    ((asked.status === 200) === (saved.status === 201) ? undefined : `${asked.text} beside ${saved.text}`);
  if (fault !== undefined) faults.push([JSON.stringify(query).slice(0, 500), fault]);
  for (const { status, body } of replies)
    if (status === 200) expect([query, body.results]).toEqual([query, same.body.results]);
  return asked.status === 200 ? 1 : 0;
}

const kinds = [...insightKinds.values()].map((kind) => [kind.kind, kind] as const);

/** A few of many, others for the next field: each field meets some, each text meets many fields. */
let fields = 0;
function some<Value>(values: readonly Value[], count: number): readonly Value[] {
  const step = Math.ceil(values.length / count);
  const at = fields++;
  return values.filter((_, index) => index % step === at % step);
}

function definitionsOf(kind: InsightKind, field: TextField): object[] {
  if (takesFilters(field)) {
    const isMember = field.path.at(-1) === 0;
    return some(texts, 2).flatMap((text) =>
      filtersWith(text).map((filter) => definitionWith(kind, field, isMember ? filter : [filter])),
    );
  }
  if (field.takes === 'free') return some(texts, 1).map((text) => definitionWith(kind, field, { [text]: [text] }));
  return some(texts, 3).map((text) => definitionWith(kind, field, text));
}

describe.each(kinds)('%s', (_, kind) => {
  test('with a hostile text in each of its fields', async () => {
    const faults: unknown[] = [];
    let answered = 0;
    for (const field of textFieldsOf(kind.schema))
      for (const definition of definitionsOf(kind, field))
        answered += await attempt({ kind: kind.kind, ...definition }, faults);
    expect(faults).toEqual([]);
    expect(answered).toBeGreaterThan(20);
  }, 300_000);

  test('with a hostile text in what a run gives', async () => {
    const name = `runs-${kind.kind.toLowerCase()}`;
    const query = { kind: kind.kind, ...typicalDefinitions[kind.kind] };
    expect((await send(own, 'endpoints', { name, query })).status).toBe(201);
    const faults: unknown[] = [];
    for (const text of some(texts, 10)) {
      const bodies = [
        { variables: { [text]: text } },
        { variables: { date_from: text } },
        { variables: { date_to: text } },
        { filters_override: { date_from: text } },
        { filters_override: { [text]: text } },
        ...some(filtersWith(text), 6).map((filter) => ({ filters_override: { properties: [filter] } })),
      ];
      for (const body of bodies) {
        const fault = faultOf(await send(own, `endpoints/${name}/run`, body), body, ofRun);
        if (fault !== undefined) faults.push([JSON.stringify(body).slice(0, 500), fault]);
      }
    }
    expect(faults).toEqual([]);
  }, 120_000);
});
