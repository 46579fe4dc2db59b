"""All papers of the lab."""

from lab.common.model import Paper
from lab.mandelbrot.paper import MANDELBROT
from lab.matmul.paper import MATMUL
from lab.paradigms.paper import PARADIGMS
from lab.rudy.paper import RUDY
from lab.sort.paper import SORT

PAPERS: tuple[Paper, ...] = (SORT, MANDELBROT, MATMUL, RUDY, PARADIGMS)
