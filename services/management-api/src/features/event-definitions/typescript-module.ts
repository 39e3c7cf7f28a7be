import { hash } from 'node:crypto';
import type { PropertyType } from '@millrace/contracts/property-types.ts';

/** An event with the properties that it was met with. */
export interface TypedEvent {
  name: string;
  properties: readonly { name: string; type: PropertyType | null }[];
}

/** A module in TypeScript, as PostHog's command line fetches it. */
export interface TypescriptModule {
  content: string;
  /** The same as long as the content is. */
  schemaHash: string;
}

/** Changes with the form of the content. */
export const generatorVersion = '1.0.0';

const types: Readonly<Record<PropertyType, string>> = {
  String: 'string',
  Numeric: 'number',
  Boolean: 'boolean',
  DateTime: 'string | Date',
  List: 'unknown[]',
};

const begin = `// Made of the events that the project has sent: changes are lost when it is made anew.
import posthog, { type CaptureOptions, type CaptureResult, type PostHog, type Properties } from 'posthog-js';

/** Properties of each event, with the types that they have settled to. */
export interface EventSchemas {
`;

const end = `}

export type EventName = keyof EventSchemas;

/** The properties of an event; others may stand beside them. */
export type EventProperties<Name extends EventName> = EventSchemas[Name] & Record<string, unknown>;

/** posthog-js, which knows the properties of these events. */
export interface TypedPostHog extends Omit<PostHog, 'capture'> {
  capture<Name extends EventName | (string & {})>(
    event: Name,
    properties?: Name extends EventName ? EventProperties<Name> : Properties | null,
    options?: CaptureOptions,
  ): CaptureResult | undefined;
}

export * from 'posthog-js';
export default posthog as unknown as TypedPostHog;
`;

/** The events in order of their names, whatever order they are given in. Names are texts that only they decide the content of. Pure. */
export function typescriptModule(events: readonly TypedEvent[]): TypescriptModule {
  const content = begin + byName(events).map(membersOf).join('') + end;
  return { content, schemaHash: hash('sha256', content, 'hex') };
}

function membersOf({ name, properties }: TypedEvent): string {
  if (properties.length === 0) return `  ${quoted(name)}: Record<string, unknown>;\n`;
  const lines = byName(properties).map(
    (property) => `    ${quoted(property.name)}?: ${property.type === null ? 'unknown' : types[property.type]};\n`,
  );
  return `  ${quoted(name)}: {\n${lines.join('')}  };\n`;
}

// Names come from outside. In a literal nothing of them is more than a name.
function quoted(name: string): string {
  return JSON.stringify(name).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function byName<Named extends { name: string }>(list: readonly Named[]): Named[] {
  return list.toSorted((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
}
