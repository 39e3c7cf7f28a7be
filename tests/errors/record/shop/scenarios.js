import { Cart } from './cart.js';
import { api, loadProfile } from './orders.js';

function addBadItem() {
  const cart = new Cart();
  cart.add({ name: 'refund', price: -1 });
}

function sumWithoutPrice() {
  return new Cart().add({ name: 'tea', price: 2 }).add({ name: 'mug' }).total;
}

const visitAll = () => {
  const cart = Cart.parse('[{"name":"tea","price":2}]');
  cart.each((item) => {
    item.details.colour = 'green';
  });
};

function listNames() {
  return [...new Cart().add({ name: '', price: 1 })];
}

async function sendNothing() {
  return await api.send({ user: null });
}

globalThis.scenarios = {
  addBadItem,
  sumWithoutPrice,
  visitAll,
  listNames,
  sendNothing,
  order: () => api.order(),
  profile: () => loadProfile(1),
  missingProfile: () => loadProfile(2),
};
