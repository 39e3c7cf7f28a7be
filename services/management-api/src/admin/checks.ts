import { AppError } from '@millrace/http/errors/errors.ts';
import { isPlainLine, plainLineDetail } from '@millrace/http/plain-line.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { isMailAddress } from '../mail/address.ts';
import { findUserIdByEmail } from '../accounts/user-by-email.ts';

// Checks of the command line's input. All throw AppError, whose message names the error in plain words.

/** The text, on one plain line, without blanks around it. @throws {AppError} blank, max_length, invalid_input */
export function requireText(attr: string, text: string, lengthMax: number): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new AppError('blank', { attr, detail: `The ${attr} may not be empty.` });
  if (trimmed.length > lengthMax)
    throw new AppError('max_length', { attr, detail: `The ${attr} may have at most ${lengthMax} characters.` });
  if (!isPlainLine(trimmed)) throw new AppError('invalid_input', { attr, detail: `The ${attr}: ${plainLineDetail}` });
  return trimmed;
}

/** One plain address, so that none looks like another's in other scripts. @throws {AppError} invalid_input */
export function requireEmail(email: string): string {
  if (isMailAddress(email)) return email;
  throw new AppError('invalid_input', { attr: 'email', detail: `"${email}" is not an email address.` });
}

/** @throws {AppError} invalid_choice */
export function requireChoice(attr: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value))
    throw new AppError('invalid_choice', { attr, detail: `Unknown ${attr} ${value}. Known: ${choices.join(', ')}.` });
}

/** @throws {AppError} does_not_exist */
export async function requireOrganization(prisma: Pick<PrismaClient, 'organization'>, id: string) {
  const found = isUuid(id) ? await prisma.organization.findUnique({ where: { id } }) : null;
  if (found === null)
    throw new AppError('does_not_exist', {
      attr: 'organization',
      detail: `There is no organization with the id ${id}.`,
    });
  return found;
}

/** The user with exactly this address, in whatever case. @throws {AppError} does_not_exist */
export async function requireUser(prisma: Pick<PrismaClient, 'user' | '$queryRaw'>, email: string) {
  const id = await findUserIdByEmail(prisma, email);
  const user = id === null ? null : await prisma.user.findUnique({ where: { id }, include: { memberships: true } });
  if (user === null)
    throw new AppError('does_not_exist', {
      attr: 'email',
      detail: `There is no user with the email ${email}: "users list" shows them all.`,
    });
  return user;
}

/** The project, when it is there and not deleted. @throws {AppError} does_not_exist */
export async function requireProject(prisma: Pick<PrismaClient, 'project'>, projectId: number) {
  const project = await prisma.project.findFirst({ where: { id: projectId, deletedAt: null } });
  if (project === null)
    throw new AppError('does_not_exist', { attr: 'project', detail: `There is no project with the id ${projectId}.` });
  return project;
}
