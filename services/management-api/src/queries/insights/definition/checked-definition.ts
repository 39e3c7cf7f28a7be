import type { TSchema } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { validator, type Validate } from '@millrace/http/validator.ts';
import { onQuery } from '../../definition/variables.ts';
import { adviceOn } from './definition-advice.ts';

const validators = new WeakMap<TSchema, Validate>();

const definitionBytesMax = 65_536;

/** Kinds of series nodes that do not exist here, and what to write instead (contract/insights 2, contract/decisions 44). */
const otherNodes = new Map([
  ['ActionsNode', 'Actions do not exist here: write the events and filters that the action stands for.'],
  ['GroupNode', 'Write {"kind": "EventsNode", "event": null} with a filter of type event_metadata and key event.'],
  ['DataWarehouseNode', 'Only events can be series.'],
  ['FunnelsDataWarehouseNode', 'Only events can be series.'],
  ['LifecycleDataWarehouseNode', 'Only events can be series.'],
]);

/**
 * A definition without its nulls, which are the same as fields that are not given, when it fits the strict schema.
 * @throws {AppError} 400 on `query`, which names the first field that is wrong (contract/insights 1.2)
 */
export function checkedDefinition(definition: Readonly<Record<string, unknown>>, schema: TSchema): unknown {
  if (Buffer.byteLength(JSON.stringify(definition)) > definitionBytesMax)
    throw onQuery(`query is longer than ${definitionBytesMax / 1_024} KiB.`);
  const given = withoutNulls(definition) as { kind?: unknown; breakdownFilter?: unknown };
  refuseOtherNodes(given);
  refuseCohorts(given);
  const validate = validators.get(schema) ?? validator(schema);
  validators.set(schema, validate);
  try {
    validate(given);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { attr, detail } = error.details;
    const path = (attr ?? '').split('__').filter((part) => part !== '');
    const advice = adviceOn(String(given.kind), schema, path, / is not a known field\.$/.test(String(detail)));
    throw onQuery([`${['query', ...path].join('.')}: ${detail}`, advice ?? []].flat().join(' '));
  }
  return given;
}

/** The value without members that are null, at every level. Values in lists stay. Pure. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}

/** Cohorts are numbers, which no schema of texts would name. */
function refuseCohorts({ breakdownFilter }: { breakdownFilter?: unknown }): void {
  const { breakdown_type: type, breakdowns } = (breakdownFilter ?? {}) as {
    breakdown_type?: unknown;
    breakdowns?: unknown;
  };
  const others = Array.isArray(breakdowns) ? breakdowns.map((one) => (one as { type?: unknown } | null)?.type) : [];
  if ([type, ...others].includes('cohort'))
    throw onQuery(
      'query.breakdownFilter: there are no cohorts. Break down by a property of persons: {"breakdown": "plan", "breakdown_type": "person"}.',
    );
}

function refuseOtherNodes(definition: unknown): void {
  const { series, retentionFilter } = definition as { series?: unknown; retentionFilter?: unknown };
  for (const name of ['targetEntity', 'returningEntity']) {
    const { type } = ((retentionFilter ?? {}) as Record<string, { type?: unknown } | undefined>)[name] ?? {};
    if (type === 'actions')
      throw onQuery(`query.retentionFilter.${name}.type is actions. ${otherNodes.get('ActionsNode')}`);
  }
  if (!Array.isArray(series)) return;
  for (const [at, node] of series.entries()) {
    const { kind } = (node ?? {}) as { kind?: unknown };
    const advice = typeof kind === 'string' ? otherNodes.get(kind) : undefined;
    if (advice !== undefined) throw onQuery(`query.series.${at} is of kind ${String(kind)}. ${advice}`);
  }
}
