import { describe, expect, test } from '@jest/globals';
import { Array as List, Object as ObjectType, Optional, String as Text, Integer } from 'typebox';
import { routeDefiner } from './define-route.ts';
import { ErrorReply } from './errors/error-schema.ts';
import { hint, unknownFieldHint } from './hint.ts';
import { openApiDocument } from './openapi.ts';
import { bytes } from './replies/reply.ts';
import { validator } from './validator.ts';

const defineRoute = routeDefiner<null, null>();
const Thing = ObjectType({ id: Text({ examples: ['t1'] }) }, { title: 'Thing' });
const route = (thing: typeof Thing = Thing) =>
  defineRoute({
    operationId: 'list_things',
    method: 'post',
    path: '/api/projects/:project_id/things',
    access: { scope: 'project:read' },
    tag: 'Things',
    summary: 'List',
    query: ObjectType({ n: Optional(Integer()) }),
    body: ObjectType({ like: thing }, { ...hint('Write it.'), ...unknownFieldHint('Write %s.') }),
    responses: { 200: List(thing) },
    errors: ['query_capacity'],
    handler: () => [],
  });
interface Described {
  description: string;
  content: { 'application/json': { example: { code: string } } };
}
const info = { title: 'T', version: '1', description: 'D' };

describe('the OpenAPI document follows from the declarations', () => {
  const document = openApiDocument([route()], info, 'http://h');
  const operation = document.paths['/api/projects/{project_id}/things']?.['post'] as Record<string, unknown>;

  test('path parameters, the body and the success have examples, and the groups keep their order', () => {
    const body = { like: { id: 't1' } };
    expect(operation).toMatchObject({
      parameters: [{ name: 'project_id', example: '@current' }, { name: 'n' }],
      requestBody: { content: { 'application/json': { example: body }, 'multipart/form-data': { example: body } } },
      responses: {
        200: { content: { 'application/json': { example: [{ id: 't1' }] } } },
        404: { content: { 'application/json': { example: { code: 'not_found', detail: 'Not found.', attr: null } } } },
      },
    });
    // A reader would send what is in `example`: a parameter that may be left out has none.
    expect((operation['parameters'] as object[])[1]).not.toHaveProperty('example');
    const tags = [
      { name: 'Things', description: 'First.' },
      { name: 'Others', description: 'Then.' },
    ];
    expect(openApiDocument([route()], info, 'http://h', tags).tags).toEqual(tags);
  });

  test('an error is shown as it is sent, by the first of its codes', () => {
    const replies = Object.entries(operation['responses'] as Record<string, Described>);
    const errors = replies.filter(([status]) => Number(status) >= 400);
    expect(errors.length).toBeGreaterThan(5);
    for (const [, { description, content }] of errors) {
      const { example } = content['application/json'];
      expect(() => validator(ErrorReply)(example)).not.toThrow();
      expect(description).toMatch(new RegExp(`^Codes: ${example.code}[,.]`));
    }
  });

  test('errors of a route that has a page for them are HTML too', () => {
    const errorPage = () => bytes('text/html', []);
    const { responses } = openApiDocument([{ ...route(), errorPage }], info, 'http://h').paths[
      '/api/projects/{project_id}/things'
    ]?.['post'] as { responses: Record<string, { content: object }> };
    for (const status of [400, 401, 404, 503])
      expect(responses[status]?.content).toMatchObject({
        'application/json': {},
        'text/html': { schema: { type: 'string' } },
      });
    expect(JSON.stringify(operation)).not.toContain('text/html');
  });

  test('an example stays as it is, whatever its fields are called', () => {
    const examples = [{ title: 'No schema', id: 't1' }];
    const titled = ObjectType({ id: Text() }, { title: 'Thing', examples });
    const { components } = openApiDocument([route(titled)], info, 'http://h');
    expect(components.schemas).toEqual({ Thing: expect.objectContaining({ examples }), Error: expect.anything() });
  });

  test('a parameter of a path of which nothing is said is a mistake of ours', () => {
    const other = { ...route(), path: '/api/things/:thing_id' };
    expect(() => openApiDocument([other], info, 'http://h')).toThrow('thing_id of list_things');
  });

  test('titled schemas are components', () => {
    expect(document.components.schemas).toMatchObject({ Thing: { properties: { id: { type: 'string' } } } });
    expect(operation['requestBody']).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { properties: { like: { $ref: '#/components/schemas/Thing' } } } } },
    });
  });

  test('hints for errors are no part of it', () => expect(JSON.stringify(document)).not.toContain('hint'));

  test('parameters, scope and every status are there', () => {
    expect(operation).toMatchObject({
      operationId: 'list_things',
      'x-required-scopes': ['project:read'],
      security: [{ personalApiKey: [] }],
    });
    expect(
      (operation['parameters'] as { name: string; in: string }[]).map(({ name, in: where }) => `${where} ${name}`),
    ).toEqual(['path project_id', 'query n']);
    expect(Object.keys(operation['responses'] as object)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '406',
      '413',
      '415',
      '429',
      '503',
    ]);
  });

  test('run tokens are named where they are taken, beside keys', () => {
    const tokens = { ...route(), access: { scope: 'endpoint:read', runTokens: true } } as const;
    const { paths, components } = openApiDocument([tokens], info, 'http://h');
    expect(paths['/api/projects/{project_id}/things']?.['post']).toMatchObject({
      security: [{ personalApiKey: [] }, { runToken: [] }],
      'x-required-scopes': ['endpoint:read'],
    });
    expect(Object.keys(components.securitySchemes)).toEqual(['personalApiKey', 'runToken']);
    expect(Object.keys(document.components.securitySchemes)).toEqual(['personalApiKey']);
  });

  test('bodies may be forms, unless the route excludes them', () => {
    const typesOf = (jsonOnly: object) => {
      const post = openApiDocument([{ ...route(), ...jsonOnly }], info, 'http://h').paths[
        '/api/projects/{project_id}/things'
      ]?.['post'] as { requestBody: { content: object } };
      return Object.keys(post.requestBody.content);
    };
    expect(typesOf({})).toEqual(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']);
    expect(typesOf({ jsonOnly: true })).toEqual(['application/json']);
  });

  test('two different schemas of one name are a mistake of ours', () => {
    const other = ObjectType({ id: Text({ maxLength: 3, examples: ['t1'] }) }, { title: 'Thing' });
    expect(() => openApiDocument([route(), route(other)], info, 'http://h')).toThrow('two schemas are called Thing');
  });
});
