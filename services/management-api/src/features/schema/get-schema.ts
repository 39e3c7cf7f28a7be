import { bytes } from '@millrace/http/replies/reply.ts';
import { Record, String as StringType, Unknown } from 'typebox';
import { release } from '@millrace/runtime/release.ts';
import { publicRoute } from './context.ts';

export const getSchema = publicRoute({
  operationId: 'get_schema',
  method: 'get',
  path: '/api/schema',
  access: 'public',
  tag: 'Reference',
  summary: 'Describe the whole API as OpenAPI 3.1',
  responses: {
    200: Record(StringType(), Unknown(), {
      examples: [{ openapi: '3.1.0', info: { title: 'Millrace management API', version: release }, paths: {} }],
    }),
  },
  handler: ({ context, request }) => bytes('application/json', context.apiDocument(request)),
});
