import { asWords } from '../../../../mail/address.ts';
import type { Mail } from '../../../../mail/mailer.ts';
import type { Alert, AlertedIssue } from '../delivery.ts';
import { issueUrl, type AlertPlace } from './alert-payload.ts';

const nameLengthMax = 120;

/** The mail of an alert, without its receiver. Texts of events are plain words in it. Pure. */
export function alertMail(alert: Alert, place: AlertPlace): Omit<Mail, 'to'> {
  const project = asWords(place.projectName);
  const end = `You get this mail because a member of ${project} chose your address for alerts of error tracking.`;
  const { subject, paragraphs } = newsOf(alert, place, project);
  return { subject: `[${project}] ${subject}`, text: `${[...paragraphs, end].join('\n\n')}\n` };
}

function newsOf(alert: Alert, place: AlertPlace, project: string): { subject: string; paragraphs: string[] } {
  const [issue] = alert.issues;
  if (alert.type === 'issues.digest') return digestOf(alert, place, project);
  if (alert.type === 'test' || issue === undefined)
    return {
      subject: 'Test of alerts',
      paragraphs: [`This is a test of the alerts of ${project}. Nothing has happened.`],
    };
  const isNew = alert.type === 'issue.created';
  return {
    subject: `${isNew ? 'New issue' : 'Regressed'}: ${nameOf(issue)}`,
    paragraphs: [
      isNew
        ? `${project} has a new issue, first seen at ${timeOf(new Date(issue.first_seen_at))}:`
        : `An issue of ${project} that was resolved was seen again at ${timeOf(alert.createdAt)}:`,
      [nameOf(issue), asWords(issue.description ?? ''), frameOf(issue), releaseOf(issue)]
        .filter((line) => line !== '')
        .join('\n'),
      issueUrl(place, issue.id),
    ],
  };
}

function digestOf({ issues, createdCount, regressedCount }: Alert, place: AlertPlace, project: string) {
  const counts = [
    createdCount === 0 ? '' : `${createdCount} more new ${createdCount === 1 ? 'issue' : 'issues'}`,
    regressedCount === 0 ? '' : `${regressedCount} more that regressed`,
  ];
  const subject = counts.filter((count) => count !== '').join(', ');
  const left = createdCount + regressedCount - issues.length;
  const lines = issues.map((issue) => `- ${nameOf(issue)}\n  ${issueUrl(place, issue.id)}`);
  return {
    subject,
    paragraphs: [
      `${project} has ${subject}. There were too many for a mail each.`,
      [...lines, ...(left > 0 ? [`- and ${left} others`] : [])].join('\n'),
      issueUrl(place),
    ],
  };
}

const nameOf = ({ name }: AlertedIssue): string => asWords((name ?? 'Unnamed error').slice(0, nameLengthMax));

/** As stacks print it. */
function frameOf({ frame }: AlertedIssue): string {
  const { function: name = null, file = null, line = null } = frame ?? {};
  if (name === null && file === null) return '';
  const place = file === null || line === null ? (file ?? '') : `${file}:${line}`;
  return asWords(name === null || place === '' ? `at ${name ?? place}` : `at ${name} (${place})`);
}

const releaseOf = ({ release }: AlertedIssue): string =>
  release ? asWords(`in release ${release.version} of ${release.project}`) : '';

const timeOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
