import { describe, expect, test } from '@jest/globals';
import { RowWriter } from '@millrace/clickhouse/insert/row-writer.ts';
import { PersonOfEvent } from './person-of-event.ts';
import { PersonProperties } from './person.ts';

const ann = (): PersonOfEvent =>
  new PersonOfEvent('0190f3a0-0000-7000-8000-0000000000aa', 'full', new PersonProperties({ name: 'ann' }));
const bob = (): PersonOfEvent =>
  new PersonOfEvent('0190f3a0-0000-7000-8000-0000000000bb', 'full', new PersonProperties({ name: 'bob' }));

function bytesOf(person: PersonOfEvent): string {
  const writer = new RowWriter(1024);
  person.writeTo(writer);
  return writer.written.toString('hex');
}

describe("a person's columns are those of this person, never of another who came to stand in their place", () => {
  test('written again and copied they are the same', () => {
    const [one, writer] = [ann(), new RowWriter(1024)];
    for (let time = 0; time < 3; time++) one.writeTo(writer);
    expect(writer.written.toString('hex')).toBe(bytesOf(ann()).repeat(3));
  });

  test('after they were taken back', () => {
    const [one, writer] = [ann(), new RowWriter(1024)];
    one.writeTo(writer);
    writer.rewind(0);
    bob().writeTo(writer);
    one.writeTo(writer);
    expect(writer.written.toString('hex')).toBe(bytesOf(bob()) + bytesOf(ann()));
  });

  test('after the body was released, and made anew', () => {
    const [one, writer] = [ann(), new RowWriter(1024)];
    one.writeTo(writer);
    writer.release();
    bob().writeTo(writer);
    one.writeTo(writer);
    expect(writer.written.toString('hex')).toBe(bytesOf(bob()) + bytesOf(ann()));
  });

  test('what is not written is not copied', () => {
    const [from, to] = [new RowWriter(1024), new RowWriter(1024)];
    ann().writeTo(from);
    const end = from.size;
    from.release();
    expect(() => to.copyOf(from, 0, end)).toThrow(RangeError);
    expect(to.size).toBe(0);
  });
});
