import { expect, test } from '@jest/globals';
import { forTerminal, oneLine } from './for-terminal.ts';

// Operators list texts of tenants and senders: none of these texts may control the terminal.

test('control characters are escaped', () => {
  expect(forTerminal('a\u001b[2Jb\u009b2Jc\r\u0007\u007f \u202ed')).toBe(
    String.raw`a\u001b[2Jb\u009b2Jc\u000d\u0007\u007f \u202ed`,
  );
});

test('line ends, tabs and letters of any script stay', () => {
  const text = 'a\tb\nŽofie 株式会社 🏴 \u200f\u05d0\u200d';
  expect(forTerminal(text)).toBe(text);
});

test('a value within a line cannot end it', () => {
  expect(oneLine('x" of "y"\nnext: "millrace users claim --user eve@x.example"\u2028\tz')).toBe(
    String.raw`x" of "y"\u000anext: "millrace users claim --user eve@x.example"\u2028\u0009z`,
  );
});

test('JSON keeps its meaning', () => {
  const value = { label: 'a\u001b[2J\u009b\u202e\n\\' };
  expect(JSON.parse(forTerminal(JSON.stringify(value)))).toEqual(value);
});
