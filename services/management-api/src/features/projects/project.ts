import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  Record as RecordType,
  String as StringType,
  Unsafe,
  type Static,
} from 'typebox';
import type { Project as StoredProject } from '@millrace/postgres/generated/client.ts';

type Onboarding = Record<string, boolean> | null;

/** A project as lists show it (spec 2, contract/orgs-errors 2.6). */
export const Project = ObjectType(
  {
    id: Integer(),
    uuid: StringType({ format: 'uuid' }),
    organization: StringType({ format: 'uuid' }),
    project_id: Integer({ description: 'The same as `id`.' }),
    api_token: StringType({ description: 'The public token that SDKs send events with.', examples: ['phc_…'] }),
    name: StringType({ examples: ['Shop'] }),
    completed_snippet_onboarding: Boolean(),
    has_completed_onboarding_for: Unsafe<Onboarding>({
      anyOf: [RecordType(StringType(), Boolean()), { type: 'null' }],
      examples: [null],
      description: 'Product key to whether it is set up.',
    }),
    ingested_event: Boolean({ examples: [true], description: 'Whether an event was ever captured.' }),
    is_demo: Boolean(),
    timezone: StringType({ description: 'IANA name.', examples: ['Europe/Berlin'] }),
    access_control: Boolean({ description: 'Private: only administrators, and members who were let in, see it.' }),
    tags: ArrayType(StringType(), { examples: [['web']] }),
  },
  { title: 'Project' },
);

/** The project as lists show it; `hasEvent`: whether one was ever captured. */
export function renderProject(project: StoredProject, hasEvent: boolean): Static<typeof Project> {
  return {
    id: project.id,
    uuid: project.uuid,
    organization: project.organizationId,
    project_id: project.id,
    api_token: project.apiToken,
    name: project.name,
    completed_snippet_onboarding: project.completedSnippetOnboarding,
    has_completed_onboarding_for: project.hasCompletedOnboardingFor as Onboarding,
    ingested_event: hasEvent,
    is_demo: project.isDemo,
    timezone: project.timezone,
    access_control: project.accessControl,
    tags: project.tags,
  };
}
