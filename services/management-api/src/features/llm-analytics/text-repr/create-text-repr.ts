import { bytes } from '@millrace/http/replies/reply.ts';
import { projectRoute } from '../context.ts';
import { hereSizeMax } from '../here-size-max.ts';
import { answerBytes } from './answer-bytes.ts';
import { TextRepr, TextReprBody } from './text-repr-schemas.ts';

export const createTextRepr = projectRoute({
  operationId: 'create_text_repr',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/text_repr',
  access: { scope: 'llm_analytics:write' },
  throttle: 'text_repr',
  tag: 'LLM analytics',
  summary: 'Make a text of an LLM event or trace that the request brings',
  description:
    'The text is for people and for language models. Nothing is stored. A body may be larger than those of other routes. Large ones wait for one of two threads; when too many wait, the reply is 503 with `Retry-After`.',
  jsonOnly: true,
  unparsed: true,
  body: TextReprBody,
  responses: { 200: TextRepr },
  errors: ['unavailable'],
  async handler({ unparsed, auth: { project }, context: { renderThreads }, signal }) {
    if (unparsed === undefined) throw new Error('the route is declared as unparsed');
    const answer =
      unparsed.bytes.length <= hereSizeMax
        ? answerBytes(unparsed)
        : await renderThreads.text(unparsed, { organizationId: project.organizationId, signal });
    return bytes('application/json', [answer]);
  },
});
