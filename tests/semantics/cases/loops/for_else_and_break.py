# for ... else with a break that a result decides.
# file: work.py
def divides(d, n):
    return n % d == 0
# file: main.py
import work


def prime(n):
    for d in range(2, n):
        if d * d > n:
            continue
        if work.divides(d, n):
            print(n, "=", d, "*", n // d)
            break
    else:
        print(n, "is prime")
        return True
    return False


print(sum(prime(n) for n in range(2, 14)))
