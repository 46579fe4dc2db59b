"""NumPy. Scouts run what has a row: much else of it writes into what it is given."""

from __future__ import annotations

from .rows import PUTS, Row, rows

_MADE, _WINDOW = Row("ndarray", ahead=True), Row("same", ahead=True)
_OTHER = Row(ahead=True)

# Universal functions: of plain arrays and numbers they compute new ones.
UFUNCS = """abs absolute acos acosh add arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin
asinh atan atan2 atanh bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not
bitwise_or bitwise_right_shift bitwise_xor cbrt ceil conj conjugate copysign cos cosh deg2rad
degrees divide divmod equal exp exp2 expm1 fabs float_power floor floor_divide fmax fmin fmod frexp
gcd greater greater_equal heaviside hypot invert isfinite isinf isnan isnat lcm ldexp left_shift
less less_equal log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or
logical_xor matmul maximum minimum mod modf multiply negative nextafter not_equal positive pow
power rad2deg radians reciprocal remainder right_shift rint sign signbit sin sinh spacing sqrt
square subtract tan tanh true_divide trunc vecdot matvec vecmat"""

NUMPY = rows(
    {
        f"numpy: {UFUNCS}": _MADE,
        "numpy: " + " ".join(f"{name}.at" for name in UFUNCS.split()): PUTS,
        """numpy: append arange argsort array concatenate convolve copy cumprod cumsum delete dot
        eye fft.fft fft.ifft full full_like histogram hstack identity linalg.inv linalg.solve
        linspace logspace mean meshgrid ones ones_like outer pad repeat roll sort stack std sum
        tensordot tile unique var vstack zeros zeros_like""": _MADE,
        "numpy: clip interp where insert": Row("ndarray", ahead=True, reads=3),
        """numpy: all allclose amax amin any argmax argmin argwhere around array_equal average
        bincount column_stack corrcoef cov cross diff digitize dstack fft.fftfreq fft.irfft
        fft.rfft float32 float64 geomspace gradient inner int32 int64 isclose kron linalg.det
        linalg.eigvals linalg.norm max median min nanmax nanmean nanmin nansum nonzero percentile
        polyfit polyval prod ptp quantile round searchsorted take trace trapz tril triu
        vander""": _OTHER,
        """numpy: array_split asanyarray asarray ascontiguousarray asfortranarray atleast_1d
        atleast_2d atleast_3d broadcast_arrays broadcast_to diag diagonal expand_dims flip fliplr
        flipud hsplit imag moveaxis ravel real reshape rollaxis rot90 split squeeze swapaxes
        transpose vsplit""": _WINDOW,
        "numpy: frombuffer nan_to_num rec require": Row("same", ahead=False),
        "numpy: empty empty_like einsum": Row("ndarray", ahead=False),
        "numpy: copyto fill_diagonal place put put_along_axis putmask": PUTS,
        "numpy.random: default_rng RandomState Generator PCG64": Row(
            "numpy.Generator", ahead=False
        ),
    }
)
