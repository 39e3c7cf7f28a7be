/** Objects that a personal API key can be limited to (spec 5.2, contract/decisions 40). */
const scopeObjects = [
  'activity_log',
  'endpoint',
  'error_tracking',
  'event_definition',
  'ingestion_warning',
  'legal_document',
  'llm_analytics',
  'organization',
  'organization_integration',
  'organization_member',
  'personal_api_key',
  'project',
  'property_definition',
  'query',
  'survey',
  'user',
] as const;

type ScopeObject = (typeof scopeObjects)[number];

/** `<object>:read` or `<object>:write`; write includes read (contract/orgs-errors 1.3). */
export type Scope = `${ScopeObject}:${'read' | 'write'}`;

/** The scopes that a key may hold, or `*` for all of them. */
export type GrantedScope = Scope | '*';

export const scopes: readonly Scope[] = scopeObjects.flatMap((object): Scope[] => [
  `${object}:read`,
  `${object}:write`,
]);

/** True when `text` is a scope or `*`. */
export function isGrantedScope(text: string): text is GrantedScope {
  return text === '*' || (scopes as readonly string[]).includes(text);
}
