# A program that never imports its remote module, and one that only imports it.
# file: work.py
def f(x):
    return x
# file: main.py
print("nothing remote here")
if False:
    import work
