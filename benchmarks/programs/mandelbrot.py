"""How long the rows of examples/mandelbrot take, once replicas are there."""

import time

from timing import report

import cord
import main

with cord.session(main.__file__.replace("main.py", "cord.toml"), ahead=[main.draw]):
    main.draw(20, 20, 100)
    begin = time.perf_counter()
    main.draw(200, 200, 2000)
    seconds = time.perf_counter() - begin
report(seconds=seconds)
