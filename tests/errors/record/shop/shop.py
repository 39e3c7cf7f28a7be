"""A shop that fails in the ways that record-python.py asks for."""


class Cart:
    def __init__(self):
        self.items = []

    def add(self, name, price):
        if price < 0:
            raise ValueError(f"price of {name} is below zero")
        self.items.append((name, price))
        return self

    def total(self):
        return sum(price_of(item) for item in self.items)


def price_of(item):
    return item["price"]


def add_bad_item():
    Cart().add("refund", -1)


def sum_without_price():
    return Cart().add("tea", 2).total()


def order():
    try:
        return sum_without_price()
    except TypeError as error:
        raise RuntimeError("cannot submit the order") from error
