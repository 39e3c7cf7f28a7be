import { expect, test } from '@jest/globals';
import { Prisma } from '@millrace/postgres/generated/client.ts';
import { orderBy, readOrder } from './list-order.ts';

const names = ['name', 'created_at'] as const;
const columns = { id: Prisma.sql`id`, name: Prisma.sql`name`, created_at: Prisma.sql`created_at` };

test.each<[string | undefined, string]>([
  [undefined, 'id'],
  ['', 'id'],
  [' , ', 'id'],
  ['name', 'name,id'],
  ['-name', 'name DESC,id DESC'],
  [' -created_at , name ', 'created_at DESC,name,id'],
])('order_by=%s is ORDER BY %s', (text, sql) => {
  expect(orderBy(readOrder(text, names), columns).sql).toBe(sql);
});

test.each(['id', '--name', 'name;DROP TABLE users', 'Name', 'name,x'])('order_by=%s is refused', (text) => {
  expect(() => readOrder(text, names)).toThrow(
    expect.objectContaining({ code: 'invalid_choice', details: expect.objectContaining({ attr: 'order_by' }) }),
  );
});
