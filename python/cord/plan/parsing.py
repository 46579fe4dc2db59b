"""The library's module `ast`, for who imports it late: by then the program may have its own."""

import ast

__all__ = ["ast"]
