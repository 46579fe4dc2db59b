# The same, named under [assume].
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true

[assume]
pure = ["unicodedata.normalize"]
# file: main.py
import unicodedata

from work import f

for word in ["cafe\u0301", "nai\u0308ve", "abc"]:
    print(f(len(unicodedata.normalize("NFC", word))))  # ahead
