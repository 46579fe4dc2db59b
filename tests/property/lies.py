"""What functions do though their plan calls them pure, or though they run in another process.

A row is one kind: what the function leaves behind, or what it reads of the process that the program
changes. ``$n`` is the number of the function, so that rows may meet themselves in one program.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lie:
    """One kind.

    Attributes:
        name: Its name.
        module: Lines of the remote module, before the function.
        body: Lines of the function; its argument is ``x``, and what it returns is ``r``.
        more: Its second argument, in the call; "" if there is none. In the function it is ``a``.
        before: Lines of the program before the calls.
        change: Lines of the program between calls.
        undo: Lines of the program when the calls have been made.
        seen: Expressions that the program prints.
    """

    name: str
    module: str = ""
    body: str = ""
    more: str = ""
    before: str = ""
    change: str = ""
    undo: str = ""
    seen: str = ""


LEFT = (
    Lie("counter", "calls$n = 0", "global calls$n\ncalls$n += 1", seen="work.calls$n"),
    Lie("counter returned", "k$n = 0", "global k$n\nk$n += 1\nr += k$n", seen="work.k$n"),
    Lie("list", "seen$n = []", "seen$n.append(x)", seen="work.seen$n"),
    Lie("memo", "memo$n = {}", "r = memo$n.setdefault(x, r)", seen="sorted(work.memo$n)"),
    Lie("set", "had$n = set()", "r += x in had$n\nhad$n.add(x)", seen="len(work.had$n)"),
    Lie("held object", "held$n = Box()", "held$n.value += x", seen="work.held$n.value"),
    Lie("deep", "deep$n = {'a': [Box()]}", "deep$n['a'][0].value = x", seen="work.deep$n['a'][0]"),
    Lie("class attribute", "class K$n:\n    total = 0", "K$n.total += x", seen="work.K$n.total"),
    Lie(
        "new attribute", "class N$n:\n    pass", "N$n.last = x", seen="getattr(work.N$n, 'last', 0)"
    ),
    Lie("default", "def d$n(x, had=[]):\n    had.append(x)\n    return len(had)", "r += d$n(x)"),
    Lie("function attribute", body="f$n.last = x", seen="getattr(work.f$n, 'last', None)"),
    Lie(
        "closure",
        "def make$n():\n    n = 0\n    def inc():\n        nonlocal n\n        n += 1\n"
        "        return n\n    return inc\nnext$n = make$n()",
        "r += next$n()",
    ),
    Lie(
        "cache",
        "@functools.lru_cache\ndef c$n(x):\n    return x * 2",
        "r += c$n(x % 3)",
        seen="work.c$n.cache_info()",
    ),
    Lie("iterator", "numbers$n = itertools.count()", "r += next(numbers$n)"),
    Lie("helper", body="helper.total += x", seen="helper.total"),
    Lie("helper's list", body="helper.items.append(x)", seen="helper.items"),
    Lie(
        "deleted name",
        "gone$n = 1",
        "globals().pop('gone$n', None)",
        seen="hasattr(work, 'gone$n')",
    ),
    Lie("argument list", body="a.append(x)", more="rows$n", before="rows$n = []", seen="rows$n"),
    Lie("argument dict", body="a[x] = r", more="table$n", before="table$n = {}", seen="table$n"),
    Lie(
        "nested argument",
        body="a[0][0] += x",
        more="nest$n",
        before="nest$n = [[0]]",
        seen="nest$n",
    ),
    Lie(
        "argument set", body="a.add(x)", more="bag$n", before="bag$n = set()", seen="sorted(bag$n)"
    ),
    Lie(
        "sorted",
        body="a.sort()",
        more="numbers$n",
        before="numbers$n = [3, 1, 2]",
        seen="numbers$n",
    ),
    Lie("popped", body="r += a.pop()", more="stack$n", before="stack$n = list(range(90))"),
    Lie(
        "bytes",
        body="a[0] = x % 9",
        more="bytes$n",
        before="bytes$n = bytearray(3)",
        seen="bytes$n",
    ),
    Lie("queue", body="a.rotate(1)", more="q$n", before="q$n = deque(range(4))", seen="list(q$n)"),
    Lie(
        "object", body="a.value = x", more="box$n", before="box$n = work.Box()", seen="box$n.value"
    ),
    Lie("own object", body="a.v = x", more="own$n", before="own$n = Own()", seen="own$n.v"),
    Lie("array", body="a[0] += x", more="ar$n", before="ar$n = array('l', [0, 1])", seen="ar$n"),
    Lie("passed rng", body="r += a.randrange(9)", more="rng$n", before="rng$n = random.Random(3)"),
    Lie("passed iterator", body="r += next(a)", more="it$n", before="it$n = iter(range(99))"),
    Lie(
        "file position",
        body="a.write('x')",
        more="out$n",
        before="out$n = io.StringIO()",
        seen="out$n.tell()",
    ),
    Lie("method of list", body="a(x)", more="more$n.append", before="more$n = []", seen="more$n"),
    Lie("lambda", body="a(x)", more="lambda v: got$n.append(v)", before="got$n = []", seen="got$n"),
    Lie(
        "shared rng",
        body="r += random.randrange(50)",
        before="random.seed(4)",
        seen="random.random()",
    ),
    Lie("seed", body="random.seed(x)", before="random.seed(4)", seen="random.random()"),
    Lie("file", body="with open('log$n.txt', 'a') as f:\n    f.write(f'{x}\\n')"),
    Lie("file over", body="open('last$n.txt', 'w').write(str(x))"),
    Lie("folder", body="os.makedirs(f'made$n-{x}', exist_ok=True)"),
    Lie("path", body="pathlib.Path('p$n.txt').write_text(str(x))"),
    Lie("log", body="logging.getLogger('work').warning('at %s', x)"),
    Lie(
        "log with error",
        body="try:\n    1 / 0\nexcept ZeroDivisionError:\n    logging.exception('no')",
    ),
    Lie("warning", body="warnings.warn('careful')"),
    Lie("own warning", body="warnings.warn(f'careful {x % 3}', RuntimeWarning, stacklevel=1)"),
    Lie("print", body="print('in', x)"),
    Lie("print to stderr", body="print('in', x, file=sys.stderr)"),
    Lie("environment", body="os.environ['LEFT$n'] = str(x)", seen="os.environ.get('LEFT$n')"),
    Lie("recursion", body="sys.setrecursionlimit(2000 + x)", seen="sys.getrecursionlimit()"),
    Lie(
        "precision", body="decimal.getcontext().prec = 9 + x % 5", seen="decimal.getcontext().prec"
    ),
    Lie(
        "search path", body="sys.path.append(f'p{x}')", seen="[p for p in sys.path if p[:1] == 'p']"
    ),
    Lie("umask", body="os.umask(0o22 if x % 2 else 0o77)", seen="oct(os.umask(0o22))"),
    Lie(
        "temporary",
        body="with tempfile.TemporaryFile() as f:\n    f.write(b'x')\n    r += f.tell()",
    ),
    Lie("raises at last", "n$n = 0", "global n$n\nn$n += 1\nif x == 3:\n    raise ValueError(n$n)"),
    Lie("seldom", "rare$n = []", "if x == 5:\n    rare$n.append(x)", seen="work.rare$n"),
)
READ = (
    Lie("constant", "C$n = 1", "r += C$n", change="work.C$n += 1"),
    Lie("name", "V$n = []", "r += len(V$n)", change="work.V$n = [1, 2]", undo="del work.V$n[:]"),
    Lie("list", "L$n = [1]", "r += sum(L$n)", change="work.L$n.append(5)"),
    Lie("settings", body="r += helper.settings['k']", change="helper.settings['k'] += 1"),
    Lie("helper", body="r += helper.double(x)", change="helper.double = lambda v: v * 100"),
    Lie("own helper", "def h$n(x):\n    return 1", "r += h$n(x)", change="work.h$n = lambda v: 50"),
    Lie(
        "default",
        "def o$n(x, y=1):\n    return y",
        "r += o$n(x)",
        change="work.o$n.__defaults__ = (7,)",
    ),
    Lie(
        "keyword",
        "def w$n(x, *, y=1):\n    return y",
        "r += w$n(x)",
        change="work.w$n.__kwdefaults__ = {'y': 8}",
    ),
    Lie("class attribute", "class A$n:\n    k = 1", "r += A$n.k", change="work.A$n.k += 1"),
    Lie(
        "method",
        "class M$n:\n    def m(self):\n        return 1",
        "r += M$n().m()",
        change="work.M$n.m = lambda self: 40",
    ),
    Lie("registry", "R$n = {}", "r += len(R$n)", change="work.R$n[len(work.R$n)] = 1"),
    Lie("held object", "H$n = Box()", "r += H$n.value", change="work.H$n.value += 2"),
    Lie(
        "function attribute",
        "def g$n():\n    return g$n.k\ng$n.k = 1",
        "r += g$n()",
        change="work.g$n.k += 3",
    ),
    Lie(
        "dispatch",
        "@functools.singledispatch\ndef s$n(x):\n    return 1",
        "r += s$n(x)",
        change="work.s$n.register(int)(lambda x: 30)",
    ),
    Lie(
        "cleared cache",
        "@functools.lru_cache\ndef c$n():\n    return os.environ.get('CACHED$n', '0')",
        "r += int(c$n())",
        change="os.environ['CACHED$n'] = '5'\nwork.c$n.cache_clear()",
    ),
    Lie(
        "patched",
        "P$n = 1",
        "r += P$n",
        change="with mock.patch.object(work, 'P$n', 9):\n    print(work.f$n(1))",
    ),
    Lie(
        "patched dict",
        "D$n = {'a': 1}",
        "r += D$n['a']",
        change="with mock.patch.dict(work.D$n, a=9):\n    print(work.f$n(1))",
    ),
    Lie(
        "library",
        body="r += len(os.path.basename('abc'))",
        change="os.path.basename = lambda p: 'xxxxxx'",
    ),
    Lie("environment", body="r += int(os.environ.get('E$n', 1))", change="os.environ['E$n'] = '4'"),
    Lie(
        "time zone",
        body="r += time.localtime(0).tm_hour",
        change="os.environ['TZ'] = 'Asia/Tokyo'\ntime.tzset()",
    ),
    Lie(
        "recursion",
        body="r += sys.getrecursionlimit()",
        change="sys.setrecursionlimit(sys.getrecursionlimit() + 1)",
    ),
    Lie(
        "digits",
        body="r += sys.get_int_max_str_digits()",
        change="sys.set_int_max_str_digits(5000)",
    ),
    Lie(
        "precision",
        body="r += len(str(decimal.Decimal(1) / 3))",
        change="decimal.getcontext().prec += 2",
    ),
    Lie(
        "context",
        body="r += helper.variable.get()",
        change="helper.variable.set(helper.variable.get() + 1)",
    ),
    Lie(
        "umask",
        body="m = os.umask(0)\nos.umask(m)\nr += m",
        change="os.umask(0o27)",
        undo="os.umask(0o22)",
    ),
    Lie(
        "level",
        body="r += logging.getLogger('x$n').isEnabledFor(15)",
        change="logging.getLogger('x$n').setLevel(10)",
    ),
    Lie(
        "filters",
        body="r += len(warnings.filters)",
        change="warnings.simplefilter('ignore', ImportWarning)",
    ),
    Lie(
        "folder",
        body="r += len(os.path.basename(os.getcwd()))",
        change="os.makedirs('in$n', exist_ok=True)\nos.chdir('in$n')",
        undo="os.chdir('..')",
    ),
    Lie(
        "limit",
        body="r += resource.getrlimit(resource.RLIMIT_NOFILE)[0]",
        change="most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (300, most))",
    ),
    Lie(
        "signal",
        body="r += signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN",
        change="signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
    ),
    Lie("random state", body="r += random.Random(x).randrange(9)", change="random.seed(1)"),
    Lie("file", body="r += os.path.exists('there$n')", change="open('there$n', 'w').close()"),
    Lie("search path", body="r += len(sys.path)", change="sys.path.append('more')"),
)
HONEST = (
    Lie("honest"),
    Lie("honest text", body="r += len(f'{x:>5}')"),
    Lie("honest list", body="r += sum(a)", more="[i, 2]"),
    Lie("honest raise", body="if x == 4:\n    raise KeyError(x)"),
)
