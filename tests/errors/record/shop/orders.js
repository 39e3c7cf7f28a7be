import { Cart } from './cart.js';

const api = {
  async send(order) {
    await Promise.resolve();
    if (order.user === null) throw new Error('nobody is logged in');
    return { id: order.cart.total };
  },
  order() {
    const cart = new Cart();
    return submitOrder({ user: null, cart });
  },
};

function submitOrder(order) {
  if (order.user === null) {
    const label = describe(order);
    throw new Error(`cannot submit ${label}`);
  }
  return api.send(order);
}

const describe = (order) => {
  const { user, cart } = order;
  return `order of ${user ?? 'nobody'} for ${cart.total}`;
};

export async function loadProfile(id) {
  const profile = await fetchProfile(id);
  return profile.name.toUpperCase();
}

async function fetchProfile(id) {
  await Promise.resolve();
  if (id > 1) throw new Error(`profile ${id} is not there`);
  return {};
}

export { api };
