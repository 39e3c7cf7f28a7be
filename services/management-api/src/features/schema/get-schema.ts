import { bytes } from '@millrace/http/replies/reply.ts';
import { Record, String as StringType, Unknown } from 'typebox';
import { publicRoute } from './context.ts';

export const getSchema = publicRoute({
  operationId: 'get_schema',
  method: 'get',
  path: '/api/schema',
  access: 'public',
  tag: 'Reference',
  summary: 'Describe the whole API as OpenAPI 3.1',
  responses: { 200: Record(StringType(), Unknown()) },
  handler: ({ context, request }) => bytes('application/json', context.apiDocument(request)),
});
