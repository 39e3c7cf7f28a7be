import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { describeError } from './describe-error.ts';
import { createLogger } from './logger.ts';

/** As drivers throw: with what they worked with. */
function driverError(message = 'terminated'): Error {
  return Object.assign(new TypeError(message), {
    code: '57P01',
    client: { password: 'S3cr3t', secretKey: 12_345, connectionParameters: { password: 'S3cr3t' } },
    detail: 'Key (email)=(S3cr3t) already exists.',
    command: { name: 'auth', args: ['S3cr3t'] },
    config: { headers: { authorization: 'S3cr3t' } },
  });
}

describe('the description of an error', () => {
  test('type, message, code, stack and cause, and nothing else', () => {
    const error = Object.assign(driverError(), { cause: driverError('below') });
    const stack: unknown = expect.any(String);
    expect(describeError(error)).toEqual({
      type: 'TypeError',
      message: 'terminated',
      code: '57P01',
      stack,
      cause: { type: 'TypeError', message: 'below', code: '57P01', stack },
    });
    expect(JSON.stringify(describeError(error))).not.toMatch(/S3cr3t|12345/);
  });

  test('of several errors in one, each the same way', () => {
    const { errors } = describeError(new AggregateError([driverError(), 'a text', { password: 'S3cr3t' }], 'several'));
    expect(errors).toMatchObject([
      { type: 'TypeError' },
      { type: 'string', message: 'a text' },
      { type: 'object', message: 'an object that is no error' },
    ]);
  });

  test('of bounded size: texts, causes, and a circle of causes', () => {
    const long = new Error('x'.repeat(100_000));
    let deep = long;
    for (let depth = 0; depth < 100; depth++) deep = new Error('y'.repeat(100_000), { cause: deep });
    const circle = new Error('round');
    circle.cause = circle;
    const many = new AggregateError(Array.from({ length: 5_000 }, () => new Error('one')));
    for (const [error, bytes] of [
      [long, 10_000],
      [deep, 50_000],
      [circle, 50_000],
      [many, 50_000],
    ] as const) {
      expect(JSON.stringify(describeError(error)).length).toBeLessThan(bytes);
    }
  });

  test('errors of another realm are errors, and what is none is a text', () => {
    expect(describeError(runInNewContext('new RangeError("far")'))).toMatchObject({
      type: 'RangeError',
      message: 'far',
    });
    expect(describeError(undefined)).toEqual({ type: 'undefined', message: 'undefined' });
    expect(describeError('postgres://a:S3cr3t@h')).toEqual({ type: 'string', message: 'postgres://…@h' });
  });

  // The log reports failures: a second error thrown there would end the process in place of it.
  test.each<[string, object]>([
    [
      'a message that throws',
      Object.defineProperty(new Error('x'), 'message', {
        get: () => {
          throw new Error('S3cr3t');
        },
      }),
    ],
    ['a message without a text', Object.assign(new Error('x'), { message: Object.create(null) as object })],
    [
      'a proxy that answers nothing',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('S3cr3t');
          },
        },
      ),
    ],
    [
      'a cause that throws',
      new Error('x', {
        cause: Object.defineProperty(new Error('y'), 'stack', {
          get: () => {
            throw new Error('S3cr3t');
          },
        }),
      }),
    ],
  ])('%s throws nothing', (_, thrown) => {
    const reported = JSON.stringify(describeError(thrown));
    expect(reported).toContain('cannot be read');
    expect(reported).not.toContain('S3cr3t');
  });
});

describe('a line of a log', () => {
  function lineOf(write: (logger: ReturnType<typeof createLogger>) => void): string {
    let line = '';
    write(createLogger('tested', 'info', { destination: { write: (text) => void (line += text) } }));
    return line;
  }

  test.each([
    ['as err', (error: Error) => lineOf((logger) => logger.warn({ err: error }, 'lost'))],
    ['under another name', (error: Error) => lineOf((logger) => logger.warn({ reason: error }, 'lost'))],
    [
      'of a child',
      (error: Error) => lineOf((logger) => logger.child({ part: 'x' }, { redact: [] }).warn({ err: error }, 'lost')),
    ],
    ['by itself', (error: Error) => lineOf((logger) => logger.warn(error))],
    ['without a message', (error: Error) => lineOf((logger) => logger.warn({ err: error }))],
    [
      'that is none',
      () => lineOf((logger) => logger.warn({ err: { message: 'x', client: { secretKey: 'S3cr3t' } } }, 'lost')),
    ],
  ])('holds no secret of an error %s', (_, write) => {
    const line = write(driverError('refused by postgres://a:S3cr3t@h'));
    expect(line).not.toMatch(/S3cr3t|12345/);
    expect(Object.keys(JSON.parse(line) as object)).toEqual(
      expect.arrayContaining(['level', 'time', 'service', 'msg']),
    );
  });
});
