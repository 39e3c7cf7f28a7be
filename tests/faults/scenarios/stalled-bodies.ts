import { connect } from 'node:net';
import type { Rig } from '../rig/rig.ts';
import { besideNeighbour, type Harm } from '../stage/quiet-tenant.ts';
import type { Scenario } from '../stage/scenario.ts';

const connections = 60;
/** Another address than that of all others on this machine. */
const strangersAddress = '127.0.0.2';
const head =
  'POST /batch/ HTTP/1.1\r\nhost: capture\r\ncontent-type: application/json\r\ncontent-length: 10000000\r\n\r\n';

/** Begins large bodies without a token, stops after a megabyte of each, and drips; where one is ended, begins another. */
function stall({ capture }: Rig): ReturnType<Harm> {
  const { hostname, port } = new URL(capture.url);
  let isOver = false;
  let begun = 0;
  const open = (): void => {
    if (isOver) return;
    begun++;
    const socket = connect({ host: hostname, port: Number(port), localAddress: strangersAddress });
    const drip = setInterval(() => void (socket.writable && socket.write(isOver ? '' : ' ')), 1_000).unref();
    socket.on('error', () => undefined);
    socket.on('data', () => undefined);
    socket.once('close', () => {
      clearInterval(drip);
      setTimeout(open, 100).unref();
    });
    socket.write(head + ' '.repeat(1_000_000));
    ending.push(() => socket.destroy());
  };
  const ending: (() => void)[] = [];
  for (let one = 0; one < connections; one++) open();
  return Promise.resolve({
    end: () => {
      isOver = true;
      ending.forEach((end) => end());
      return `${begun} bodies begun`;
    },
  });
}

export const stalledBodies: Scenario = {
  name: 'stalled-bodies',
  number: 15,
  does: 'sixty connections without a token begin bodies of 10 MB at capture, stop after the first and drip; a quiet tenant runs and sends',
  logs: ['embedded', 'kafka'],
  fullTier: ['embedded'],
  load: { clients: 6, perSecond: 30 },
  run: (stage) => besideNeighbour(stage, stall),
};
