import { AppError } from '@millrace/http/errors.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';

// What the command line's input must be. All throw AppError, whose message says in plain words what is wrong.

/** The text without blanks around it. @throws {AppError} blank, max_length */
export function requireText(attr: string, text: string, lengthMax: number): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new AppError('blank', { attr, detail: `The ${attr} may not be empty.` });
  if (trimmed.length > lengthMax) throw new AppError('max_length', { attr, detail: `The ${attr} may have at most ${lengthMax} characters.` });
  return trimmed;
}

/** @throws {AppError} invalid_input */
export function requireEmail(email: string): string {
  if (email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new AppError('invalid_input', { attr: 'email', detail: `"${email}" is not an email address.` });
}

/** @throws {AppError} invalid_choice */
export function requireChoice(attr: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) throw new AppError('invalid_choice', { attr, detail: `Unknown ${attr} ${value}. Known: ${choices.join(', ')}.` });
}

/** @throws {AppError} does_not_exist */
export async function requireOrganization(prisma: Pick<PrismaClient, 'organization'>, id: string) {
  const found = isUuid(id) ? await prisma.organization.findUnique({ where: { id } }) : null;
  if (found === null) throw new AppError('does_not_exist', { attr: 'organization', detail: `There is no organization with the id ${id}.` });
  return found;
}

/** The user with this address, in whatever case. @throws {AppError} does_not_exist */
export async function requireUser(prisma: Pick<PrismaClient, 'user'>, email: string) {
  const user = await prisma.user.findFirst({ where: { email: { equals: email, mode: 'insensitive' } }, include: { memberships: true } });
  if (user === null) throw new AppError('does_not_exist', { attr: 'email', detail: `There is no user with the email ${email}.` });
  return user;
}

/** The project, when it is there and not deleted. @throws {AppError} does_not_exist */
export async function requireProject(prisma: Pick<PrismaClient, 'project'>, projectId: number) {
  const project = await prisma.project.findFirst({ where: { id: projectId, deletedAt: null } });
  if (project === null) throw new AppError('does_not_exist', { attr: 'project', detail: `There is no project with the id ${projectId}.` });
  return project;
}
