# A library function that Cord does not know.
# file: main.py
import unicodedata

from work import f

for word in ["cafe\u0301", "nai\u0308ve", "abc"]:
    print(f(len(unicodedata.normalize("NFC", word))))  # in place
