import { unlearnedNames } from '@millrace/contracts/property-types.ts';
import { Prisma } from '@millrace/postgres/generated/client.ts';

/** Properties of events that tell the consumer something, and that no list of events' properties has (contract/decisions 74). */
export const instructions: readonly string[] = [
  ...unlearnedNames.event,
  'distinct_id',
  '$initial_referrer',
  '$initial_referring_domain',
  '$group_type',
  '$group_key',
];

/** Condition of every list of properties, about a definition `d`: it is none of an event's instructions to the consumer. */
export const noInstruction = Prisma.sql`(d.type <> 'event'
  OR d.name <> ALL(${[...instructions]}::text[]) AND NOT starts_with(d.name, '$session_entry_'))`;
