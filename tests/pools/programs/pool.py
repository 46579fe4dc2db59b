"""What `multiprocessing.Pool` is asked for."""

import itertools
import multiprocessing
import multiprocessing.pool
import os
import time


def square(x):
    return x * x


def fails(x):
    raise ValueError(f"no {x}")


def add(x, y=0):
    return x + y


def base(x):
    return x + BASE


def start(value):
    global BASE
    BASE = value


def closure(x):
    return lambda: x


def pid(_):
    return os.getpid()


def turned(data):
    return data[::-1]


def dies(x):
    if x == 3:
        os._exit(7)
    return x



def prompt(x):
    time.sleep(0.05 * x)
    return x


FOUND = "as it was when the pool was made"


def found(_):
    return FOUND


def wait_for(name):
    until = time.monotonic() + 20
    while not os.path.exists(name) and time.monotonic() < until:
        time.sleep(0.001)
    return os.path.exists(name)


def make(name):
    with open(name, "w"):
        pass


def do(task):
    return task[0](task[1])


def endless():
    for number in itertools.count():
        seen.append(number)
        yield number


def broken():
    yield 1
    yield 2
    raise KeyError("the iterable")


seen = []


def shown(error):
    cause = error.__cause__
    return type(error).__name__, str(error), type(cause).__name__, "fails" in str(cause)


def caught(act, *args):
    try:
        return act(*args)
    except Exception as error:
        return shown(error)


def main():
    with multiprocessing.Pool(2) as pool:
        print(type(pool).__name__, pool, len(multiprocessing.active_children()))
        print(pool.map(square, range(40)), pool.map(square, range(40), chunksize=1))
        print(pool.starmap(add, [(1, 2), (3, 4)]), pool.apply(add, (1,), {"y": 5}))
        print(list(pool.imap(square, range(20))), list(pool.imap(square, range(20), chunksize=7)))
        print(sorted(pool.imap_unordered(square, range(20))), pool.map(square, []))
        print(caught(pool.map, fails, [1]))
        print(caught(pool.apply, add, (lambda: 0,))[0], caught(pool.apply, closure, (1,))[0])
        print(caught(list, pool.imap(square, broken())))
        got = []
        waits = [pool.apply_async(square, (n,), callback=got.append) for n in range(5)]
        waits.append(pool.apply_async(fails, (1,), error_callback=lambda e: got.append(str(e))))
        print([one.successful() for one in waits if one.wait() is None], sorted(map(str, got)))
        late = pool.apply_async(prompt, (4,))
        print(late.ready(), caught(late.get, 0.01)[0], late.get())
        print(len(set(pool.map(pid, range(8), chunksize=1))) <= 2, os.getpid() in pool.map(pid, [1]))
        data = os.urandom(3 << 20)
        print(pool.map(turned, [data] * 3, chunksize=1) == [data[::-1]] * 3)
        steps = [
            task
            for n in range(12)
            for task in ((wait_for, f"made{n}"), (make, f"made{n}"))
        ]
        print(pool.map(do, steps, chunksize=1))
        few = pool.imap(square, endless())
        print([next(few) for _ in range(4)])
        time.sleep(0.2)
        print(len(seen) < 50_000)
    global FOUND
    FOUND = "as it is now"
    with multiprocessing.Pool(2, start, (100,), maxtasksperchild=3) as pool:
        print(pool.map(base, range(20), chunksize=1), pool.map(found, [0]))
        print(len(set(pool.map(pid, range(20), chunksize=1))) > 2)
        pool.close()
        pool.join()
        print(caught(pool.map, square, [1]))
    FOUND = "later"
    with multiprocessing.Pool(1) as pool:
        FOUND = "later still"
        print(pool.map(found, [0]))
    with multiprocessing.Pool(2) as pool:
        lost = pool.map_async(dies, range(4), chunksize=1)
        print(caught(lost.get, 1.5)[0], pool.map(square, range(10)))
    pool = multiprocessing.Pool(2)
    rest = pool.map_async(time.sleep, [5] * 100_000, chunksize=1)
    time.sleep(0.1)
    pool.terminate()
    pool.join()
    print(rest.ready())
    with multiprocessing.pool.ThreadPool(2) as pool:
        print(pool.map(closure, [1])[0](), pool.map(square, range(5)))
    with multiprocessing.get_context("spawn").Pool(2, start, (7,)) as pool:
        print(pool.map(base, range(5)), pool.map(found, [0]))
    first, second = multiprocessing.Pool(2), multiprocessing.Pool(2)
    print(first.map(square, range(5)), second.map(square, range(5)))
    first.close()
    first.join()
    print(second.map(square, range(5)), len(multiprocessing.active_children()))
    second.close()
    second.join()


if __name__ == "__main__":
    main()
    print("the end")
