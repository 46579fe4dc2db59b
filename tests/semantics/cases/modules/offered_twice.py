# One function that two remote packages offer, whichever of them is imported first.
# file: inner/__init__.py
# file: inner/cart.py
def total(items):
    return sum(items)
# file: shop/__init__.py
from inner.cart import total

__all__ = ["total"]
# file: store/__init__.py
from inner.cart import total as whole

__all__ = ["whole"]
# file: cord.toml
[remote."s[ht]o*"]
pure = true

[remote.shop]
inline = false

[remote.store]
only = ["whole"]
# file: main.py
import pickle

import inner.cart
import store
import shop

print(shop.total is store.whole is inner.cart.total)
print(pickle.loads(pickle.dumps([shop.total, store.whole])) == [shop.total] * 2)
print([shop.total([n, 1]) + store.whole([n]) for n in range(4)], inner.cart.total([5]))
