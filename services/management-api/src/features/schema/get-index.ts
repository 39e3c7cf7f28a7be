import { Object as ObjectType, String as StringType } from 'typebox';
import { publicRoute } from './context.ts';

export const getIndex = publicRoute({
  operationId: 'get_index',
  method: 'get',
  path: '/',
  access: 'public',
  tag: 'Reference',
  summary: 'Say what this is and where its reference is',
  responses: {
    200: ObjectType({
      name: StringType({ examples: ['Millrace management API'] }),
      reference_url: StringType({ examples: ['https://api.example.com/docs'] }),
      schema_url: StringType({ examples: ['https://api.example.com/api/schema'] }),
    }),
  },
  handler({ context, request }) {
    const baseUrl = context.baseUrl(request);
    return { name: 'Millrace management API', reference_url: `${baseUrl}/docs`, schema_url: `${baseUrl}/api/schema` };
  },
});
