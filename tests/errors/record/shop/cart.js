// A cart that fails in the ways that scenarios.js asks for.
export class Cart {
  #items = [];

  add(item) {
    if (item.price < 0) throw new RangeError(`price of ${item.name} is below zero`);
    this.#items.push(item);
    return this;
  }

  get total() {
    return this.#items.reduce((sum, item) => sum + priceOf(item), 0);
  }

  each = (visit) => {
    for (const item of this.#items) visit(item);
  };

  static parse(text) {
    const cart = new Cart();
    for (const item of JSON.parse(text)) cart.add(item);
    return cart;
  }

  *[Symbol.iterator]() {
    for (const item of this.#items) {
      if (item.name === '') throw new TypeError('an item without a name');
      yield item;
    }
  }
}

function priceOf(item) {
  if (typeof item.price !== 'number') {
    throw new TypeError(`no price: ${item.name}`);
  }
  return item.price;
}
