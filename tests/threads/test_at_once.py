"""Calls that one process serves at once: what each of them has for itself."""

from __future__ import annotations


def test_sixty_four_calls_that_wait_for_one_another_run_in_one_process(run):
    result = run(
        """
        def meet(n):
            _meet(64)
            return n, os.getpid()
        """,
        """
        import work
        got = [work.meet(n) for n in range(64)]
        print([n for n, _ in got] == list(range(64)), len({pid for _, pid in got}))
        """,
        threads=64,
        plain=False,
    )
    assert result.stdout == "True 1\n"


def test_there_are_as_many_processes_as_replicas_and_each_serves_so_many(run):
    result = run(
        """
        def meet(n):
            open(f"came{n}", "w").close()
            until = time.monotonic() + 30
            while len([1 for name in os.listdir() if name.startswith("came")]) < 6:
                assert time.monotonic() < until
                time.sleep(0.01)
            return os.getpid()
        """,
        """
        import collections, work
        got = collections.Counter([work.meet(n) for n in range(6)])
        print(sorted(got.values()))
        """,
        threads=3,
        more="pure = true\nreplicas = 2",
        plain=False,
    )
    assert result.stdout == "[3, 3]\n"


def test_each_call_has_values_of_its_own(run):
    result = run(
        """
        def add(values, n):
            _meet(4)
            values.append(n)
            _meet(4, "again")
            seen = [*values]
            values.pop()  # as it came
            return seen
        """,
        """
        import work
        values = [0]
        got = [work.add(values, n) for n in range(4)]
        got[0].append(9)
        print(values, got)
        """,
        plain=False,
    )
    assert result.stdout == "[0] [[0, 0, 9], [0, 1], [0, 2], [0, 3]]\n"


def test_what_a_call_prints_is_shown_where_it_stands(run):
    result = run(
        """
        def write(n):
            print("begin", n)
            if waits:
                _meet(4)
            sys.stdout.buffer.write(b"bytes %d\\n" % n)
            print("error", n, file=sys.stderr, flush=True)
            if waits:
                _meet(4, "again")
            print("end", n)
            return n
        waits = "cord" in sys.modules
        """,
        """
        import work
        for n in range(8):
            print("got", work.write(n))
        """,
        prints=True,
    )
    assert result.stderr == "".join(f"error {n}\n" for n in range(8))


def test_what_threads_of_a_call_print_is_its_own(run):
    run(
        """
        import asyncio, concurrent.futures
        def write(n):
            def say(what):
                if waits:
                    _meet(4, what)
                print(what, n)
            for what in ("one", "two"):
                thread = threading.Thread(target=say, args=(what,))
                thread.start()
                thread.join()
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                pool.submit(say, "pool").result()
            async def main():
                await asyncio.to_thread(say, "asyncio")
                await asyncio.sleep(0)
                print("coroutine", n)
            asyncio.run(main())
            return n
        waits = "cord" in sys.modules
        """,
        """
        import work
        for n in range(4):
            print("got", work.write(n))
        """,
    )


def test_what_goes_past_python_is_shown_once_with_a_call_that_ran_meanwhile(run):
    result = run(
        """
        def write(n):
            _meet(4)
            os.write(1, b"raw %d\\n" % n)
            _meet(4, "again")
            return n
        """,
        """
        import work
        for n in range(4):
            work.write(n)
        """,
        plain=False,
    )
    assert sorted(result.stdout.splitlines()) == [f"raw {n}" for n in range(4)]


def test_what_goes_past_python_is_shown_in_its_place_where_one_call_runs(run):
    run(
        """
        import subprocess
        def write(n):
            print("before", n, flush=True)
            os.write(1, b"raw\\n")
            subprocess.run(["echo", "child"])
            print("after", n, flush=True)
            return n
        """,
        """
        import work
        n = 0
        while n < 3:
            n = work.write(n) + 1
            print("got", n, flush=True)
        """,
    )


def test_context_variables_and_decimals_begin_as_the_module_has_left_them(run):
    result = run(
        """
        import contextvars, decimal
        variable = contextvars.ContextVar("variable")
        variable.set("module's")
        decimal.getcontext().prec = 7
        def look(n):
            _meet(4)
            found = variable.get(), decimal.getcontext().prec
            variable.set(n)
            decimal.getcontext().prec = 10 + n
            _meet(4, "again")
            assert variable.get() == n
            return str(decimal.Decimal(1) / 3), *found
        """,
        """
        import work
        for n in range(8):
            print(work.look(n))
        """,
        plain=False,
    )
    lines = [f"('0.{'3' * (10 + n)}', \"module's\", 7)" for n in range(8)]
    assert result.stdout.splitlines() == lines


def test_calls_may_recurse_as_deep_as_in_the_main_thread(run):
    run(
        """
        import functools, json
        def depth(n):
            return 0 if n == 0 else 1 + depth(n - 1)
        def through_c(n):
            values = []
            for _ in range(n):
                values = [values]
            return len(repr(values)), len(json.dumps(values))
        """,
        """
        import work
        print([work.depth(950 + n) for n in range(4)])
        print([work.through_c(700 + n) for n in range(4)])
        for n in range(4):
            try:
                work.depth(5000 + n)
            except RecursionError as error:
                print(error)
        """,
    )


def test_the_module_is_loaded_once_and_in_the_main_thread(run):
    result = run(
        """
        import signal
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        loaded = []
        loaded.append(threading.current_thread() is threading.main_thread())
        def look(n):
            _meet(4)
            return loaded, threading.current_thread() is threading.main_thread()
        """,
        """
        import work
        print([work.look(n) for n in range(4)] == [([True], False)] * 4)
        """,
        plain=False,
    )
    assert result.stdout == "True\n"


def test_what_only_the_main_thread_may_do_is_pythons_own_error(run):
    result = run(
        """
        import signal
        def handle(n):
            signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        """,
        """
        import work
        try:
            work.handle(0)
        except ValueError as error:
            print(error)
        """,
        plain=False,
    )
    assert result.stdout.startswith("signal only works in main thread")


def test_coroutines_run_in_each_call(run):
    run(
        """
        import asyncio
        async def _wait(n):
            await asyncio.sleep(0)
            if waits:
                await asyncio.to_thread(_meet, 4)
            return n
        def wait(n):
            return asyncio.run(_wait(n))
        waits = "cord" in sys.modules
        """,
        """
        import work
        print([work.wait(n) for n in range(8)])
        """,
    )


def test_exceptions_are_those_of_their_calls(run):
    run(
        """
        class Mine(Exception):
            pass
        def fail(n):
            print("call", n)
            if n == 0:
                raise Mine(n, [n])
            if n == 1:
                sys.exit(3)
            if n == 2:
                raise KeyboardInterrupt("mine")
            if n == 3:
                raise GeneratorExit
            return n
        """,
        """
        import work
        for n in range(8):
            try:
                print(work.fail(n))
            except BaseException as error:
                print(type(error).__name__, error.args)
        """,
    )


def test_independent_calls_run_at_once_and_each_once(run):
    result = run(
        """
        def send(n):
            _meet(4)
            with open("sent", "a") as file:
                file.write(f"{n}\\n")
            return os.getpid()
        """,
        """
        import work
        got = []
        for n in range(8):
            got.append(work.send(n))
        print(len(set(got)))
        with open("sent") as file:
            print(sorted(map(int, file)))
        """,
        more="independent = true",
        plain=False,
    )
    assert result.stdout == "1\n[0, 1, 2, 3, 4, 5, 6, 7]\n"
