"""What `ProcessPoolExecutor` is asked for."""

import concurrent.futures
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool


def square(x):
    return x * x


def fails(x):
    raise ValueError(f"no {x}")


def start(value):
    global BASE
    BASE = value


def base(x):
    return x + BASE


def refuses():
    raise RuntimeError("this worker does not begin")


def nap(seconds):
    time.sleep(seconds)
    return seconds


def dies():
    os._exit(3)


def crash(data):
    os._exit(len(data) % 251)


def nested(x):
    with ProcessPoolExecutor(2) as inner:
        return list(inner.map(square, range(x)))


def closure(x):
    return lambda: x


def turned(data):
    return data[::-1]


def caught(act, *args):
    try:
        return act(*args)
    except BaseException as error:
        return type(error).__name__, str(error)[:60], type(error.__cause__).__name__


def main():
    with ProcessPoolExecutor(2) as pool:
        print(list(pool.map(square, range(30))), list(pool.map(square, range(30), chunksize=7)))
        futures = [pool.submit(square, n) for n in range(200)]
        print(sum(one.result() for one in as_completed(futures)))
        print([one.result() for one in futures[:5]])
        print(caught(pool.submit(fails, 1).result), caught(pool.submit(closure, 1).result)[0])
        print(caught(pool.submit(lambda: 1).result)[0], list(pool.map(nested, [3, 4])))
        done, not_done = wait([pool.submit(nap, 0.01), pool.submit(nap, 0.02)])
        print(len(done), len(not_done))
        got = []
        pool.submit(square, 9).add_done_callback(lambda one: got.append(one.result()))
        naps = [pool.submit(nap, 0.1) for _ in range(12)]
        print(naps[-1].cancel(), naps[-1].cancelled(), naps[0].result(), got)
        print(caught(lambda: list(pool.map(nap, [0.5], timeout=0.05)))[0])
        data = os.urandom(3 << 20)
        print(list(pool.map(turned, [data] * 3)) == [data[::-1]] * 3)
    print(caught(pool.submit, square, 1))
    with ProcessPoolExecutor(2, initializer=start, initargs=(10,)) as pool:
        print(list(pool.map(base, range(5))))
    pool = ProcessPoolExecutor(2)
    naps = [pool.submit(nap, 0.05) for _ in range(20)]
    pool.shutdown(cancel_futures=True)
    print(sum(one.cancelled() for one in naps) >= 10, naps[0].result())
    pool = ProcessPoolExecutor(2)
    print(caught(pool.submit(dies).result)[0], caught(pool.submit, square, 1)[0])
    pool.shutdown()
    with ProcessPoolExecutor(2) as pool:
        print(caught(lambda: list(pool.map(crash, ["a" * (3 << 20)] * 10)))[0])
    with ProcessPoolExecutor(2) as pool:
        pool.submit(nap, 0.01).result()
        for process in pool._processes.values():
            process.kill()
        print(caught(lambda: [one.result() for one in [pool.submit(nap, 1)]])[0])
    for method in ("spawn", "forkserver"):
        context = multiprocessing.get_context(method)
        with ProcessPoolExecutor(2, context, start, (5,)) as pool:
            print(method, list(pool.map(base, range(8))))
    with ProcessPoolExecutor(2) as pool:
        print("nothing is asked")
    last = concurrent.futures.ProcessPoolExecutor(2)
    print(last.submit(square, 4).result(), BrokenProcessPool.__name__)


if __name__ == "__main__":
    main()
    print("the end")
