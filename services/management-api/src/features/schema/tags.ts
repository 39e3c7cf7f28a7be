import type { Tag } from '@millrace/http/openapi.ts';

/** The groups of the reference, in the order in which somebody new needs them. */
export const tags: readonly Tag[] = [
  {
    name: 'Query endpoints',
    description:
      'A query endpoint is SQL with a name. Save it once, run it from anywhere with values for its variables. The first example here makes the endpoint that the others run.',
  },
  { name: 'SQL queries', description: 'Run SQL over the events of a project without saving it.' },
  { name: 'Variables', description: 'Variables that all queries of a project share.' },
  {
    name: 'Definitions',
    description: 'The events and properties that a project has sent, by name and type.',
  },
  { name: 'Projects', description: 'A project has its own events and the token that SDKs send them with.' },
  { name: 'Ingestion warnings', description: 'Events that were dropped or changed, and why.' },
  { name: 'Personal API keys', description: 'Keys for this API. A key has scopes, and limits if you give it some.' },
  { name: 'Users', description: 'The user of the key, and what is current for them.' },
  { name: 'Organizations', description: 'An organization has members and projects.' },
  { name: 'Members', description: 'The users of an organization and their levels.' },
  { name: 'Invites', description: 'An invite makes somebody a member of an organization.' },
  { name: 'Activity log', description: 'Every change, with the user who made it.' },
  {
    name: 'LLM analytics',
    description:
      'Traces of language models: their texts, summaries and translations, reviews, queues of traces that wait for a review, and score definitions, or scorers: the scales on which they are scored.',
  },
  {
    name: 'Error tracking',
    description:
      'Releases of your programs, the symbol sets (source maps) with which stacks of exceptions become readable, their frames, rules about exceptions that are not stored, issues, and alerts to them.',
  },
  { name: 'Surveys', description: 'Counts of survey responses. Surveys themselves are stored elsewhere.' },
  { name: 'Integrations', description: 'Connections of an organization to other products.' },
  { name: 'Legal documents', description: 'Agreements that an organization signs.' },
  { name: 'Reference', description: 'This reference, as a page and as a document.' },
];
