import type { TSchema } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { validator, type Validate } from '@millrace/http/validator.ts';
import { onQuery } from '../../definition/variables.ts';
import { adviceOn, insteadOfField } from './definition-advice.ts';

const validators = new WeakMap<TSchema, Validate>();

const definitionBytesMax = 65_536;

const noActions = 'Actions do not exist here: write the events and filters that the action stands for.';

/** Kinds of series nodes and types of entities that do not exist here, and what to write (contract/insights 2, contract/decisions 44). */
const otherNodes = new Map([
  ['ActionsNode', noActions],
  ['actions', noActions],
  ['data_warehouse', 'Only events can start and return.'],
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
    const place = ['query', ...path].join('.');
    const instead = insteadOfField(schema, path);
    if (instead !== undefined) throw onQuery(`${place} is not available here. ${instead}`);
    const advice = adviceOn(String(given.kind), schema, path, / is not a known field\.$/.test(String(detail)));
    throw onQuery([`${place}: ${detail}`, advice ?? []].flat().join(' '));
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
  for (const [place, node] of nodesOf(definition)) {
    const { kind, type } = (node ?? {}) as { kind?: unknown; type?: unknown };
    for (const [field, value] of Object.entries({ kind, type })) {
      const advice = typeof value === 'string' ? otherNodes.get(value) : undefined;
      if (advice !== undefined) throw onQuery(`query.${place} is of ${field} ${String(value)}. ${advice}`);
    }
  }
}

/** The events of a definition, by place. Pure. */
function nodesOf(definition: unknown): [place: string, node: unknown][] {
  const { series, funnelsFilter, retentionFilter } = definition as Record<string, Record<string, unknown> | undefined>;
  const lists = { series, 'funnelsFilter.exclusions': funnelsFilter?.['exclusions'] };
  const { targetEntity, returningEntity } = retentionFilter ?? {};
  return [
    ...Object.entries(lists).flatMap(([place, list]) =>
      Array.isArray(list) ? list.map((node, at): [string, unknown] => [`${place}.${at}`, node]) : [],
    ),
    ['retentionFilter.targetEntity', targetEntity],
    ['retentionFilter.returningEntity', returningEntity],
  ];
}
