import { isAbsent, isTruthy, memberOf, type ObjectValue } from '../values/json-values.ts';
import { fixedDecimals, numberOf } from '../values/python-numbers.ts';
import { hasError } from './errors.ts';
import { verdictOf } from './evaluation.ts';
import { firstName } from './names.ts';

/** A node of the tree in one line: its name, and in parentheses its figures (contract/llm-surveys 5.8). */
export function nodeSummary(name: string, properties: ObjectValue): string {
  const of = (key: string): unknown => memberOf(properties, key);
  if (name === '$ai_generation') {
    const figures = [
      seconds(of('$ai_latency')),
      firstToken(properties),
      ...costAndModel(properties),
      error(properties),
    ];
    return withFigures(firstName([of('$ai_span_name'), of('$ai_model')], 'generation'), figures);
  }
  if (name === '$ai_embedding') {
    const figures = [seconds(of('$ai_latency')), ...costAndModel(properties), error(properties)];
    return withFigures(firstName([of('$ai_span_name'), of('$ai_model')], 'embedding'), figures);
  }
  if (name === '$ai_span') {
    const figures = [seconds(of('$ai_latency')), isTruthy(of('$ai_is_error')) ? 'ERROR' : ''];
    return withFigures(firstName([of('$ai_span_name')], 'span'), figures);
  }
  if (name !== '$ai_evaluation') return name;
  const figures = [firstName([of('$ai_evaluation_runtime')], ''), verdictOf(properties) ?? ''];
  return withFigures(firstName([of('$ai_evaluation_name')], 'evaluation'), figures);
}

/** Empty figures are left out. */
function withFigures(name: string, figures: readonly string[]): string {
  const shown = figures.filter((figure) => figure !== '');
  return shown.length === 0 ? name : `${name} (${shown.join(', ')})`;
}

function firstToken(properties: ObjectValue): string {
  const time = seconds(memberOf(properties, '$ai_time_to_first_token'));
  return time === '' ? '' : `TTFT: ${time}`;
}

function costAndModel(properties: ObjectValue): [cost: string, model: string] {
  const cost = figure(memberOf(properties, '$ai_total_cost_usd'), (value) => `$${fixedDecimals(value, 4)}`);
  return [cost, firstName([memberOf(properties, '$ai_model')], '')];
}

function error(properties: ObjectValue): string {
  return hasError(properties) ? 'ERROR' : '';
}

function seconds(value: unknown): string {
  return figure(value, (number) => `${fixedDecimals(number, 2)}s`);
}

/** Zero is shown, and a text that is no number as it is; a container is left out (contract/decisions 54). */
function figure(value: unknown, print: (number: number) => string): string {
  if (isAbsent(value)) return '';
  const number = numberOf(value);
  return number === null ? (typeof value === 'string' ? value : '') : print(number);
}
