import { setImmediate } from 'node:timers/promises';
import {
  Array as ArrayType,
  Integer,
  Object as ObjectType,
  Optional,
  String as StringType,
  type Static,
} from 'typebox';
import { compileRules, droppingRule, type SuppressionRules } from '@millrace/suppression/suppression-rules.ts';
import { projectRoute } from '../../../context.ts';
import type { StoredEvent } from '../../../queries/stream/read-stored-events.ts';
import { readerOf } from '../reader-of.ts';
import { checkFilters } from './check-filters.ts';
import { readExceptions } from './read-exceptions.ts';
import { daysMax, dayMs } from '../recent-days.ts';
import { noFilters, SuppressionRuleBody } from './suppression-rule.ts';

const examplesMax = 10;

const texts = (examples: string[]) => ArrayType(StringType(), { examples: [examples] });
const Example = ObjectType({
  uuid: StringType({ format: 'uuid' }),
  timestamp: StringType({ format: 'date-time' }),
  exception_types: texts(['Error']),
  exception_values: texts(['ResizeObserver loop limit exceeded']),
});

export const previewSuppressionRule = projectRoute({
  operationId: 'preview_suppression_rule',
  method: 'post',
  path: '/api/projects/:project_id/error_tracking/suppression_rules/preview',
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'Show which stored exceptions a suppression rule would have dropped',
  description:
    'Evaluates the rule as ingestion does, alone, on the newest exceptions that are stored: at most 5000, of 32 MiB together. Exceptions that other rules dropped are not among them.',
  body: ObjectType(
    {
      ...SuppressionRuleBody.properties,
      days: Optional(
        Integer({ minimum: 1, maximum: daysMax, description: 'Days to look back on; default 7.', examples: [7] }),
      ),
    },
    { title: 'SuppressionRulePreview' },
  ),
  responses: {
    200: ObjectType(
      {
        dropped: Integer({ description: 'Exceptions that it would have dropped.', examples: [3] }),
        total: Integer({ description: 'Exceptions that were looked at.', examples: [120] }),
        left_out: Integer({ description: 'Older ones of these days that were not looked at.', examples: [0] }),
        examples: ArrayType(Example, { description: 'The newest ten of those dropped.' }),
      },
      { title: 'SuppressionRulePreviewResult' },
    ),
  },
  async handler({ auth, context: { tenantEngine, clock }, body, signal }) {
    const { filters = noFilters, sampling_rate: samplingRate = 1, days = 7 } = body;
    checkFilters(filters);
    const rules = compileRules([{ id: 'preview', filters, samplingRate }]);
    const { events, count } = await readExceptions(tenantEngine, clock.nowMs() - days * dayMs, readerOf(auth, signal));
    const { dropped, examples } = await evaluate(rules, events, signal);
    return { dropped, total: events.length, left_out: count - events.length, examples };
  },
});

/** Characters that are parsed before others have their turn. */
const charsAtOnce = 500_000;

async function evaluate(
  rules: SuppressionRules,
  events: readonly StoredEvent[],
  signal: AbortSignal,
): Promise<{ dropped: number; examples: Static<typeof Example>[] }> {
  let dropped = 0;
  let chars = 0;
  const examples: Static<typeof Example>[] = [];
  for (const { uuid, timestamp, properties: text } of events) {
    const properties = JSON.parse(text.toString()) as Record<string, unknown>;
    // Written after the rules had their say.
    delete properties['$exception_issue_id'];
    if (droppingRule(rules, { uuid, properties }) !== null) {
      dropped++;
      if (examples.length < examplesMax) examples.push({ uuid, timestamp, ...exceptionOf(properties) });
    }
    chars += text.length;
    if (chars < charsAtOnce) continue;
    chars = 0;
    await setImmediate();
    signal.throwIfAborted();
  }
  return { dropped, examples };
}

function exceptionOf(properties: Readonly<Record<string, unknown>>) {
  return {
    exception_types: textsOf(properties['$exception_types']),
    exception_values: textsOf(properties['$exception_values']),
  };
}

/** The first ten texts, each of at most 300 characters. */
function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const found = value.filter((text): text is string => typeof text === 'string');
  return found.slice(0, 10).map((text) => text.slice(0, 300));
}
