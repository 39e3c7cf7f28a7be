import { Prisma } from '@millrace/postgres/generated/client.ts';

/** Properties of events that tell the consumer something, and that no list of events' properties has (contract/decisions 74). */
export const instructions: readonly string[] = [
  'distinct_id',
  '$set',
  '$set_once',
  '$unset',
  '$initial_referrer',
  '$initial_referring_domain',
  '$groups',
  '$group_type',
  '$group_key',
  '$group_set',
  '$group_0',
  '$group_1',
  '$group_2',
  '$group_3',
  '$group_4',
];

/** Condition of every list of properties, about a definition `d`: it is none of an event's instructions to the consumer. */
export const noInstruction = Prisma.sql`(d.type <> 'event'
  OR d.name <> ALL(${[...instructions]}::text[]) AND NOT starts_with(d.name, '$session_entry_'))`;
