# A helper imports the main script a second time.
# file: work.py
def f(x): return x + 1
# file: helper.py
def go():
    import main
    return main.value, main.inner(3)
# file: main.py
from work import f
print("running as", __name__)
value = f(1)
def inner(x): return [f(i) for i in range(x)]
if __name__ == "__main__":
    import helper, __main__
    print(helper.go(), __main__.value, __main__.inner(2))
