# Past the break the argument would grow without end: guesses must not get lost in big numbers.
# file: work.py
def big(x):
    return x.bit_length() > 3000
# file: main.py
import work

x = 3
while True:
    if work.big(x):
        break
    x = x * x
print(x.bit_length())
text = "ab"
while True:
    if len(work.big.__name__) + len(text) > 5000 or work.big(len(text) ** 2):
        break
    text += text
print(len(text))
