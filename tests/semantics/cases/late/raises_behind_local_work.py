# A call raises while the program works on: nothing of that work is to be seen.
# stderr: whole
# file: work.py
import time


def inverse(x):
    time.sleep(0.01)
    print("inverse of", x)
    return 1 / x
# file: main.py
import work


def local_work(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total


def attempt(x, results):
    y = "before"
    counted = {"old": 1}
    try:
        r = work.inverse(x)
        results.append(local_work(1000))
        y = local_work(2000)
        counted["new"] = local_work(10)
        del_me = y + 1
        print("then", r, y, del_me)
    except ZeroDivisionError as error:
        print("caught", error, y, results, counted)
        print(error.__context__, error.__traceback__.tb_lineno)
        try:
            print(del_me)
        except NameError as unbound:
            print(unbound)
        try:
            print(r)
        except NameError as unbound:
            print(unbound)


def main():
    results = [0]
    for x in (1, 2, 0, 4, 0):
        attempt(x, results)
    r = work.inverse(8)
    y = local_work(3000)
    print(r, y)
    r = work.inverse(0)
    y = local_work(3000)
    z = y // 0
    print(r, y, z)


main()
