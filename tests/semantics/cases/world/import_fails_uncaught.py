# The import of a remote module that is nowhere ends the program as plain Python does.
# file: main.py
print("before")
import nowhere

print(nowhere.f(1))
# file: cord.toml
[remote.nowhere]
