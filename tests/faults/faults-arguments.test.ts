import { expect, test } from '@jest/globals';
import { FaultsArgumentError, readFaultsArguments } from './faults-arguments.ts';

const known = ['kill-consumer', 'poison', 'rewind'];
const everything = { names: known, minutes: null, log: null, brokers: null, json: false, list: false, isHelp: false };

test.each([
  [[], everything],
  [['--list'], { ...everything, list: true }],
  [['--help'], { ...everything, isHelp: true }],
  [['-h', '--json'], { ...everything, json: true, isHelp: true }],
  [['--scenario', 'poison', '--minutes', '2', '--json'], { ...everything, names: ['poison'], minutes: 2, json: true }],
  [
    ['--scenario=rewind,poison', '--minutes=0.5', '--log=embedded'],
    { ...everything, names: ['poison', 'rewind'], minutes: 0.5, log: 'embedded' },
  ],
  [['--kafka', '127.0.0.1:9092,b:9093'], { ...everything, log: 'kafka', brokers: '127.0.0.1:9092,b:9093' }],
])('npm run faults -- %j', (given, read) => {
  expect(readFaultsArguments(given, known)).toEqual(read);
});

// The promise to who mistypes: it is said what was not understood, and nothing is started.
test.each([
  [['--scenario', 'posion'], 'no scenario "posion". Scenarios: kill-consumer, poison, rewind'],
  [['--scenario'], 'Scenarios: kill-consumer'],
  [['--minutes', 'x'], '--minutes needs a number above 0'],
  [['--minutes', '0'], '--minutes needs a number above 0'],
  [['--log', 'redis'], '--log needs embedded or kafka'],
  [['--kafka', 'localhost'], '--kafka needs brokers as host:port'],
  [['--kafka', 'a:1', '--log', 'embedded'], 'contradict each other'],
  [['poison'], 'Not known: poison.'],
])('npm run faults -- %j is refused', (given, message) => {
  expect(() => readFaultsArguments(given, known)).toThrow(FaultsArgumentError);
  expect(() => readFaultsArguments(given, known)).toThrow(message);
});
