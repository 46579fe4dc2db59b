"""All papers of the lab."""

from lab.common.model import Paper
from lab.matmul.paper import MATMUL
from lab.paradigms.paper import PARADIGMS
from lab.sort.paper import SORT

PAPERS: tuple[Paper, ...] = (SORT, MATMUL, PARADIGMS)
