// The counterpart of the management API (npm run bench -- management): Express with nothing before the handler,
// which runs the same statements through Prisma and returns the rows as they come. A process of its own; reports its
// port to its parent.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createPool } from '@millrace/postgres/pool.ts';
import { createPrismaOver } from '@millrace/postgres/prisma.ts';
import { readMemberQuery } from '../features/members/member-filter.ts';
import { readMembers } from '../features/members/read-members.ts';
import { readProjects } from '../features/projects/read-projects.ts';

const page = { limit: 100, offset: 0 };

process.once('message', ({ databaseUrl, organizationId }: { databaseUrl: string; organizationId: string }) => {
  const prisma = createPrismaOver(createPool(databaseUrl, { applicationName: 'bare', onError: () => undefined }));
  const app = express().disable('etag');
  app.get('/members', async (_request, response) => {
    response.json(await readMembers(prisma, readMemberQuery({}, { organizationId, userId: null }), page));
  });
  app.get('/organization', async (_request, response) => {
    response.json(await prisma.organization.findUnique({ where: { id: organizationId } }));
  });
  app.get('/projects', async (_request, response) => {
    const where = { organizationId, deletedAt: null };
    response.json(await readProjects(prisma, where, page));
  });
  const server = createServer(app).listen(0, '127.0.0.1', () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  );
});
process.on('disconnect', () => process.exit(0));
