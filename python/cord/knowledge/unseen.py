"""What is asked of values of which nothing is known: what their methods' names say by themselves.

Where a method's name says enough to warn of it, it has a row here. Where it says enough to be sure
that it has no effect, it is one of `SURE`. All others may be anything.
"""

from __future__ import annotations

from .rows import GROWS, NETWORK, READS_FILES, SELF, TAKES, WRITES_FILES, Row, rows

_WRITES = Row("const", effects=(WRITES_FILES,))
_SENDS = Row("fresh", effects=(NETWORK,))
_LEARNS = Row("same", changes=SELF)
_DRAWS = Row("fresh", changes=SELF)

_ROWS = rows(
    {
        # files, of paths, frames, figures, pictures, models
        """to_csv to_parquet to_pickle to_excel to_hdf to_feather to_stata to_netcdf to_zarr to_sql
        to_gbq savefig save save_pretrained save_model save_weights savetxt imwrite imsave dump
        tofile write_text write_bytes write_csv write_parquet write_image write_html write_json
        unlink rmdir mkdir touch symlink_to hardlink_to chmod""": _WRITES,
        "read_text read_bytes iterdir rglob": Row("fresh", effects=(READS_FILES,)),
        # databases and services
        """execute executemany executescript commit rollback bulk_insert insert_one insert_many
        update_one update_many delete_one delete_many replace_one create_all drop_all
        bulk_create post patch delete publish lpush rpush incr decr hset sadd zadd
        enqueue apply_async submit_job put_object put_item delete_object set_result""": _SENDS,
        "urlopen getresponse sendall recv": _SENDS,
        # what learns
        "fit fit_transform fit_predict partial_fit backward zero_grad load_state_dict": _LEARNS,
        # random numbers that are drawn from an object
        """random randint randrange choice choices integers standard_normal normalvariate gauss
        lognormvariate expovariate betavariate getrandbits randbytes uniform normal permutation
        permuted standard_exponential standard_gamma exponential poisson binomial lognormal
        multivariate_normal rand randn random_sample random_integers dirichlet""": _DRAWS,
        "shuffle seed setstate set_state": GROWS,
        "put_nowait task_done notify notify_all": GROWS,
        "get_nowait": TAKES,
    }
)
_BEGINNINGS = {"send": _SENDS, "upload": _SENDS, "write": _WRITES}
# Given a buffer of the function's own, or nothing to write to, these make a value.
_INTO = frozenset(
    """to_csv to_parquet to_pickle to_feather to_stata savefig save dump tofile savetxt
    write_image""".split()
)
_GIVES_IT_ELSE = frozenset({"to_csv", "to_parquet"})
_OWN_BUFFERS = frozenset({"io.Buffer", "file"})

# Methods of text, bytes, numbers and arrays: whatever else has one of that name only computes, too.
SURE = frozenset(
    """startswith endswith strip lstrip rstrip lower upper title capitalize casefold swapcase
    isdigit isalpha isalnum isspace isupper islower istitle isnumeric isdecimal isidentifier
    isprintable isascii splitlines partition rpartition removeprefix removesuffix zfill ljust rjust
    center expandtabs translate as_integer_ratio is_integer bit_length bit_count conjugate
    hexdigest isoformat toordinal isoweekday weekday total_seconds astype flatten ravel reshape
    tolist tobytes argmax argmin cumsum cumprod swapaxes transpose squeeze limit_denominator
    most_common issubset issuperset isdisjoint intersection symmetric_difference""".split()
)
# What takes arguments of which nothing is known, and neither walks nor calls them.
_TAKES_VALUES = frozenset(
    """builtins.isinstance builtins.issubclass builtins.type builtins.id builtins.ord builtins.chr
    builtins.bin builtins.hex builtins.oct builtins.bool builtins.complex builtins.float
    builtins.int builtins.len builtins.hash builtins.repr builtins.str builtins.ascii
    builtins.format builtins.range builtins.abs builtins.divmod builtins.pow builtins.round
    builtins.slice builtins.callable builtins.hasattr builtins.print builtins.object
    builtins.super builtins.reversed builtins.setattr builtins.delattr
    decimal.Decimal fractions.Fraction random.Random copy.copy copy.deepcopy time.sleep sys.exit
    sys.getsizeof""".split()
)
_OF_NUMBERS = ("math", "cmath", "datetime", "os.path", "posixpath", "pathlib", "unicodedata")
_WALKS = frozenset({"math.fsum", "math.prod", "math.dist", "math.sumprod", "os.path.commonpath"})


def row_of(method: str) -> Row | None:
    """What the method of an unknown object does, as far as its name says that."""
    row = _ROWS.get(method)
    if row is None:
        row = next((r for start, r in _BEGINNINGS.items() if method.startswith(start)), None)
    return row


def draws(method: str) -> bool:
    """Whether a method of that name draws random numbers from its object."""
    return _ROWS.get(method) is _DRAWS


def makes_a_value(method: str, arguments: int, types: set[str]) -> bool:
    """Whether a method that writes gives its caller what it writes.

    Args:
        method: Its name.
        arguments: How many arguments it is given.
        types: The types of those that the caller has made.
    """
    if method in _INTO and types & _OWN_BUFFERS:
        return True
    return method in _GIVES_IT_ELSE and not arguments


def takes_values(dotted: str) -> bool:
    """Whether a function of a library neither walks nor calls what it is given."""
    return dotted in _TAKES_VALUES or (
        dotted.rpartition(".")[0] in _OF_NUMBERS and dotted not in _WALKS
    )
