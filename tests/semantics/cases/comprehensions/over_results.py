# Comprehensions that walk the results of others, with order of key and value.
# file: work.py
def split(word):
    return list(word)


def code(letter):
    return ord(letter) - 96
# file: main.py
import work

words = ["abc", "", "de", "f"]
print([[work.code(c) for c in work.split(w)] for w in words])
print([work.code(c) for w in words for c in work.split(w)])
order = []


def note(tag, value):
    order.append(tag)
    return value


table = {note("key", work.code(w[0])): note("value", work.split(w)) for w in words if w}
print(table, order)
print({*work.split("hello")} == set("hello"), [*work.split("hi"), *work.split("ho")])
print({**{w: work.split(w) for w in words}, "x": work.split("x")})
