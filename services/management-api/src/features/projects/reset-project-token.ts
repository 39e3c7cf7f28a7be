import { Integer, Object as ObjectType, Optional, String as StringType } from 'typebox';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { projectRoute } from './context.ts';
import { ProjectDetail, renderProjectDetail } from './project-detail.ts';
import { rotateToken } from './project-store.ts';

const hourMs = 3_600_000;
const graceHoursDefault = 24;

/** The project with its new token, and the time until which the old one works. */
const RotatedProject = ObjectType(
  {
    ...ProjectDetail.properties,
    previous_token: StringType({ examples: ['phc_…'] }),
    previous_token_valid_until: StringType({ format: 'date-time' }),
  },
  { title: 'RotatedProject' },
);

export const resetProjectToken = projectRoute({
  operationId: 'reset_project_token',
  method: 'patch',
  path: '/api/projects/:project_id/reset_token',
  access: { scope: 'project:write', level: membershipLevels.admin },
  tag: 'Projects',
  summary: 'Give a project a new token; the old one works a while longer',
  body: ObjectType(
    {
      grace_hours: Optional(
        Integer({
          minimum: 0,
          maximum: 720,
          examples: [graceHoursDefault],
          description: 'How long events with the old token are still taken, in hours; default 24, 0: not at all.',
        }),
      ),
    },
    { title: 'ProjectTokenReset' },
  ),
  responses: { 200: RotatedProject },
  errors: ['conflict'],
  async handler({
    auth: { caller, project, level },
    context,
    body: { grace_hours: graceHours = graceHoursDefault },
    signal,
  }) {
    const times = { graceMs: graceHours * hourMs, nowMs: context.clock.nowMs() };
    const rotated = await context.prisma.$transaction((transaction) =>
      rotateToken(transaction, caller, project.id, times),
    );
    const withEvent = await context.ingestedEvents.among([rotated.project], signal);
    return {
      ...renderProjectDetail(rotated.project, level, withEvent.has(project.id)),
      previous_token: rotated.previousToken,
      previous_token_valid_until: rotated.validUntil.toISOString(),
    };
  },
});
