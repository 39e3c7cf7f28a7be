import type { PrismaClient } from '@millrace/postgres/generated/client.ts';

type Archive = Pick<PrismaClient, 'archivedSurveyResponse'>;

/** The uuids of the archived responses of a project, or of one of its surveys, in lower case. */
export async function archivedResponses(
  { archivedSurveyResponse }: Archive,
  projectId: number,
  surveyId?: string,
): Promise<string[]> {
  const where = surveyId === undefined ? { projectId } : { projectId, surveyId };
  const rows = await archivedSurveyResponse.findMany({
    where,
    select: { responseUuid: true },
    orderBy: [{ createdAt: 'asc' }, { responseUuid: 'asc' }],
  });
  return rows.map(({ responseUuid }) => responseUuid);
}

/** A response of a survey, by the uuid of its latest event. */
export interface Response {
  projectId: number;
  surveyId: string;
  responseUuid: string;
}

/** Idempotent, as taking it out again is. */
export async function archive({ archivedSurveyResponse }: Archive, response: Response): Promise<void> {
  await archivedSurveyResponse.createMany({ data: [response], skipDuplicates: true });
}

export async function unarchive({ archivedSurveyResponse }: Archive, response: Response): Promise<void> {
  await archivedSurveyResponse.deleteMany({ where: response });
}
