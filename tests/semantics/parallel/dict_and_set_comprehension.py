# Dict and set comprehensions.
# overlap: 3
# file: main.py
import work

words = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()
print({word: work.nap(len(word), i) for i, word in enumerate(words)})
print(sorted({work.nap(len(word)) for word in words}))
