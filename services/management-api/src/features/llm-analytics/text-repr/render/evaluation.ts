import { rawNumber } from '@millrace/json/exact-json.ts';
import type { Lines } from '../lines/lines.ts';
import { isTruthy, memberOf, type ObjectValue } from '../values/json-values.ts';
import { pystr } from '../values/python-text.ts';
import { firstName } from './names.ts';
import { separator } from './rules.ts';

/** Writes an evaluation: its name, its verdict and from where, its reasons (contract/llm-surveys 8, contract/decisions 63). */
export function writeEvaluation(lines: Lines, properties: ObjectValue): void {
  const name = firstName([memberOf(properties, '$ai_evaluation_name')], 'Unknown evaluation');
  const verdict = verdictOf(properties) ?? 'UNKNOWN';
  const reasoning = memberOf(properties, '$ai_evaluation_reasoning');
  const parts = [`EVALUATION: ${name}`, `Result: ${verdict}${runtimeText(properties)}`];
  if (isTruthy(reasoning)) parts.push(`Reasoning: ${pystr(reasoning)}`);
  lines.add(separator, '', parts.join(' | '), '');
}

/** The verdict of an evaluation in words; null when it has none. */
export function verdictOf(properties: ObjectValue): string | null {
  const applicable = memberOf(properties, '$ai_evaluation_applicable');
  if (applicable === false || applicable === 'false') return 'N/A';
  return typedVerdict(properties) ?? plainVerdict(memberOf(properties, '$ai_evaluation_result'));
}

/** The verdict in the property that its type names; null when that is not there. */
function typedVerdict(properties: ObjectValue): string | null {
  const type = memberOf(properties, '$ai_evaluation_result_type');
  if (type === 'numeric') {
    const number = memberOf(properties, '$ai_evaluation_numeric_result');
    return isText(number) || typeof number === 'number' || rawNumber(number) !== null ? pystr(number) : null;
  }
  if (type === 'categorical') {
    const categories = memberOf(properties, '$ai_evaluation_categorical_result');
    if (Array.isArray(categories) && categories.length > 0)
      return categories.map((category) => pystr(category)).join(', ');
    return isText(categories) ? categories : null;
  }
  const label = type === 'sentiment' ? memberOf(properties, '$ai_sentiment_label') : undefined;
  return isText(label) ? label : null;
}

function plainVerdict(result: unknown): string | null {
  if (typeof result === 'boolean') return String(result);
  return isText(result) ? result : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function runtimeText(properties: ObjectValue): string {
  const runtime = memberOf(properties, '$ai_evaluation_runtime');
  const model = memberOf(properties, '$ai_evaluation_model');
  if (!isTruthy(runtime)) return '';
  const isJudge = runtime === 'llm_judge' && isTruthy(model);
  return isJudge ? ` (llm_judge/${pystr(model)})` : ` (${pystr(runtime)})`;
}
